// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes little-endian numbers at any byte offset of a buffer or array. The byte order
 * that is set in the buffer does not matter.
 *
 * <p>Hot paths use this class instead of {@link ByteBuffer#getLong(int)}: the order is a
 * compile-time constant, and one call site serves heap and direct buffers without a virtual call.
 * Every access is bounds-checked and throws {@link IndexOutOfBoundsException}.
 */
public final class LittleEndian {

  private static final VarHandle BUFFER_LONG = bufferView(long[].class);
  private static final VarHandle BUFFER_INT = bufferView(int[].class);
  private static final VarHandle BUFFER_SHORT = bufferView(short[].class);
  private static final VarHandle ARRAY_LONG = arrayView(long[].class);
  private static final VarHandle ARRAY_INT = arrayView(int[].class);
  private static final VarHandle ARRAY_SHORT = arrayView(short[].class);

  private LittleEndian() {}

  /** Reads 8 bytes at {@code offset}. */
  public static long getLong(ByteBuffer buffer, int offset) {
    return (long) BUFFER_LONG.get(buffer, offset);
  }

  /** Reads 4 bytes at {@code offset}. */
  public static int getInt(ByteBuffer buffer, int offset) {
    return (int) BUFFER_INT.get(buffer, offset);
  }

  /**
   * Reads 4 bytes at {@code offset}, which must be 4 or more, from memory that may be a mapped
   * file.
   *
   * <p>If an access to a mapped file faults, the JVM skips the instruction, so it must know the
   * instruction's length. HotSpot 17 does not know the length of two instructions that its compiler
   * emits for plain loads, and aborts the process. One widens an {@code int} to a {@code long} (x86
   * {@code movslq}); the other tests bits of a {@code byte} (x86 {@code test}). A load of 8 bytes
   * is always a plain move. So use this method for every {@code int} of a mapped file that may be
   * widened.
   */
  public static int getMappedInt(ByteBuffer buffer, int offset) {
    return (int) (getLong(buffer, offset - Integer.BYTES) >>> Integer.SIZE);
  }

  /** Reads 2 bytes at {@code offset}, 0 to 65,535. */
  public static int getUnsignedShort(ByteBuffer buffer, int offset) {
    return (short) BUFFER_SHORT.get(buffer, offset) & 0xFFFF;
  }

  /** Reads 8 bytes at {@code offset}. */
  public static long getLong(byte[] array, int offset) {
    return (long) ARRAY_LONG.get(array, offset);
  }

  /** Reads 4 bytes at {@code offset}. */
  public static int getInt(byte[] array, int offset) {
    return (int) ARRAY_INT.get(array, offset);
  }

  /** Writes 8 bytes at {@code offset}. */
  public static void putLong(byte[] array, int offset, long value) {
    ARRAY_LONG.set(array, offset, value);
  }

  /** Writes 4 bytes at {@code offset}. */
  public static void putInt(byte[] array, int offset, int value) {
    ARRAY_INT.set(array, offset, value);
  }

  /** Writes the low 2 bytes of {@code value} at {@code offset}. */
  public static void putShort(byte[] array, int offset, int value) {
    ARRAY_SHORT.set(array, offset, (short) value);
  }

  private static VarHandle bufferView(Class<?> arrayType) {
    return MethodHandles.byteBufferViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN)
        .withInvokeExactBehavior();
  }

  private static VarHandle arrayView(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN)
        .withInvokeExactBehavior();
  }
}
