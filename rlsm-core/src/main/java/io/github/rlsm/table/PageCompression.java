// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.List;

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
  PageCodec codec() {
    try {
      return switch (this) {
        case NONE -> throw new IllegalStateException("uncompressed pages have no codec");
        case LZ4 -> PageCodec.Lz4Codec.open();
        case ZSTD -> PageCodec.ZstdCodec.open();
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
}
