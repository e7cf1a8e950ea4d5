// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.kv.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings for writing tables. Each table stores all that its reader needs, so tables with
 * different settings can coexist.
 *
 * @param pageBytes size of a page before compression, in bytes: a power of two from 512 to 32,768.
 *     Small pages read fewer useless bytes on a cold lookup. Large pages need fewer fences and
 *     compress better
 * @param filterBitsPerKey size of the filter, in bits for each key, 0 (no filter) to 30. With each
 *     further bit, about a third fewer lookups of absent keys read a page
 * @param compression the compression of pages
 */
public record TableSettings(int pageBytes, int filterBitsPerKey, PageCompression compression) {

  /** Pages of 4 KiB, filters of 10 bits for each key, no compression. */
  public static final TableSettings DEFAULT = new TableSettings(4096, 10, PageCompression.NONE);

  static final int PAGE_BYTES_MIN = 512;
  static final int PAGE_BYTES_MAX = 32_768;
  static final int FILTER_BITS_MAX = 30;

  /**
   * Checks the settings.
   *
   * @throws InvalidOptionsException if a setting is out of range
   */
  public TableSettings {
    List<String> problems = new ArrayList<>();
    if (!isPageSize(pageBytes)) {
      problems.add("pageBytes is " + pageBytes + "; choose a power of two from " + PAGE_BYTES_MIN
          + " to " + PAGE_BYTES_MAX);
    }
    if (filterBitsPerKey < 0 || filterBitsPerKey > FILTER_BITS_MAX) {
      problems.add("filterBitsPerKey is " + filterBitsPerKey + "; choose 0 to " + FILTER_BITS_MAX);
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  static boolean isPageSize(int bytes) {
    return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && Integer.bitCount(bytes) == 1;
  }
}
