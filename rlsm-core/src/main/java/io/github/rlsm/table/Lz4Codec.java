// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/** The {@link PageCodec} for LZ4 blocks without frames. */
final class Lz4Codec implements PageCodec {

  private final LZ4Compressor compressor;
  private final LZ4SafeDecompressor decompressor;

  private Lz4Codec(LZ4Factory factory) {
    compressor = factory.fastCompressor();
    decompressor = factory.safeDecompressor();
  }

  static Lz4Codec open() {
    return new Lz4Codec(LZ4Factory.fastestInstance());
  }

  @Override
  public int compressedLengthMax(int length) {
    return compressor.maxCompressedLength(length);
  }

  @Override
  public int compress(
      byte[] source, int sourceOffset, int length, byte[] target, int targetOffset) {
    return compressor.compress(source, sourceOffset, length, target, targetOffset);
  }

  @Override
  public @Nullable String decompress(byte[] source, byte[] target, int targetOffset, int length) {
    try {
      int found = decompressor.decompress(source, 0, source.length, target, targetOffset, length);
      return found == length ? null : "LZ4 gave " + found + " bytes instead of " + length;
    } catch (LZ4Exception e) {
      return "LZ4: " + e.getMessage();
    }
  }
}
