// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses blocks of bytes. Each codec is a separate class. So a store that does
 * not use a codec does not need its library.
 *
 * <p>Threads: safe for use by many threads.
 */
sealed interface PageCodec {

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

  /** The codec for LZ4 blocks without frames. */
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

  /** The codec for Zstandard frames. */
  final class ZstdCodec implements PageCodec {

    /** The default level of Zstandard. Higher levels cost much and save little on small blocks. */
    private static final int LEVEL = 3;

    private ZstdCodec() {}

    static ZstdCodec open() {
      Native.load();
      return new ZstdCodec();
    }

    @Override
    public int compressedLengthMax(int length) {
      return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(
        byte[] source, int sourceOffset, int length, byte[] target, int targetOffset) {
      int space = target.length - targetOffset;
      return Math.toIntExact(checked(Zstd.compressByteArray(
          target, targetOffset, space, source, sourceOffset, length, LEVEL)));
    }

    @Override
    public @Nullable String decompress(byte[] source, byte[] target, int targetOffset, int length) {
      try {
        long found = checked(
            Zstd.decompressByteArray(target, targetOffset, length, source, 0, source.length));
        return found == length ? null : "Zstandard gave " + found + " bytes instead of " + length;
      } catch (ZstdException e) {
        return "Zstandard: " + e.getMessage();
      }
    }

    private static long checked(long result) {
      if (Zstd.isError(result)) {
        throw new ZstdException(result);
      }
      return result;
    }
  }
}
