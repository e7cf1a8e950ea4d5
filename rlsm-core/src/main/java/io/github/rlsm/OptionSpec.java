// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The specification of one option: how to parse, format and check it.
 *
 * @param name the name in properties, the same as the builder's method
 * @param legal the legal values, for error messages
 * @param get returns the value of the option
 * @param set parses text into a builder; throws IllegalArgumentException for malformed text
 * @param check whether the value is legal
 */
record OptionSpec(
    String name,
    String legal,
    Function<RlsmOptions, Object> get,
    BiConsumer<RlsmOptions.Builder, String> set,
    Function<RlsmOptions, Boolean> check) {

  private static final long KIB = 1024;

  /** Parses a size in bytes. The suffixes k, m and g are powers of 1024. */
  static long parseBytes(String text) {
    String lower = text.trim().toLowerCase(Locale.ROOT);
    if (lower.isEmpty()) {
      throw new IllegalArgumentException("empty");
    }
    int power = "kmg".indexOf(lower.charAt(lower.length() - 1)) + 1;
    String digits = power == 0 ? lower : lower.substring(0, lower.length() - 1);
    long value = Long.parseLong(digits);
    for (int i = 0; i < power; i++) {
      value = Math.multiplyExact(value, KIB);
    }
    return value;
  }

  /** Accepts only {@code true} and {@code false}, in any case. */
  static boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  /** Returns the option name closest to a misspelled name, or null if no name is close. */
  static @Nullable String nearest(String wrong, List<OptionSpec> specs) {
    String best = null;
    int bestDistance = Math.max(2, wrong.length() / 3) + 1;
    for (OptionSpec spec : specs) {
      int distance = distance(wrong.toLowerCase(Locale.ROOT), spec.name().toLowerCase(Locale.ROOT));
      if (distance < bestDistance) {
        best = spec.name();
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Returns the Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
