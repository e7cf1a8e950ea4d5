// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.background.BackgroundWork;
import io.github.rlsm.background.StoreFiles;
import io.github.rlsm.background.StoreMemory;
import io.github.rlsm.compact.CompactionJob;
import io.github.rlsm.compact.Levels;
import io.github.rlsm.compact.PartitionShapes;
import io.github.rlsm.compact.TableFactory;
import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.logdevice.DirectLog;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.policy.CollectSettings;
import io.github.rlsm.policy.PartitionShape;
import io.github.rlsm.policy.Plan;
import io.github.rlsm.policy.PolicySettings;
import io.github.rlsm.policy.StallPolicy;
import io.github.rlsm.read.SnapshotHandle;
import io.github.rlsm.table.Table;
import io.github.rlsm.table.TableWriter;
import io.github.rlsm.thread.Environment;
import io.github.rlsm.thread.ManualScheduler;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.Run;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import io.github.rlsm.versionset.PinnedVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule of writes, deletes, snapshots, flushes, compactions, cleans, collections and
 * crashes on few keys. The test runs all background work by hand, a piece at a time. In addition to
 * the engine's decisions, it cleans partitions and moves values at random, with other writes
 * between the reading and the installation.
 *
 * <p>Values count up, so that a stale value differs from the right one.
 */
final class CollectRun {

  /** A bug: a rule that the run breaks. */
  enum Bug {
    /** No bug: the run must pass. */
    NONE("nothing"),
    /** A rewrite drops tombstones although older runs lie beneath. */
    EARLY_TOMBSTONE("key\\d+ is \\d+, not null|found \\{.*\\}, not \\{|none of the last"),
    /** A segment is deleted although pointers still lead into it. */
    EARLY_FREE(
        "a value pointer names it|which the manifest does not know|but a table points into it"),
    /** Values become holes before the tables that point to them are deleted. */
    EARLY_HOLE("corrupt data in val-\\d+\\.log at offset \\d+: the record "),
    /** Bytes that a move on top already counted as dead are counted again. */
    COUNTED_TWICE(
        "dead bytes to value-log segment|the account says|which the manifest does not know"),
    /** Moved values are not forced before tables point to them. */
    NO_FORCE("corrupt data in val-\\d+\\.log");

    private final String symptom;

    Bug(String symptom) {
      this.symptom = symptom;
    }

    /** A regular expression for the expected failure. Any other failure is an error of the test. */
    String symptom() {
      return symptom;
    }
  }

  private static final byte[] PREFIX = {0};
  private static final int KEYS = 12;
  private static final int SEPARATION_BYTES = 40;

  private static final PolicySettings POLICY = new PolicySettings(
      new PolicySettings.Level0(1, 1, 1 << 20),
      new PolicySettings.Partitions(512, 4096, 1),
      new PolicySettings.Runs(3, 200, 0.5, 0.5),
      64L << 20,
      1);

  private static EngineOpening.Settings settings(double maxSpaceAmplification) {
    return new EngineOpening.Settings(
        new StoreFiles.Settings(
            new TableWriter.Settings(512, 10, TableWriter.Settings.DEFAULT.compression()),
            1 << 20,
            0,
            true,
            2048),
        new StoreMemory.Settings(
            2048,
            SEPARATION_BYTES,
            new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, 16, 16, 1),
            100),
        new BackgroundWork.Settings(
            POLICY,
            new CollectSettings(
                maxSpaceAmplification, maxSpaceAmplification, 0.9, 96 << 20, 128 << 20, 1 << 30),
            new StallPolicy.Limits(1000, 10_000, 1L << 40, 0.9, 1 << 30, 0),
            1),
        DirectLog.Settings.NONE,
        Map.of());
  }

  private final SplittableRandom random;
  private final Bug bug;

  /** In half of the runs the engine also frees segments by its own decision. */
  private final EngineOpening.Settings settings;

  /**
   * The value of each key after each write since the last durable state. The last element is the
   * current state.
   */
  private final List<TreeMap<String, Integer>> states = new ArrayList<>(List.of(new TreeMap<>()));

  private final List<Moment> moments = new ArrayList<>();
  private SimulatedDirectory directory = new SimulatedDirectory();
  private ManualScheduler scheduler = new ManualScheduler();
  private Engine engine;
  private int lastValue;
  private long freed;

  /** A snapshot and its expected content. */
  private record Moment(SnapshotHandle handle, Map<String, Integer> state) {}

  CollectRun(long seed, Bug bug) {
    this.random = new SplittableRandom(seed);
    this.bug = bug;
    this.settings = settings(random.nextBoolean() ? 1 : 1e9);
    directory.holeBytes(1 << random.nextInt(3, 12));
    // In every second store, values do not fit in memory, so flushes sort them.
    directory.memoryBytes((seed & 1) == 0 ? 0 : Long.MAX_VALUE);
    open();
  }

  private void open() {
    scheduler = new ManualScheduler();
    engine = Engine.open(
        engineDirectory(),
        settings,
        new Environment(() -> 0, new SplittableRandom(random.nextLong()), scheduler));
  }

  /** The directory, or one that omits the force of moved values. */
  private StoreDirectory engineDirectory() {
    return bug == Bug.NO_FORCE ? Unforced.moves(directory) : directory;
  }

  /** Runs the given number of steps, and checks. Returns the number of freed segments. */
  long run(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
      checkKey();
    }
    settle();
    checkAll();
    close();
    return freed;
  }

  private void step() {
    int draw = random.nextInt(1000);
    if (draw < 420) {
      write();
    } else if (draw < 520) {
      background();
    } else if (draw < 640) {
      move();
    } else if (draw < 900) {
      scheduler.runCompactTask();
    } else if (draw < 927) {
      scheduler.runFlushTask();
    } else if (draw < 930) {
      scheduler.elapse();
    } else if (draw < 945) {
      snapshot();
    } else if (draw < 960) {
      clean();
    } else if (draw < 975) {
      seal();
    } else if (draw < 983) {
      settle();
    } else if (draw < 989) {
      engine.writes.sync();
      safe();
    } else if (draw < 993) {
      checkAll();
    } else {
      crash();
    }
    checkErrors();
  }

  private void checkErrors() {
    if (engine.background.errors().isSet()) {
      engine.background.errors().check();
    }
  }

  /** Flushes sealed components, so that no write waits for a flush that never runs. */
  private void background() {
    while (engine.memory.sealedCount() > 0 && scheduler.runFlushTask()) {
      // Runs one task at a time.
    }
  }

  private void write() {
    if (engine.memory.sealedCount() > 2) {
      background();
    }
    String key = "key" + random.nextInt(KEYS);
    byte[] bytes = key.getBytes(US_ASCII);
    TreeMap<String, Integer> next = new TreeMap<>(states.get(states.size() - 1));
    Durability durability = random.nextInt(20) == 0 ? Durability.SYNC : Durability.BUFFERED;
    if (random.nextInt(3) == 0) {
      next.remove(key);
      states.add(next);
      engine.delete(WriteScratch.of(PREFIX, bytes, 0, bytes.length), durability);
    } else {
      next.put(key, ++lastValue);
      states.add(next);
      byte[] value = value(lastValue);
      engine.put(
          WriteScratch.of(PREFIX, bytes, 0, bytes.length), value, 0, value.length, durability);
    }
    if (durability == Durability.SYNC) {
      safe();
    }
  }

  private static byte[] value(int number) {
    byte[] value = new byte[number % 5 == 0 ? 10 : 60 + number % 300];
    Arrays.fill(value, (byte) number);
    byte[] digits = Integer.toString(number).getBytes(US_ASCII);
    System.arraycopy(digits, 0, value, 0, digits.length);
    return value;
  }

  /** Notes that the current state survives every crash. */
  private void safe() {
    states.subList(0, states.size() - 1).clear();
  }

  private void snapshot() {
    if (moments.size() > 2 || (!moments.isEmpty() && random.nextBoolean())) {
      Moment closed = moments.remove(random.nextInt(moments.size()));
      check(closed);
      engine.release(closed.handle);
    } else {
      moments.add(new Moment(engine.snapshot(), states.get(states.size() - 1)));
    }
  }

  private void seal() {
    background();
    engine.active.seal();
  }

  /** Does all pending work. */
  private void settle() {
    seal();
    background();
    boolean more = true;
    while (more) {
      more = scheduler.runCompactTask();
      background();
    }
  }

  /** Rewrites adjacent runs of a partition by hand, in ways that a planner may never choose. */
  private void clean() {
    PinnedVersion<Table> files = engine.files.versions().pin();
    try {
      List<PartitionShape> partitions =
          new Levels(files, new PartitionShapes()).shape().l1();
      if (partitions.isEmpty()) {
        return;
      }
      PartitionShape partition = partitions.get(random.nextInt(partitions.size()));
      int runs = partition.runs().size();
      int from = bug == Bug.EARLY_TOMBSTONE ? runs - 1 : random.nextInt(runs);
      boolean drops = from == 0 || bug == Bug.EARLY_TOMBSTONE;
      int to = random.nextBoolean() ? runs : random.nextInt(from, runs) + 1;
      install(files, new Plan.Clean(partition, from, to, drops, Plan.Clean.Reason.RUNS));
    } finally {
      files.unpin();
    }
  }

  /** Moves the values of random segments out of a random partition. */
  private void move() {
    PinnedVersion<Table> files = engine.files.versions().pin();
    try {
      List<PartitionShape> partitions =
          new Levels(files, new PartitionShapes()).shape().l1();
      Set<Integer> segments = new HashSet<>();
      for (SegmentAccount account : files.version().segments()) {
        if (random.nextInt(3) > 0) {
          segments.add(account.number());
        }
      }
      if (partitions.isEmpty() || segments.isEmpty()) {
        return;
      }
      PartitionShape partition = partitions.get(random.nextInt(partitions.size()));
      int runs = partition.runs().size();
      int from = random.nextInt(runs);
      Plan.Clean.Reason reason =
          random.nextBoolean() ? Plan.Clean.Reason.VALUES : Plan.Clean.Reason.SPACE;
      boolean onTop = bug == Bug.COUNTED_TWICE || random.nextBoolean();
      install(
          files,
          new Plan.Clean(
              partition, from, runs, from == 0, reason, new Plan.Clean.Move(segments, 0, onTop)));
    } finally {
      files.unpin();
    }
  }

  /** Executes a plan, with other writes between its reading and its installation. */
  private void install(PinnedVersion<Table> files, Plan.Clean plan) {
    TableFactory tables = new TableFactory(
        engineDirectory(),
        settings.files().tables(),
        engine.files.versions().storeId(),
        1 << 20,
        engine.files.versions()::newFileNumber,
        new TableFactory.Control((cause, bytes) -> {}, () -> false));
    CompactionJob.ValuePlaces places = new CompactionJob.ValuePlaces(
        engine.files.values(), engine.memory.segments()::beginMoved, scheduler::compact, 2);
    CompactionJob job = new CompactionJob(files, tables, places);
    Function<Version, VersionEdit> edit = job.run(plan);
    Map<Integer, long[]> holes = job.holes().ranges();
    for (int writes = random.nextInt(4); writes > 0; writes--) {
      write();
    }
    if (random.nextInt(4) == 0) {
      seal();
      background();
    }
    if (bug == Bug.EARLY_HOLE) {
      holes.forEach(engine.files.values()::punch);
    }
    engine.files.versions().install(edit, holes);
    if (bug == Bug.EARLY_FREE) {
      engine.files.versions().install(current -> {
        VersionEdit.Builder removal = VersionEdit.builder();
        plan.segments().stream()
            .filter(segment -> current.segment(segment) != null)
            .forEach(removal::removeSegment);
        return removal.build();
      });
    }
    if (bug == Bug.COUNTED_TWICE) {
      engine.files.versions().install(CollectRun::forgetMoves);
    }
    engine.memory.readStates().refresh();
  }

  private static VersionEdit forgetMoves(Version current) {
    List<Partition> forgetful = new ArrayList<>();
    for (Partition partition : current.partitions()) {
      List<Run> runs = new ArrayList<>();
      for (Run run : partition.runs()) {
        runs.add(new Run(run.table(), run.range(), run.bytes(), run.entries()));
      }
      forgetful.add(new Partition(partition.range(), runs));
    }
    return VersionEdit.builder()
        .replacePartitions(current.partitions(), forgetful)
        .build();
  }

  private void crash() {
    freed += engine.background.freedSegments();
    moments.clear();
    CrashStyle style = CrashStyle.values()[random.nextInt(CrashStyle.values().length)];
    directory = directory.crash(style, random.nextLong());
    open();
    Map<String, Integer> found = read();
    int state = states.size() - 1;
    while (state >= 0 && !states.get(state).equals(found)) {
      state--;
    }
    if (state < 0) {
      throw new AssertionError(
          style + " left " + found + ", none of the last " + states.size() + " states");
    }
    states.subList(state + 1, states.size()).clear();
    checkAll();
    engine.writes.sync(); // else the next crash may lose the recovered state
    safe();
  }

  private void close() {
    freed += engine.background.freedSegments();
    moments.forEach(snapshot -> engine.release(snapshot.handle));
    engine.close();
    if (!directory.openHandles().isEmpty()) {
      throw new AssertionError("left open: " + directory.openHandles());
    }
  }

  // ----- checks

  private Map<String, Integer> read() {
    Map<String, Integer> found = new TreeMap<>();
    for (int i = 0; i < KEYS; i++) {
      Integer value = get("key" + i, null);
      if (value != null) {
        found.put("key" + i, value);
      }
    }
    return found;
  }

  private @Nullable Integer get(String key, @Nullable SnapshotHandle handle) {
    byte[] bytes = key.getBytes(US_ASCII);
    byte[] value = handle == null
        ? engine.get(PREFIX, bytes, 0, bytes.length)
        : engine.get(handle, PREFIX, bytes, 0, bytes.length);
    if (value == null) {
      return null;
    }
    int digits = 0;
    int number = 0;
    while (digits < value.length && value[digits] >= '0' && value[digits] <= '9') {
      number = 10 * number + value[digits++] - '0';
      if (Arrays.equals(value, value(number))) {
        return number;
      }
    }
    throw new AssertionError(key + " has a value that was never written");
  }

  private void checkKey() {
    String key = "key" + random.nextInt(KEYS);
    check(key, get(key, null), states.get(states.size() - 1).get(key));
  }

  private static void check(String key, @Nullable Integer found, @Nullable Integer expected) {
    if (found == null ? expected != null : !found.equals(expected)) {
      throw new AssertionError(key + " is " + found + ", not " + expected);
    }
  }

  private void check(Moment snapshot) {
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      check(key, get(key, snapshot.handle), snapshot.state.get(key));
    }
  }

  private void checkAll() {
    Map<String, Integer> found = read();
    if (!found.equals(states.get(states.size() - 1))) {
      throw new AssertionError("found " + found + ", not " + states.get(states.size() - 1));
    }
    moments.forEach(this::check);
    engine.verify(VerifyListener.NONE).throwIfDamaged();
  }
}
