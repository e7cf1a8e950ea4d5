// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.Compression;
import io.github.rlsm.MemtableKind;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.VerifyChecksums;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Draws small options, so that flushes, compactions and segment switches are frequent. */
final class RandomOptions {

  private RandomOptions() {}

  static Map<String, String> draw(Random random) {
    Map<String, String> options = new TreeMap<>();
    options.put("memoryBudget", (1 + random.nextInt(8)) + "m");
    options.put("logSegmentBytes", (16 << random.nextInt(5)) + "k");
    options.put("separationThreshold", String.valueOf(1 + random.nextInt(1500)));
    MemtableKind[] kinds = MemtableKind.values();
    options.put("memtable", kinds[random.nextInt(kinds.length)].name());
    options.put("memtableEntries", String.valueOf(random.nextInt(4) * 200));
    options.put("pageBytes", String.valueOf(512 << random.nextInt(5)));
    options.put("filterBitsPerKey", String.valueOf(random.nextInt(3) * 5));
    options.put("partitionBytes", (8 << random.nextInt(8)) + "k");
    options.put("runsPerPartition", String.valueOf(1 + random.nextInt(8)));
    options.put("l0Trigger", String.valueOf(random.nextInt(5)));
    options.put("linkBytes", (1 << random.nextInt(8)) + "k");
    options.put("deadFraction", String.valueOf(0.1 + 0.2 * random.nextInt(4)));
    options.put("maxSpaceAmplification", String.valueOf(1.1 + 0.3 * random.nextInt(4)));
    Compression[] compressions = Compression.values();
    options.put("compression", compressions[random.nextInt(compressions.length)].name());
    VerifyChecksums[] verify = VerifyChecksums.values();
    options.put("verifyChecksums", verify[random.nextInt(verify.length)].name());
    options.put("backgroundThreads", String.valueOf(1 + random.nextInt(3)));
    RlsmOptions.fromProperties(options); // fails early if an option is not legal
    return options;
  }

  /** Formats options as one argument of a command line. */
  static String format(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(","));
  }

  /** The reverse of {@link #format}. */
  static RlsmOptions parse(String text) {
    return RlsmOptions.fromProperties(Arrays.stream(text.split(","))
        .map(option -> option.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
  }
}
