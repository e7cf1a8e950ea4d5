// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.io.AppendFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A file in memory for a writer. */
final class MemoryAppendFile implements AppendFile {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  byte[] bytes() {
    return bytes.toByteArray();
  }

  @Override
  public String name() {
    return "memory.table";
  }

  @Override
  public long length() {
    return bytes.size();
  }

  @Override
  public void append(ByteBuffer source) {
    byte[] copy = new byte[source.remaining()];
    source.get(copy);
    bytes.writeBytes(copy);
  }

  @Override
  public void force() {
    throw new UnsupportedOperationException("a table writer does not force its file");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("a table writer does not close its file");
  }
}
