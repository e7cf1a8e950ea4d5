// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

/** The compression of table pages; see {@link RlsmOptions.Builder#compression}. */
public enum Compression {
  /** No compression: pages are read directly from mapped memory. The default. */
  NONE,
  /** LZ4: fast, lower ratio. Needs the library {@code at.yawk.lz4:lz4-java}. */
  LZ4,
  /** Zstandard: slower, higher ratio. Needs the library {@code com.github.luben:zstd-jni}. */
  ZSTD
}
