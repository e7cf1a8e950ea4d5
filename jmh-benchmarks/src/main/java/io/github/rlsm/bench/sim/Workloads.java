// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.sim;

import io.github.rlsm.policy.PolicySettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Simulates several write patterns at one size. */
final class Workloads {

  private static final double GIB = 1L << 30;
  private static final double LIVE_BYTES = 16 * GIB;
  private static final double PUT_BYTES = 64 * GIB;

  private Workloads() {}

  /** The results as a Markdown table. */
  static String table(double entryBytes, int partitions) {
    double keys = LIVE_BYTES / entryBytes;
    double flush = PolicySettings.DEFAULT.flushBytes() / entryBytes;
    Map<String, Writes> all = new LinkedHashMap<>();
    all.put("new keys, random order", Writes.inserts());
    all.put("new keys, ascending", Writes.ordered(1));
    all.put("new keys by time, late by up to half a flush", Writes.ordered(flush / 2));
    all.put("a hot range of 8 flushes that drifts", Writes.ordered(8 * flush));
    all.put("16 GiB of keys, overwritten evenly", Writes.overwrites(keys));
    all.put("16 GiB of keys, zipfian (0.99), scattered", Writes.zipfian(keys, 0.99));
    all.put("16 GiB of keys, nine of ten writes to a tenth", new HotRange(keys, 0.1, 0.9));
    all.put("16 GiB of keys, 99 of 100 writes to a hundredth", new HotRange(keys, 0.01, 0.99));
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "%n## Other writes%n%n%.0f GiB put.%n%n| writes | written | runs over a key | most "
            + "| partitions | splits | merges | files / live |%n"
            + "|---|---:|---:|---:|---:|---:|---:|---:|%n",
        PUT_BYTES / GIB));
    all.forEach((name, writes) -> {
      Simulator simulator = new Simulator(writes, PolicySettings.DEFAULT, entryBytes, partitions);
      SimPoint point = simulator.play(PUT_BYTES);
      text.append(String.format(
          Locale.ROOT,
          "| %s | %.2f | %.1f | %d | %,.0f | %,.0f | %,.0f | %.2f |%n",
          name,
          point.writeAmplification(),
          point.depth().runs(),
          point.depth().runsMax(),
          point.layout().partitions(),
          point.layout().splits(),
          point.layout().merges(),
          point.space().spaceAmplification()));
    });
    return text.toString();
  }

  /** The simulation of a store in which all keys are deleted, as a Markdown table. */
  static String fullDelete(double entryBytes, int partitions) {
    Simulator simulator = new Simulator(
        new FullDelete(LIVE_BYTES / entryBytes), PolicySettings.DEFAULT, entryBytes, partitions);
    Map<String, SimPoint> points = new LinkedHashMap<>();
    points.put("all is put", simulator.play(LIVE_BYTES));
    for (int percent : new int[] {25, 50, 75, 90, 100}) {
      points.put(percent + " % is deleted", simulator.play(LIVE_BYTES * (1 + percent / 100.0)));
    }
    points.put("idle afterwards", simulator.rest());
    StringBuilder text = new StringBuilder(String.format(
        Locale.ROOT,
        "%n## A full delete%n%n%.0f GiB of new keys in random order, then a delete of each in "
            + "another order.%n%n| when | files, GiB | share of bytes put | written so far, GiB "
            + "| partitions | merges | runs in all |%n|---|---:|---:|---:|---:|---:|---:|%n",
        LIVE_BYTES / GIB));
    points.forEach((when, point) -> text.append(String.format(
        Locale.ROOT,
        "| %s | %.2f | %.1f %% | %.1f | %,.0f | %,.0f | %,.0f |%n",
        when,
        point.space().fileBytes() / GIB,
        100 * point.space().fileBytes() / LIVE_BYTES,
        point.writtenBytes() / GIB,
        point.layout().partitions(),
        point.layout().merges(),
        point.layout().runCount())));
    return text.toString();
  }
}
