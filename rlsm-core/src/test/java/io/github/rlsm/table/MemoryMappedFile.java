// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.io.MappedFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A file in an array or in direct memory. It records the advice given for it. */
final class MemoryMappedFile implements MappedFile {

  /**
   * Advice given for a range.
   *
   * @param advice the advice
   * @param offset start of the range in bytes
   * @param length length of the range in bytes
   */
  record Given(Advice advice, int offset, int length) {}

  private static final int PAGE_BYTES = 4 << 10;

  private final ByteBuffer memory;
  private final List<Given> given = new ArrayList<>();
  private final List<Integer> pagesRead = new ArrayList<>();
  private boolean readable = true;
  private List<Given> beforeRead = List.of();
  private boolean isRead;
  private boolean closed;

  private MemoryMappedFile(ByteBuffer memory) {
    this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
  }

  static MemoryMappedFile direct(byte[] bytes) {
    return new MemoryMappedFile(ByteBuffer.allocateDirect(bytes.length).put(0, bytes));
  }

  static MemoryMappedFile heap(byte[] bytes) {
    return new MemoryMappedFile(ByteBuffer.wrap(bytes));
  }

  List<Given> given() {
    return given;
  }

  /** The advice given before the memory was first read. */
  List<Given> givenBeforeRead() {
    return beforeRead;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public String name() {
    return "memory.table";
  }

  @Override
  public int length() {
    return memory.limit();
  }

  @Override
  public ByteBuffer memory() {
    if (!isRead) {
      isRead = true;
      beforeRead = List.copyOf(given);
    }
    return memory;
  }

  /** Makes reads by system calls fail. */
  void failReads() {
    readable = false;
  }

  /** The pages that were read by system calls, one after the other. */
  List<Integer> pagesRead() {
    return pagesRead;
  }

  @Override
  public boolean read(int offset, int length, ByteBuffer into) {
    for (int page = offset / PAGE_BYTES; page * PAGE_BYTES < offset + length; page++) {
      pagesRead.add(page);
    }
    into.put(0, memory, offset, length);
    return readable;
  }

  @Override
  public boolean write(int offset, int length, ByteBuffer from) {
    throw new UnsupportedOperationException("tables are appended to");
  }

  @Override
  public void force(int offset, int length) {
    throw new UnsupportedOperationException("tables are not written through memory");
  }

  @Override
  public void truncate(int length) {
    throw new UnsupportedOperationException("tables are not cut");
  }

  @Override
  public void advise(Advice advice, int offset, int length) {
    given.add(new Given(advice, offset, length));
  }

  @Override
  public int residentBytes(int offset, int length) {
    return length;
  }

  @Override
  public void forget() {}

  @Override
  public void close() {
    closed = true;
  }
}
