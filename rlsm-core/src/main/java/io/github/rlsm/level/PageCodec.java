// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import org.jspecify.annotations.Nullable;

/** Compresses and decompresses blocks of bytes. Threads: any number at once. */
interface PageCodec {

  /** The most bytes that {@code length} bytes can become. */
  int compressedLengthMax(int length);

  /** Compresses into {@code target} from its offset on and returns the compressed length. */
  int compress(byte[] source, int sourceOffset, int length, byte[] target, int targetOffset);

  /**
   * Decompresses the whole of {@code source} into exactly {@code length} bytes.
   *
   * @return null if it worked, otherwise what is wrong with the source
   */
  @Nullable
  String decompress(byte[] source, byte[] target, int targetOffset, int length);
}
