// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import org.jspecify.annotations.Nullable;

/** Compresses and decompresses blocks of bytes. Threads: safe for use by many threads. */
interface PageCodec {

  /** The maximum compressed length of {@code length} bytes. */
  int compressedLengthMax(int length);

  /** Compresses into {@code target} from {@code targetOffset} on. Returns the compressed length. */
  int compress(byte[] source, int sourceOffset, int length, byte[] target, int targetOffset);

  /**
   * Decompresses all of {@code source} into exactly {@code length} bytes.
   *
   * @return null on success, otherwise a description of the damage
   */
  @Nullable
  String decompress(byte[] source, byte[] target, int targetOffset, int length);
}
