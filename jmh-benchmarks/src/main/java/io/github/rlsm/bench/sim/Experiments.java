// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import io.github.rlsm.policy.PolicySettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Simulates inserts in random order with one setting at a time changed from its default. */
public final class Experiments {

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final double GIB = 1024.0 * MIB;

  private Experiments() {}

  /** A Markdown table for entries of one size. */
  public static String table(double entryBytes, int partitions) {
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "%n## Entries of %.0f B on disk%n%n| setting | written, 10 GiB | runs | written, 1 TiB "
            + "| runs | partitions | runs in all |%n|---|---:|---:|---:|---:|---:|---:|%n",
        entryBytes));
    variants().forEach((name, settings) -> {
      Simulator simulator =
          new Simulator(Writes.inserts(), settings, entryBytes, partitions, false);
      simulator.play(5 * GIB);
      SimPoint small = simulator.play(10 * GIB);
      simulator.play(512 * GIB);
      SimPoint large = simulator.play(1024 * GIB);
      text.append(String.format(
          Locale.ROOT,
          "| %s | %.2f | %.1f | %.2f | %.1f | %,.0f | %,.0f |%n",
          name,
          small.writeAmplification(),
          small.depth().runs(),
          large.writeAmplification(),
          large.depth().runs(),
          large.layout().partitions(),
          large.layout().runCount()));
    });
    return text.toString();
  }

  private static Map<String, PolicySettings> variants() {
    Map<String, PolicySettings> all = new LinkedHashMap<>();
    all.put("defaults", of(4, 120, 8, 256));
    for (int runs : new int[] {2, 3, 4, 6, 12, 16}) {
      all.put("runCountMax " + runs, of(4, 120, runs, 256));
    }
    for (int trigger : new int[] {8, 16, 32}) {
      all.put("l0Trigger = victimCountMin = " + trigger, of(trigger, 120, 8, 256));
    }
    for (long link : new long[] {0, 64, 1024, 4096}) {
      all.put("linkBytesMin " + link + " KiB", of(4, 120, 8, link));
    }
    for (long mib : new long[] {32, 64, 256, 512}) {
      all.put("partitionBytesMax " + mib + " MiB", of(4, mib, 8, 256));
    }
    return all;
  }

  private static PolicySettings of(int trigger, long partitionMib, int runs, long linkKib) {
    PolicySettings d = PolicySettings.DEFAULT;
    return new PolicySettings(
        new PolicySettings.Level0(
            trigger, trigger, Math.max(d.compactBytesMax(), 64L * MIB * (trigger + 1))),
        new PolicySettings.Partitions(
            partitionMib * MIB / 8, partitionMib * MIB, d.newRangeEntriesMin()),
        new PolicySettings.Runs(runs, linkKib * KIB, d.deadFractionMax(), d.pinnedFractionMax()),
        d.flushBytes(),
        d.parallelism());
  }
}
