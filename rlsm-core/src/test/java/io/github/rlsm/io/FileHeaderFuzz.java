// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import java.nio.ByteBuffer;
import java.util.List;

/** Decodes any bytes as the header of a file. */
public final class FileHeaderFuzz {

  private FileHeaderFuzz() {}

  /** Decodes an input unchanged, and with a corrected checksum. */
  public static void fuzzerTestOneInput(byte[] input) {
    decode(input);
    decode(new Forged(input).header(0).bytes());
  }

  private static void decode(byte[] bytes) {
    Decoding.of(bytes.length, () -> FileHeader.decode(ByteBuffer.wrap(bytes), "fuzzed"));
  }

  /** Returns a header of every kind of file. */
  public static List<byte[]> seeds() {
    return List.of(FileHeader.Kind.values()).stream()
        .map(kind -> Forged.bytesOf(new FileHeader(kind, 0x0123_4567_89AB_CDEFL, 7).encode()))
        .toList();
  }
}
