// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory, as HBase opens it. The caller verifies checksums, until it falls back to those
 * of the file system.
 */
final class MemoryFile extends FSDataInputStreamWrapper {

  /** The position and the length of each request, after "fs" if the file system verifies it. */
  final List<String> requests = new ArrayList<>();

  /** Whether HBase is replacing the stream. */
  boolean isReplaced;

  private final byte[] bytes;
  private final FSDataInputStream unverified = new FSDataInputStream(new Stream("fs "));
  private final FSDataInputStream verified = new FSDataInputStream(new Stream(""));
  private boolean hasFallenBack;

  MemoryFile(byte[] bytes) {
    super((FSDataInputStream) null);
    this.bytes = bytes;
  }

  private final class Stream extends ReadAhead.PositionedOnly {
    private final String name;
    private long next;

    Stream(String name) {
      this.name = name;
    }

    @Override
    public void seek(long position) {
      next = position;
    }

    @Override
    public long getPos() {
      return next;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      int read = read(next, buffer, offset, length);
      next += read;
      return read;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) {
      requests.add(name + position + "+" + length);
      System.arraycopy(bytes, (int) position, buffer, offset, length);
      return length;
    }
  }

  @Override
  public boolean shouldUseHBaseChecksum() {
    return !hasFallenBack;
  }

  @Override
  public @Nullable FSDataInputStream getStream(boolean useHBaseChecksum) {
    if (isReplaced) {
      return null;
    }
    return useHBaseChecksum ? verified : unverified;
  }

  @Override
  public FSDataInputStream fallbackToFsChecksum(int offCount) {
    hasFallenBack = true;
    return unverified;
  }
}
