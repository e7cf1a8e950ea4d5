// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * T13 of the test plan: a process under mixed load has no leak. After a warm-up of a third of the
 * time, the curves of memory, descriptors, threads, mappings and space are flat.
 *
 * <p>{@code rlsm.t13.minutes} sets the duration. By default the load runs for a few rounds, which
 * tests only the test itself. The samples go to {@code target/soak.tsv}.
 */
@EnabledOnOs(OS.LINUX)
class SoakTest {

  private static final int MINUTES = Proof.count("t13.minutes", 0);
  private static final int ROUNDS_MIN = 3;
  private static final int OPERATIONS = MINUTES == 0 ? 1_000 : 10_000;
  private static final Path SAMPLES = Path.of("target", "soak.tsv");

  /**
   * The heap is resident from the start. Otherwise resident memory grows while the heap reaches new
   * pages, and this growth hides other growth.
   */
  private static final List<String> TOUCHED =
      List.of("env", "JAVA_TOOL_OPTIONS=-Xms256m -XX:+AlwaysPreTouch");

  @TempDir
  Path temporary;

  private final Map<SoakMeasure, SoakCurve> curves = new EnumMap<>(SoakMeasure.class);

  @Test
  void curvesAreFlat() throws Exception {
    long seed = TestSeed.get();
    for (SoakMeasure measure : SoakMeasure.values()) {
      curves.put(measure, new SoakCurve());
    }
    long operations;
    try (ChildJvm child = child(seed);
        BufferedWriter samples = samples()) {
      operations = sample(child, samples);
      child.say(0);
      while (child.report().isPresent()) {
        // The round in progress.
      }
      assertThat(child.exitCode())
          .as(() -> TestSeed.howToReplay(seed) + errors(child))
          .isZero();
    }
    assertThat(operations).isPositive();
    curves.forEach((measure, curve) -> print(measure, curve));
    if (MINUTES > 0) {
      curves.forEach((measure, curve) -> assertThat(Math.abs(curve.growth()))
          .as("growth of %s after warm-up", measure)
          .isLessThan(measure.growthMax(curve.median())));
    }
    Proof.ran("T13", "minutes of mixed load", MINUTES);
    Proof.ran("T13", "operations under mixed load", operations);
  }

  private ChildJvm child(long seed) throws IOException {
    List<String> arguments = List.of(
        temporary.resolve("store").toString(), String.valueOf(seed), String.valueOf(OPERATIONS));
    return ChildJvm.start(TOUCHED, SoakChild.class, arguments, temporary.resolve("errors"));
  }

  private static BufferedWriter samples() throws IOException {
    Files.createDirectories(SAMPLES.toAbsolutePath().getParent());
    BufferedWriter samples = Files.newBufferedWriter(SAMPLES, UTF_8);
    samples.write("minutes\toperations\t"
        + Arrays.stream(SoakMeasure.values()).map(Enum::name).collect(Collectors.joining("\t"))
        + "\n");
    return samples;
  }

  /** Reads samples until the time is over. Returns the number of operations. */
  private long sample(ChildJvm child, BufferedWriter samples) throws IOException {
    long start = System.nanoTime();
    long operations = 0;
    double hours = 0;
    for (int round = 0; round < ROUNDS_MIN || hours * 60 < MINUTES; round++) {
      OptionalLong first = child.report();
      assertThat(first).as(() -> errors(child)).isPresent();
      operations = first.getAsLong();
      hours = (System.nanoTime() - start) / (double) TimeUnit.HOURS.toNanos(1);
      StringBuilder line = new StringBuilder();
      line.append(String.format(Locale.ROOT, "%.3f\t%d", hours * 60, operations));
      for (SoakMeasure measure : SoakMeasure.values()) {
        long value = child.report().orElseThrow();
        curves.get(measure).add(hours, (double) value);
        line.append('\t').append(value);
      }
      samples.write(line.append('\n').toString());
      samples.flush();
    }
    return operations;
  }

  private static String errors(ChildJvm child) {
    try {
      return child.errors();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void print(SoakMeasure measure, SoakCurve curve) {
    System.out.printf(
        Locale.ROOT,
        "soak %-12s median %,12.0f  min %,12.0f  max %,12.0f  slope %,12.0f an hour%n",
        measure,
        curve.median(),
        curve.min(),
        curve.max(),
        curve.slope());
  }

  /** Noise and outliers are not growth. A leak is. */
  @Test
  void detectsLeak() {
    Random random = new Random(1);
    SoakCurve flat = new SoakCurve();
    SoakCurve leak = new SoakCurve();
    for (int i = 0; i < 500; i++) {
      double noise = random.nextInt(10) == 0 ? 60 : random.nextInt(5);
      flat.add(i / 100.0, 100 + noise);
      leak.add(i / 100.0, 100 + noise + Math.floorDiv(i, 20));
    }
    double max = SoakMeasure.DESCRIPTORS.growthMax(flat.median());
    assertThat(flat.growth()).isBetween(-2.0, 2.0).isLessThan(max);
    assertThat(leak.growth()).isGreaterThan(max);
  }
}
