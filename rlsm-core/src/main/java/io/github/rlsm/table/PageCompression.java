// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/** The compression of a table's pages. The codes are part of the disk format. */
public enum PageCompression {
  /** No compression: pages are read directly from mapped memory. */
  NONE(0),
  /** LZ4: fast, lower ratio. Needs the library {@code at.yawk.lz4:lz4-java}. */
  LZ4(1),
  /** Zstandard: slower, higher ratio. Needs the library {@code com.github.luben:zstd-jni}. */
  ZSTD(2);

  private static final PageCompression[] BY_CODE = values();

  private final int code;

  PageCompression(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static boolean isKnown(int code) {
    return code >= 0 && code < BY_CODE.length;
  }

  static PageCompression of(int code) {
    return BY_CODE[code];
  }

  /**
   * Checks that the library is available. A store calls this before it opens. Otherwise the first
   * flush would fail, after writes were acknowledged.
   *
   * @throws InvalidOptionsException if the library is not on the class path, or does not work on
   *     this machine
   */
  public void checkLibrary() {
    if (this != NONE) {
      codec();
    }
  }

  /**
   * Returns the codec of this compression.
   *
   * @throws InvalidOptionsException if the library is not on the class path, or does not work on
   *     this machine
   */
  Codec codec() {
    try {
      return switch (this) {
        case NONE -> throw new IllegalStateException("uncompressed pages have no codec");
        case LZ4 -> Codec.Lz4Codec.open();
        case ZSTD -> Codec.ZstdCodec.open();
      };
    } catch (LinkageError e) {
      String library = this == LZ4 ? "at.yawk.lz4:lz4-java" : "com.github.luben:zstd-jni";
      InvalidOptionsException missing = new InvalidOptionsException(List.of("compression "
          + this
          + " needs the library "
          + library
          + " on the class path, but it is missing or cannot be loaded ("
          + e
          + ")"));
      missing.addSuppressed(e);
      throw missing;
    }
  }

  /**
   * Compresses and decompresses blocks of bytes. Each codec is a separate class. So a store that
   * does not use a codec does not need its library.
   *
   * <p>Threads: safe for use by many threads.
   */
  sealed interface Codec {

    /** The maximum compressed length of {@code length} bytes. */
    int compressedLengthMax(int length);

    /**
     * Compresses into {@code target} from {@code targetOffset} on. Returns the compressed length.
     */
    int compress(byte[] source, int sourceOffset, int length, byte[] target, int targetOffset);

    /**
     * Decompresses all of {@code source} into exactly {@code length} bytes.
     *
     * @return null on success, otherwise a description of the damage
     */
    @Nullable
    String decompress(byte[] source, byte[] target, int targetOffset, int length);

    /** The codec for LZ4 blocks without frames. */
    final class Lz4Codec implements Codec {

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
      public @Nullable String decompress(
          byte[] source, byte[] target, int targetOffset, int length) {
        try {
          int found =
              decompressor.decompress(source, 0, source.length, target, targetOffset, length);
          return found == length ? null : "LZ4 gave " + found + " bytes instead of " + length;
        } catch (LZ4Exception e) {
          return "LZ4: " + e.getMessage();
        }
      }
    }

    /** The codec for Zstandard frames. */
    final class ZstdCodec implements Codec {

      /**
       * The default level of Zstandard. Higher levels cost much and save little on small blocks.
       */
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
      public @Nullable String decompress(
          byte[] source, byte[] target, int targetOffset, int length) {
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
}
