// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;

/**
 * How tables are written. Each table keeps what its reader needs, so tables written under different
 * settings live side by side.
 *
 * @param pageBytes size of a page before compression, in bytes: a power of two from 512 to 32,768.
 *     Small pages waste less reading on a cold lookup, large ones need fewer fences and compress
 *     better
 * @param filterBitsPerKey size of the filter, in bits for each key, 0 (no filter) to 30. Each bit
 *     more lets about a third fewer lookups of absent keys reach a page
 * @param compression how pages are compressed
 */
public record TableSettings(int pageBytes, int filterBitsPerKey, Compression compression) {

  /** Pages of 4 KiB, filters of 10 bits for each key, no compression. */
  public static final TableSettings DEFAULT = new TableSettings(4096, 10, Compression.NONE);

  static final int PAGE_BYTES_MIN = 512;
  static final int PAGE_BYTES_MAX = 32_768;
  static final int FILTER_BITS_MAX = 30;

  /**
   * Checks the settings.
   *
   * @throws InvalidOptionsException if one is out of range
   */
  public TableSettings {
    List<String> problems = new ArrayList<>();
    if (!isPageSize(pageBytes)) {
      problems.add("pageBytes is " + pageBytes + "; legal are powers of two from " + PAGE_BYTES_MIN
          + " to " + PAGE_BYTES_MAX);
    }
    if (filterBitsPerKey < 0 || filterBitsPerKey > FILTER_BITS_MAX) {
      problems.add(
          "filterBitsPerKey is " + filterBitsPerKey + "; legal are 0 to " + FILTER_BITS_MAX);
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  static boolean isPageSize(int bytes) {
    return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && Integer.bitCount(bytes) == 1;
  }
}
