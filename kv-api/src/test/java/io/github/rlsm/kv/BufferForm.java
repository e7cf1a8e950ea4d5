// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** The kinds of buffers that the API accepts. */
@SuppressWarnings("ImmutableEnumChecker") // The functions are stateless.
enum BufferForm {
  HEAP(ByteBuffer::allocate, 0, false),
  HEAP_IN_THE_MIDDLE(ByteBuffer::allocate, 7, false),
  HEAP_READ_ONLY(ByteBuffer::allocate, 3, true),
  DIRECT(ByteBuffer::allocateDirect, 0, false),
  DIRECT_IN_THE_MIDDLE(ByteBuffer::allocateDirect, 7, false),
  DIRECT_READ_ONLY(ByteBuffer::allocateDirect, 3, true),
  SLICE_OF_HEAP(size -> ByteBuffer.allocate(size + 5).slice(5, size), 2, false);

  private static final List<BufferForm> ALL = List.of(values());

  private final IntFunction<ByteBuffer> allocate;
  private final int margin;
  private final boolean readOnly;

  BufferForm(IntFunction<ByteBuffer> allocate, int margin, boolean readOnly) {
    this.allocate = allocate;
    this.margin = margin;
    this.readOnly = readOnly;
  }

  /** Returns a random form. */
  static BufferForm random(SplittableRandom random) {
    return ALL.get(random.nextInt(ALL.size()));
  }

  /** Returns a buffer with this content from position to limit, and with other bytes around it. */
  ByteBuffer of(byte[] content) {
    ByteBuffer buffer = allocate.apply(content.length + 2 * margin);
    while (buffer.hasRemaining()) {
      buffer.put((byte) 0x5A);
    }
    buffer.put(margin, content);
    buffer.limit(margin + content.length).position(margin);
    return readOnly ? buffer.asReadOnlyBuffer() : buffer;
  }

  /** Returns a writable buffer with this many bytes from position to limit. */
  ByteBuffer room(int bytes) {
    ByteBuffer buffer = allocate.apply(bytes + 2 * margin);
    return buffer.limit(margin + bytes).position(margin);
  }
}
