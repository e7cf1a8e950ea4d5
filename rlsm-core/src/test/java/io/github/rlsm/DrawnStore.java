// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The choices for one opening of a store in a simulated directory. They are drawn from a seed, or
 * read from a text that has all of them.
 *
 * @param style the effect of a power loss before the opening
 * @param holeBytes the smallest hole of the directory
 * @param nanosPerCall how far the clock advances with each call
 * @param seed of the lost bytes, salts and store ids
 * @param options the options of the store
 */
record DrawnStore(
    CrashStyle style, int holeBytes, long nanosPerCall, long seed, RlsmOptions options) {

  private static final String STYLE = "crash.style";
  private static final String HOLE_BYTES = "directory.holeBytes";
  private static final String NANOS_PER_CALL = "clock.nanosPerCall";
  private static final String SEED = "seed";

  /** Draws all choices. */
  static DrawnStore draw(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
    int holeBytes = random.nextBoolean() ? 16 : 4096;
    // In every second store, reads of values are slow, so that scans have them put in key order.
    long nanosPerCall = random.nextInt(2) * 30_000L;
    return new DrawnStore(
        style, holeBytes, nanosPerCall, random.nextLong(), RandomOptions.draw(random));
  }

  /** Reads the choices from the text of {@link #toString}. */
  static DrawnStore parse(String text) {
    Map<String, String> values = new TreeMap<>();
    Arrays.stream(text.split(" ")).forEach(pair -> {
      int equals = pair.indexOf('=');
      values.put(pair.substring(0, equals), pair.substring(equals + 1));
    });
    return new DrawnStore(
        CrashStyle.valueOf(values.remove(STYLE)),
        Integer.parseInt(values.remove(HOLE_BYTES)),
        Long.parseLong(values.remove(NANOS_PER_CALL)),
        Long.parseLong(values.remove(SEED)),
        RlsmOptions.fromProperties(values));
  }

  /** Returns an empty directory with log devices. */
  SimulatedDirectory directory() {
    return RandomOptions.directory(holeBytes, new SplittableRandom(seed));
  }

  /** Returns all choices and all options in one line, also options with their default value. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(STYLE).append('=').append(style);
    text.append(' ').append(HOLE_BYTES).append('=').append(holeBytes);
    text.append(' ').append(NANOS_PER_CALL).append('=').append(nanosPerCall);
    text.append(' ').append(SEED).append('=').append(seed);
    options
        .toProperties()
        .forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    return text.toString();
  }
}
