// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs random histories on a store and on a {@link ModelStore}, and compares every result. Compares
 * the whole content at times and at the end. Shrinks a failing history and reports it with its
 * seed. {@link #storeFailuresIn} also stores it as a {@link KeptHistory}:
 *
 * <pre>{@code
 * @Test
 * void agreesWithTheModel(@TempDir Path directory) {
 *   OpMix mix = OpMix.usual().engineOperation("compact", 5, store -> ((MyStore) store).compact());
 *   new ModelCheck("tiny pages", tinyPages, mix).run(directory, 20);
 * }
 * }</pre>
 *
 * <p>The system property {@code rlsm.seed} is the seed of the first history. The seeds of the other
 * histories are derived from it.
 */
public final class ModelCheck {

  private static final int SHRINKING_RUNS = 400;

  private final String name;
  private final StoreFactory factory;
  private final OpMix mix;
  private @Nullable Path failures;

  /**
   * Creates a check.
   *
   * @param name the name of the store and its options in a report
   * @param factory opens the store
   * @param mix the operations of the histories
   */
  public ModelCheck(String name, StoreFactory factory, OpMix mix) {
    this.name = name;
    this.factory = factory;
    this.mix = mix;
  }

  /** Stores each failing history as a file in a directory, which is created if necessary. */
  public ModelCheck storeFailuresIn(Path folder) {
    failures = folder;
    return this;
  }

  /**
   * Runs the given number of histories, each with another seed.
   *
   * @param directory an empty directory; every run gets a separate directory below it
   * @throws AssertionError if a history fails
   */
  public void run(Path directory, int histories) {
    long seed = TestSeed.get();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < histories; i++) {
      runSeed(directory, seed);
      seed = seeds.nextLong();
    }
  }

  /**
   * Runs the history of one seed.
   *
   * @throws AssertionError if it fails
   */
  public void runSeed(Path directory, long seed) {
    OpSequence sequence = OpSequence.of(seed, mix, factory);
    Runs runs = new Runs(directory.resolve("seed" + seed), sequence.keys(), seed);
    ModelRun.Failure failure = runs.run(sequence.operations());
    if (failure == null) {
      return;
    }
    Shrinker shrinker = new Shrinker(runs::run, sequence.operations(), failure, SHRINKING_RUNS);
    shrinker.shrink();
    throw report(seed, failure, shrinker);
  }

  private AssertionError report(long seed, ModelRun.Failure first, Shrinker shrunk) {
    List<Op> operations = shrunk.operations();
    String stored = store(seed, operations, shrunk.failure().cause());
    StringBuilder text = new StringBuilder();
    text.append(name)
        .append(" disagrees with the model at operation ")
        .append(first.at())
        .append("\n")
        .append(TestSeed.howToReplay(seed))
        .append(stored)
        .append("\n")
        .append(operations.size())
        .append(" operations reproduce it:");
    IntStream.range(0, operations.size())
        .forEach(i -> text.append("\n  ").append(i).append(": ").append(operations.get(i)));
    text.append("\n").append(shrunk.failure().cause());
    AssertionError error = new AssertionError(text.toString(), shrunk.failure().cause());
    if (!first.cause().equals(shrunk.failure().cause())) {
      error.addSuppressed(first.cause());
    }
    return error;
  }

  /** Returns a sentence about the file. */
  private String store(long seed, List<Op> operations, Throwable failure) {
    Path folder = failures;
    if (folder == null) {
      return "";
    }
    Path file = folder.resolve("seed" + seed + ".txt").toAbsolutePath();
    String comment = "Found by " + name + ", seed " + seed + ": "
        + failure.toString().lines().findFirst().orElse("");
    KeptHistory history = new KeptHistory(factory.opening(seed), operations, List.of());
    try {
      Files.createDirectories(folder);
      Files.writeString(file, history.text(comment));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "\nstored in " + file + "; TESTING.md says how to keep it";
  }

  /** The runs of one seed. Each uses a separate directory, which is deleted after the run. */
  private final class Runs {

    private final Path directory;
    private final List<byte[]> keys;
    private final long seed;
    private int count;

    Runs(Path directory, List<byte[]> keys, long seed) {
      this.directory = directory;
      this.keys = keys;
      this.seed = seed;
    }

    ModelRun.@Nullable Failure run(List<Op> operations) {
      Path own = directory.resolveSibling(directory.getFileName() + "-" + count++);
      try {
        return new ModelRun(factory, own, operations, keys, factory.opening(seed)).run();
      } finally {
        delete(own);
      }
    }

    private static void delete(Path root) {
      if (!Files.exists(root)) {
        return;
      }
      try (Stream<Path> paths = Files.walk(root)) {
        for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
