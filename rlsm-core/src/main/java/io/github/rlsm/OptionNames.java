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

/** The table of all options by name: parser, formatter and range check of each. */
final class OptionNames {

  private static final List<OptionSpec> SPECS = List.of(
      new OptionSpec(
          "memoryBudget",
          "1m to 1024g",
          o -> o.memoryBudget(),
          (b, text) -> b.memoryBudget(OptionSpec.parseBytes(text)),
          o -> o.memoryBudget() >= 1L << 20 && o.memoryBudget() <= 1L << 40),
      new OptionSpec(
          "logSegmentBytes",
          "0, or 16k to 1g",
          o -> o.logSegmentBytes(),
          (b, text) -> b.logSegmentBytes(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.logSegmentBytes() == 0
              || (o.logSegmentBytes() >= 1 << 14 && o.logSegmentBytes() <= 1 << 30)),
      new OptionSpec(
          "separationThreshold",
          "1 or more",
          o -> o.separationThreshold(),
          (b, text) -> b.separationThreshold(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.separationThreshold() >= 1),
      new OptionSpec(
          "defaultDurability",
          "BUFFERED, OS or SYNC",
          o -> o.defaultDurability(),
          (b, text) -> b.defaultDurability(Durability.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new OptionSpec(
          "memtable",
          "SORTED_RUNS, SKIP_LIST or MULTI_INSERT",
          o -> o.memtable(),
          (b, text) -> b.memtable(MemtableKind.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new OptionSpec(
          "memtableEntries",
          "0, or 16 to 67108864",
          o -> o.memtableEntries(),
          (b, text) -> b.memtableEntries(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.memtableEntries() == 0
              || (o.memtableEntries() >= 16 && o.memtableEntries() <= 1 << 26)),
      new OptionSpec(
          "pageBytes",
          "a power of two from 512 to 32768",
          o -> o.pageBytes(),
          (b, text) -> b.pageBytes(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.pageBytes() >= 512
              && o.pageBytes() <= 32768
              && Integer.bitCount(o.pageBytes()) == 1),
      new OptionSpec(
          "filterBitsPerKey",
          "0 to 30",
          o -> o.filterBitsPerKey(),
          (b, text) -> b.filterBitsPerKey(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.filterBitsPerKey() >= 0 && o.filterBitsPerKey() <= 30),
      new OptionSpec(
          "compression",
          "NONE, LZ4 or ZSTD",
          o -> o.compression(),
          (b, text) -> b.compression(Compression.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new OptionSpec(
          "verifyChecksums",
          "FIRST_READ or EVERY_READ",
          o -> o.verifyChecksums(),
          (b, text) -> b.verifyChecksums(VerifyChecksums.valueOf(text.toUpperCase(Locale.ROOT))),
          o -> true),
      new OptionSpec(
          "partitionBytes",
          "4k to 1024g",
          o -> o.partitionBytes(),
          (b, text) -> b.partitionBytes(OptionSpec.parseBytes(text)),
          o -> o.partitionBytes() >= 4096 && o.partitionBytes() <= 1L << 40),
      new OptionSpec(
          "runsPerPartition",
          "1 to 1000",
          o -> o.runsPerPartition(),
          (b, text) -> b.runsPerPartition(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.runsPerPartition() >= 1 && o.runsPerPartition() <= 1000),
      new OptionSpec(
          "deadFraction",
          "more than 0 and less than 1",
          o -> o.deadFraction(),
          (b, text) -> b.deadFraction(Double.parseDouble(text)),
          o -> o.deadFraction() > 0 && o.deadFraction() < 1),
      new OptionSpec(
          "l0Trigger",
          "0 to 1000",
          o -> o.l0Trigger(),
          (b, text) -> b.l0Trigger(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.l0Trigger() >= 0 && o.l0Trigger() <= 1000),
      new OptionSpec(
          "linkBytes",
          "0 or more",
          o -> o.linkBytes(),
          (b, text) -> b.linkBytes(OptionSpec.parseBytes(text)),
          o -> o.linkBytes() >= 0),
      new OptionSpec(
          "maxSpaceAmplification",
          "more than 1 and finite",
          o -> o.maxSpaceAmplification(),
          (b, text) -> b.maxSpaceAmplification(Double.parseDouble(text)),
          o -> o.maxSpaceAmplification() > 1
              && o.maxSpaceAmplification() < Double.POSITIVE_INFINITY),
      new OptionSpec(
          "backgroundThreads",
          "1 to 64",
          o -> o.backgroundThreads(),
          (b, text) -> b.backgroundThreads(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.backgroundThreads() >= 1 && o.backgroundThreads() <= 64),
      new OptionSpec(
          "directLog",
          "the path of a log device, or empty",
          o -> o.directLog().map(Path::toString).orElse(""),
          OptionNames::directLog,
          o -> true),
      new OptionSpec(
          "directLogFallback",
          "true or false",
          o -> o.directLogFallback(),
          (b, text) -> b.directLogFallback(OptionSpec.parseBoolean(text)),
          o -> true),
      new OptionSpec(
          "shards",
          "0 to 1024",
          o -> o.shards(),
          (b, text) -> b.shards(Math.toIntExact(OptionSpec.parseBytes(text))),
          o -> o.shards() >= 0 && o.shards() <= ShardRouter.SHARDS_MAX),
      new OptionSpec(
          "pinShards",
          "true or false",
          o -> o.pinShards(),
          (b, text) -> b.pinShards(OptionSpec.parseBoolean(text)),
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
    for (OptionSpec spec : SPECS) {
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
    for (OptionSpec spec : SPECS) {
      if (spec.name().equals(name)) {
        try {
          spec.set().accept(builder, text.trim());
        } catch (IllegalArgumentException | ArithmeticException e) {
          problems.add(problem(spec, text));
        }
        return;
      }
    }
    String nearest = OptionSpec.nearest(name, SPECS);
    problems.add(
        "unknown option " + name + (nearest == null ? "" : "; did you mean " + nearest + "?"));
  }

  private static String problem(OptionSpec spec, String value) {
    return spec.name() + " is " + value + "; legal: " + spec.legal();
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }

  static SortedMap<String, String> format(RlsmOptions options) {
    SortedMap<String, String> properties = new TreeMap<>();
    for (OptionSpec spec : SPECS) {
      properties.put(spec.name(), String.valueOf(spec.get().apply(options)));
    }
    return properties;
  }
}
