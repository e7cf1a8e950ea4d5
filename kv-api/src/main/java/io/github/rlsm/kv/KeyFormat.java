// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Formats keys for messages: in hex, and shortened when long. */
final class KeyFormat {

  private static final int SHOWN_BYTES = 32;

  private KeyFormat() {}

  static String shortHex(byte[] key) {
    String hex = HexFormat.of().formatHex(key, 0, Math.min(key.length, SHOWN_BYTES));
    return key.length <= SHOWN_BYTES ? hex : hex + "… (" + key.length + " bytes)";
  }

  static @Nullable String shortHexOrNull(byte @Nullable [] key) {
    return key == null ? null : shortHex(key);
  }
}
