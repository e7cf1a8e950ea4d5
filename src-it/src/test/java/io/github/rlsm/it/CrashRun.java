// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.ForcedContent;
import io.github.rlsm.LogDevice;
import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.it.HistoryChild.Arguments;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one store through a chain of crashes. A child writes and dies. Then this process opens the
 * store, and compares it with the acknowledged operations. The next child continues from there.
 *
 * <p>Threads: one.
 */
final class CrashRun {

  private final Path directory;
  private final int shards;
  private final boolean onDevice;
  private final boolean loses;
  private final Random random;
  private final long seed;
  private final History[] histories;
  private final long[] counts;
  private final List<NavigableMap<Entry, byte[]>> models = new ArrayList<>();
  private final CrashStatistics figures;

  /**
   * Creates a run.
   *
   * @param shards number of shards; 0 for a store without shards
   * @param onDevice whether the log is on log devices, at the path {@code device} beside the
   *     directory; they are files unless the path is a device
   * @param loses whether unforced bytes of log segments are discarded after a kill, as a power loss
   *     may do; then only {@code SYNC} writes must survive. Not with shards, because a {@code SYNC}
   *     write promises nothing about earlier writes to other shards
   */
  CrashRun(
      Path directory,
      int shards,
      boolean onDevice,
      boolean loses,
      Random random,
      CrashStatistics figures) {
    this.directory = directory;
    this.shards = shards;
    this.onDevice = onDevice;
    this.loses = loses;
    this.random = random;
    this.figures = figures;
    seed = random.nextLong();
    histories = new History[1 + random.nextInt(4)];
    counts = new long[histories.length];
    for (int i = 0; i < histories.length; i++) {
      histories[i] = new History(seed, i);
      models.add(new TreeMap<>());
    }
    for (int i = 0; onDevice && i < Math.max(1, shards); i++) {
      String suffix = shards == 0 ? "" : String.format(Locale.ROOT, "-%04d", i);
      LogDevice.at(directory.resolveSibling("device" + suffix))
          .init(LogDevice.BYTES_MIN << random.nextInt(7), Set.of("rlsm"));
    }
  }

  private String drawOptions() {
    Map<String, String> options = RandomOptions.draw(random);
    // Sometimes the options omit the device: recovery then finds it by the note LOG-DEVICE.
    if (onDevice && random.nextInt(4) > 0) {
      options.put("directLog", directory.resolveSibling("device").toString());
    }
    return RandomOptions.format(options);
  }

  /**
   * The death of a child: the first of these events.
   *
   * @param haltAt the child halts at the file-changing call with this number
   * @param acknowledgements the child is killed after this number of acknowledgements
   * @param openingMicros the child is killed this time after it began to open the store
   */
  record Death(long haltAt, long acknowledgements, OptionalLong openingMicros) {}

  /** Runs a child until its death, then checks the store. */
  void crash(Death death) throws IOException, InterruptedException {
    String options = drawOptions();
    Acknowledged acknowledged =
        new Acknowledged(histories, counts, loses ? CrashRun::isForced : CrashRun::isStored);
    String story = death + ", options " + options + ", from " + Arrays.toString(counts);
    try {
      live(death, options, acknowledged);
      check(acknowledged);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(story + ", in " + directory, e);
    }
    figures.crashes++;
    figures.acknowledgements += acknowledged.total();
  }

  /** Whether an operation survives the death of its process. */
  private static boolean isStored(Operation operation) {
    return operation.durability() != Durability.BUFFERED;
  }

  /** Whether an operation survives power loss. A conditional write that fails forces nothing. */
  private static boolean isForced(Operation operation) {
    return operation.durability() == Durability.SYNC
        && operation.kind() != Operation.Kind.IF_ABSENT;
  }

  private void live(Death death, String options, Acknowledged acknowledged)
      throws IOException, InterruptedException {
    Arguments arguments = new Arguments(
        directory,
        seed,
        death.haltAt,
        options,
        shards,
        loses,
        Arrays.stream(counts).boxed().toList());
    deleteAll(arguments.copies());
    Path errors = directory.resolveSibling("errors");
    Path natives = directory.resolveSibling("natives");
    deleteAll(natives);
    Files.createDirectories(natives);
    try (ChildJvm child = ChildArchive.shared()
        .start(
            ChildJvm.nativesIn(natives), HistoryChild.class, List.of(arguments.format()), errors)) {
      for (OptionalLong next = child.report(); next.isPresent(); next = child.report()) {
        long report = next.getAsLong();
        if (report == HistoryChild.OPENING && death.openingMicros.isPresent()) {
          if (!child.endsWithin(death.openingMicros.getAsLong())) {
            child.kill();
          }
        } else if (report >= 0) {
          acknowledged.add(HistoryChild.thread(report), HistoryChild.count(report));
          if (acknowledged.total() == death.acknowledgements) {
            child.kill();
          }
        }
      }
      assertThat(child.exitCode()).as(child.errors()).isEqualTo(ChildJvm.KILLED);
    }
    if (loses && ForcedContent.restore(arguments.copies(), directory) > 0) {
      figures.losses++;
    }
  }

  /**
   * Checks the store, either in its directory or in a copy. The other one keeps the state that the
   * crash left.
   */
  private void check(Acknowledged acknowledged) throws IOException {
    Path copy = directory.resolveSibling("copy");
    deleteAll(copy);
    copyAll(directory, copy);
    // Opening a copy would clear the device.
    Path checked = !onDevice && random.nextBoolean() ? copy : directory;
    String options = drawOptions();
    long start = System.nanoTime();
    RlsmOptions parsed = RandomOptions.parse(options + ",shards=" + shards);
    try (KvStore store = Rlsm.open(checked, parsed)) {
      figures.opened(System.nanoTime() - start);
      CrashStore found = CrashStore.of(store);
      match(found, acknowledged);
      checkPointReads(found);
      if (loses && onDevice && needsRing(copy)) {
        figures.ringsNeeded++;
      }
      if (shards == 0) {
        checkFiles(store, found);
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("opened " + checked + " with " + options, e);
    }
  }

  /** Whether a copy of the store without its log device lacks data or cannot be opened. */
  private boolean needsRing(Path copy) throws IOException {
    if (shards > 0 || !Files.deleteIfExists(copy.resolve(StoreFileName.LOG_DEVICE))) {
      return false;
    }
    RlsmOptions options = RandomOptions.parse(RandomOptions.format(RandomOptions.draw(random)));
    try (KvStore store = Rlsm.open(copy, options)) {
      return differs(CrashStore.of(store)).isPresent();
    } catch (CorruptionException e) {
      return true; // a forced write promises more than the segments have
    }
  }

  private void checkFiles(KvStore store, CrashStore found) {
    store.verify();
    if (random.nextInt(4) == 0) {
      store.settle();
      store.verify();
      checkEqual(found);
    }
  }

  /** Finds the length of each thread's history in the store, and moves the model to it. */
  private void match(CrashStore found, Acknowledged acknowledged) {
    List<NavigableMap<Entry, byte[]>> contents = found.contents(histories.length);
    for (int i = 0; i < histories.length; i++) {
      long promised = acknowledged.promised(i);
      while (counts[i] < promised) {
        step(i);
      }
      String first = difference(models.get(i), contents.get(i));
      String last = first;
      while (last != null && counts[i] < acknowledged.possible(i)) {
        step(i);
        last = difference(models.get(i), contents.get(i));
      }
      assertThat(last)
          .as(
              "thread %d: not a prefix of %d to %d operations; against the shortest %s; against"
                  + " the longest",
              i, promised, acknowledged.possible(i), first)
          .isNull();
    }
  }

  private void step(int thread) {
    histories[thread].at(counts[thread]).apply(models.get(thread));
    counts[thread]++;
  }

  private void checkEqual(CrashStore found) {
    assertThat(differs(found)).isEmpty();
  }

  /** The differences between a store and the models of all threads. */
  private Optional<String> differs(CrashStore found) {
    List<NavigableMap<Entry, byte[]>> contents = found.contents(histories.length);
    return IntStream.range(0, histories.length)
        .mapToObj(i -> difference(models.get(i), contents.get(i)))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private void checkPointReads(CrashStore found) {
    for (int i = 0; i < histories.length; i++) {
      for (int number = random.nextInt(3); number < History.KEYS; number += 3) {
        Entry entry = Entry.of(random.nextInt(2), i, number);
        assertThat(found.keyspace(entry).get(entry.keyBytes()))
            .as("%s", entry)
            .isEqualTo(models.get(i).get(entry));
      }
    }
  }

  /** A description of the first few differences; null without differences. */
  private static @Nullable String difference(
      NavigableMap<Entry, byte[]> expected, NavigableMap<Entry, byte[]> found) {
    List<String> differences = new ArrayList<>();
    Map<Entry, byte[]> more = new HashMap<>(found);
    expected.forEach((entry, value) -> {
      byte[] other = more.remove(entry);
      if (other == null) {
        differences.add(entry + " is missing");
      } else if (!Arrays.equals(value, other)) {
        differences.add(
            entry + " has a wrong value of " + other.length + " bytes, expected " + value.length);
      }
    });
    more.keySet().forEach(entry -> differences.add(entry + " is unexpected"));
    return differences.isEmpty()
        ? null
        : differences.size() + ": " + differences.stream().limit(5).toList();
  }

  static void deleteAll(Path directory) throws IOException {
    if (Files.exists(directory)) {
      for (Path file : files(directory)) {
        if (Files.isDirectory(file)) {
          deleteAll(file);
        } else {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
  }

  static void copyAll(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    if (Files.exists(from)) {
      for (Path file : files(from)) {
        Path copy = to.resolve(file.getFileName().toString());
        if (Files.isDirectory(file)) {
          copyAll(file, copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
