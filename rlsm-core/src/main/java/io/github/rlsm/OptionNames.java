// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.shard.worker.ShardRouter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of all options by name: parser, formatter and range check of each. */
final class OptionNames {

  private static final List<Option> SPECS = List.of(
      new Option(
          "memoryBudget",
          "1m to 1024g",
          o -> o.memoryBudget(),
          (b, text) -> b.memoryBudget(Option.parseBytes(text)),
          o -> o.memoryBudget() >= 1L << 20 && o.memoryBudget() <= 1L << 40),
      new Option(
          "logSegmentBytes",
          "0, or 16k to 1g",
          o -> o.logSegmentBytes(),
          (b, text) -> b.logSegmentBytes(Math.toIntExact(Option.parseBytes(text))),
          o -> o.logSegmentBytes() == 0
              || (o.logSegmentBytes() >= 1 << 14 && o.logSegmentBytes() <= 1 << 30)),
      new Option(
          "separationThreshold",
          "1 or more",
          o -> o.separationThreshold(),
          (b, text) -> b.separationThreshold(Math.toIntExact(Option.parseBytes(text))),
          o -> o.separationThreshold() >= 1),
      new Option(
          "defaultDurability",
          "BUFFERED, OS or SYNC",
          o -> o.defaultDurability(),
          (b, text) -> b.defaultDurability(Durability.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new Option(
          "memtable",
          "SORTED_RUNS, SKIP_LIST or MULTI_INSERT",
          o -> o.memtable(),
          (b, text) -> b.memtable(MemtableKind.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new Option(
          "memtableEntries",
          "0, or 16 to 67108864",
          o -> o.memtableEntries(),
          (b, text) -> b.memtableEntries(Math.toIntExact(Option.parseBytes(text))),
          o -> o.memtableEntries() == 0
              || (o.memtableEntries() >= 16 && o.memtableEntries() <= 1 << 26)),
      new Option(
          "pageBytes",
          "a power of two from 512 to 32768",
          o -> o.pageBytes(),
          (b, text) -> b.pageBytes(Math.toIntExact(Option.parseBytes(text))),
          o -> o.pageBytes() >= 512
              && o.pageBytes() <= 32768
              && Integer.bitCount(o.pageBytes()) == 1),
      new Option(
          "filterBitsPerKey",
          "0 to 30",
          o -> o.filterBitsPerKey(),
          (b, text) -> b.filterBitsPerKey(Math.toIntExact(Option.parseBytes(text))),
          o -> o.filterBitsPerKey() >= 0 && o.filterBitsPerKey() <= 30),
      new Option(
          "compression",
          "NONE, LZ4 or ZSTD",
          o -> o.compression(),
          (b, text) -> b.compression(Compression.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new Option(
          "verifyChecksums",
          "FIRST_READ or EVERY_READ",
          o -> o.verifyChecksums(),
          (b, text) -> b.verifyChecksums(VerifyChecksums.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new Option(
          "partitionBytes",
          "4k to 1024g",
          o -> o.partitionBytes(),
          (b, text) -> b.partitionBytes(Option.parseBytes(text)),
          o -> o.partitionBytes() >= 4096 && o.partitionBytes() <= 1L << 40),
      new Option(
          "runsPerPartition",
          "1 to 1000",
          o -> o.runsPerPartition(),
          (b, text) -> b.runsPerPartition(Math.toIntExact(Option.parseBytes(text))),
          o -> o.runsPerPartition() >= 1 && o.runsPerPartition() <= 1000),
      new Option(
          "deadFraction",
          "more than 0 and less than 1",
          o -> o.deadFraction(),
          (b, text) -> b.deadFraction(Double.parseDouble(text)),
          o -> o.deadFraction() > 0 && o.deadFraction() < 1),
      new Option(
          "l0Trigger",
          "0 to 1000",
          o -> o.l0Trigger(),
          (b, text) -> b.l0Trigger(Math.toIntExact(Option.parseBytes(text))),
          o -> o.l0Trigger() >= 0 && o.l0Trigger() <= 1000),
      new Option(
          "linkBytes",
          "0 or more",
          o -> o.linkBytes(),
          (b, text) -> b.linkBytes(Option.parseBytes(text)),
          o -> o.linkBytes() >= 0),
      new Option(
          "maxSpaceAmplification",
          "more than 1 and finite",
          o -> o.maxSpaceAmplification(),
          (b, text) -> b.maxSpaceAmplification(Double.parseDouble(text)),
          o -> o.maxSpaceAmplification() > 1
              && o.maxSpaceAmplification() < Double.POSITIVE_INFINITY),
      new Option(
          "restSpaceAmplification",
          "more than 1 and finite",
          o -> o.restSpaceAmplification(),
          (b, text) -> b.restSpaceAmplification(Double.parseDouble(text)),
          o -> o.restSpaceAmplification() > 1
              && o.restSpaceAmplification() < Double.POSITIVE_INFINITY),
      new Option(
          "backgroundThreads",
          "1 to 64",
          o -> o.backgroundThreads(),
          (b, text) -> b.backgroundThreads(Math.toIntExact(Option.parseBytes(text))),
          o -> o.backgroundThreads() >= 1 && o.backgroundThreads() <= 64),
      new Option(
          "directLog",
          "the path of a log device, or empty",
          o -> o.directLog().map(Path::toString).orElse(""),
          OptionNames::directLog,
          o -> true),
      new Option(
          "directLogFallback",
          "true or false",
          o -> o.directLogFallback(),
          (b, text) -> b.directLogFallback(Option.parseBoolean(text)),
          o -> true),
      new Option(
          "shards",
          "0 to 1024",
          o -> o.shards(),
          (b, text) -> b.shards(Math.toIntExact(Option.parseBytes(text))),
          o -> o.shards() >= 0 && o.shards() <= ShardRouter.SHARDS_MAX),
      new Option(
          "pinShards",
          "true or false",
          o -> o.pinShards(),
          (b, text) -> b.pinShards(Option.parseBoolean(text)),
          o -> true));

  private OptionNames() {}

  private static void directLog(RlsmOptions.Builder builder, String text) {
    if (!text.isEmpty()) {
      builder.directLog(Path.of(text));
    }
  }

  /** Throws if any option is out of range. Reports all problems at once. */
  static void check(RlsmOptions options) {
    List<String> problems = new ArrayList<>();
    for (Option spec : SPECS) {
      if (!spec.check().apply(options)) {
        problems.add(problem(spec, String.valueOf(spec.get().apply(options))));
      }
    }
    refuse(problems);
  }

  static RlsmOptions parse(Map<String, String> properties) {
    RlsmOptions.Builder builder = RlsmOptions.builder();
    List<String> problems = new ArrayList<>();
    properties.forEach((name, text) -> parse(builder, name, text, problems));
    if (problems.isEmpty()) {
      return builder.build();
    }
    try {
      builder.build();
    } catch (InvalidOptionsException e) {
      problems.addAll(e.problems());
    }
    throw new InvalidOptionsException(problems);
  }

  private static void parse(
      RlsmOptions.Builder builder, String name, String text, List<String> problems) {
    for (Option spec : SPECS) {
      if (spec.name().equals(name)) {
        try {
          spec.set().accept(builder, text.trim());
        } catch (IllegalArgumentException | ArithmeticException e) {
          problems.add(problem(spec, text));
        }
        return;
      }
    }
    String nearest = Option.nearest(name, SPECS);
    problems.add(
        "unknown option " + name + (nearest == null ? "" : "; did you mean " + nearest + "?"));
  }

  private static String problem(Option spec, String value) {
    return spec.name() + " is " + value + "; legal: " + spec.legal();
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  static SortedMap<String, String> format(RlsmOptions options) {
    SortedMap<String, String> properties = new TreeMap<>();
    for (Option spec : SPECS) {
      properties.put(spec.name(), String.valueOf(spec.get().apply(options)));
    }
    return properties;
  }

  /**
   * The specification of one option: how to parse, format and check it.
   *
   * @param name the name in properties, the same as the builder's method
   * @param legal the legal values, for error messages
   * @param get returns the value of the option
   * @param set parses text into a builder; throws IllegalArgumentException for malformed text
   * @param check whether the value is legal
   */
  private record Option(
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
    static @Nullable String nearest(String wrong, List<Option> specs) {
      String best = null;
      int bestDistance = Math.max(2, wrong.length() / 3) + 1;
      for (Option spec : specs) {
        int distance =
            distance(wrong.toLowerCase(Locale.ROOT), spec.name().toLowerCase(Locale.ROOT));
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
}
