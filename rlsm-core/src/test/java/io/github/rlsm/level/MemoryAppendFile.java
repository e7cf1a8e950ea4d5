// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.io.AppendFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A file that is written to memory. */
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
    throw new UnsupportedOperationException("a writer forces nothing");
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("a writer leaves the file to its owner");
  }
}
