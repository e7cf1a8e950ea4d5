// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import org.jspecify.annotations.Nullable;

/** The {@link PageCodec} for Zstandard frames. */
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
    return Math.toIntExact(checked(
        Zstd.compressByteArray(target, targetOffset, space, source, sourceOffset, length, LEVEL)));
  }

  @Override
  public @Nullable String decompress(byte[] source, byte[] target, int targetOffset, int length) {
    try {
      long found =
          checked(Zstd.decompressByteArray(target, targetOffset, length, source, 0, source.length));
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
