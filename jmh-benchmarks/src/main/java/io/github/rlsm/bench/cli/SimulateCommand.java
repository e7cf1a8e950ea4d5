// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.cli;

import io.github.rlsm.bench.sim.Experiments;
import io.github.rlsm.bench.sim.SimPoint;
import io.github.rlsm.bench.sim.SimulationReport;
import io.github.rlsm.bench.sim.Simulator;
import io.github.rlsm.bench.sim.Writes;
import io.github.rlsm.policy.PolicySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code ./bench simulate}. */
@Command(
    name = "simulate",
    description = "Simulates the compaction policies on metadata, with models of other stores.",
    mixinStandardHelpOptions = true)
final class SimulateCommand implements Callable<Integer> {

  private static final double GIB = 1 << 30;

  @Option(names = "--from", description = "smallest store in GiB (default: ${DEFAULT-VALUE})")
  private double from = 1;

  @Option(names = "--to", description = "largest store in GiB (default: ${DEFAULT-VALUE})")
  private double to = 102_400;

  @Option(names = "--entry-bytes", description = "size of entries (default: ${DEFAULT-VALUE})")
  private double entryBytes = 120;

  @Option(names = "--partitions", description = "simulated partitions (default: ${DEFAULT-VALUE})")
  private int partitions = 16;

  @Option(names = "--experiments", description = "also vary single settings, for two entry sizes")
  private boolean experiments;

  @Mixin
  private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws Exception {
    List<SimPoint> points = play(true);
    Path directory = output.directory();
    SimulationReport.write(directory, output.command(), entryBytes, points, play(false), (double)
        PolicySettings.DEFAULT.flushBytes());
    if (experiments) {
      String text = "# Simulation: effect of each setting on inserts in random order\n\nMade by `"
          + output.command()
          + "`.\n"
          + Experiments.table(120, partitions)
          + Experiments.table(36, partitions);
      Files.writeString(directory.resolve("experiments.md"), text);
    }
    System.out.println(directory);
    return 0;
  }

  private List<SimPoint> play(boolean grows) {
    Simulator simulator =
        new Simulator(Writes.inserts(), PolicySettings.DEFAULT, entryBytes, partitions, grows);
    List<SimPoint> points = new ArrayList<>();
    for (double size = from; size < 2 * to; size *= 2) {
      SimPoint point = simulator.play(Math.min(size, to) * GIB);
      points.add(point);
      System.out.printf(
          Locale.ROOT,
          "%,.0f GiB: written %.2f times, %.1f runs over a key%n",
          point.putBytes() / GIB,
          point.writeAmplification(),
          point.depth().runs());
    }
    return points;
  }
}
