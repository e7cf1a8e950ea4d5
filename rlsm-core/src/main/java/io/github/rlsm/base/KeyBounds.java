// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The smallest and the largest of some internal keys. Both are keys themselves, unlike the ends of
 * a {@link KeyRange}. The arrays are shared; callers must not modify them.
 *
 * @param smallest the first key
 * @param largest the last key
 */
// Keys are arrays everywhere in the engine; equals and hashCode below compare their bytes.
@SuppressWarnings("ArrayRecordComponent")
public record KeyBounds(byte[] smallest, byte[] largest) {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyBounds that
        && Arrays.equals(smallest, that.smallest)
        && Arrays.equals(largest, that.largest);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(smallest) + Arrays.hashCode(largest);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(smallest) + " to " + hex.formatHex(largest);
  }
}
