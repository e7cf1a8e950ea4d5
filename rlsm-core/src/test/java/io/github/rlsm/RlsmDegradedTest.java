// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.rlsm.io.CrashStyle;
import io.github.rlsm.io.Fault;
import io.github.rlsm.io.IoEvent;
import io.github.rlsm.io.IoEvent.Kind;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.Stats;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.kv.StoreHealth;
import io.github.rlsm.kv.StoreHealth.State;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.TestBytes;
import io.github.rlsm.proof.Proof;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A resource runs out and becomes available again. Until then the store is degraded: it serves
 * reads and refuses writes with a typed error. It resumes without being reopened, and loses
 * nothing.
 */
class RlsmDegradedTest {

  /** Calls that make written bytes or names durable. Every failure of such a call is permanent. */
  private static final Set<Kind> FORCES = EnumSet.of(Kind.FORCE, Kind.SYNC_DIRECTORY);

  private static final int PUTS_MAX = 3000;

  /** The ways a store learns that the cause is removed. */
  enum Way {
    TIMER,
    RESUME
  }

  /** A store on a simulated directory, and the number of its acknowledged writes. */
  private static final class Run implements AutoCloseable {

    private final SimulatedDirectory directory;
    private final InlineScheduler scheduler = new InlineScheduler();
    private final TinyOptions options;
    private final RlsmStore store;
    private int acknowledged;

    Run(TinyOptions options) {
      this.options = options;
      directory = options.directory();
      store = RlsmStore.open(directory, options.options(), scheduler.environmentOf(1));
    }

    void put() {
      int number = acknowledged;
      store.put(key(number), value(number), number % 40 == 0 ? Durability.SYNC : Durability.OS);
      acknowledged++;
    }

    void put(int count) {
      for (int i = 0; i < count; i++) {
        put();
      }
    }

    /** Puts until a put is refused because a resource ran out. */
    ResourceExhaustedException putUntilRefused() {
      return catchThrowableOfType(ResourceExhaustedException.class, () -> put(PUTS_MAX));
    }

    /** Lets time pass, or calls resume, until no work waits. */
    void heal(Way way) {
      directory.mend();
      directory.capacity(Long.MAX_VALUE);
      if (way == Way.RESUME) {
        store.resume();
      } else {
        scheduler.elapse();
      }
      assertThat(store.health()).isEqualTo(StoreHealth.HEALTHY);
    }

    void checkAll(RlsmStore reader) {
      for (int i = 0; i < acknowledged; i++) {
        assertThat(reader.get(key(i))).as("%d of %d", i, acknowledged).isEqualTo(value(i));
      }
    }

    /** Opens the store from the files that a crash would leave now, and checks it. */
    void checkCrash(SimulatedDirectory left) {
      left.mend();
      left.capacity(Long.MAX_VALUE);
      try (RlsmStore again =
          RlsmStore.open(left, options.options(), InlineScheduler.environment(2))) {
        checkAll(again);
        again.verify();
      }
    }

    List<String> tables() {
      return directory.list().stream()
          .filter(name -> name.endsWith(".table") || name.startsWith("MANIFEST"))
          .sorted()
          .toList();
    }

    /** Closes the store and opens it again: no entry is missing, and no file is left over. */
    @Override
    public void close() {
      List<String> before = tables();
      store.close();
      assertThat(directory.openHandles()).isEmpty();
      try (RlsmStore again =
          RlsmStore.open(directory, options.options(), InlineScheduler.held().environmentOf(2))) {
        checkAll(again);
        again.verify();
        assertThat(tables()).hasSameSizeAs(before);
      }
    }
  }

  private static boolean isNoForce(IoEvent event) {
    return !FORCES.contains(event.kind());
  }

  private static byte[] key(int i) {
    return TestBytes.bytes("key" + i);
  }

  private static byte[] value(int i) {
    return TestBytes.random(i, 20 + i % 400);
  }

  /** Runs out of a resource, checks the degraded store, and recovers. */
  private static void thereAndBack(
      TinyOptions options, Way way, Consumer<SimulatedDirectory> cause, Class<?> error) {
    try (Run run = new Run(options)) {
      run.put(150);
      cause.accept(run.directory);

      ResourceExhaustedException refused = run.putUntilRefused();
      assertThat(refused).isInstanceOf(error).hasMessageContaining(refused.file());
      StoreHealth health = run.store.health();
      assertThat(health.state()).isEqualTo(State.DEGRADED);
      assertThat(health.cause()).isInstanceOf(error);
      assertThat(health.retry().waiting()).isNotEmpty();
      assertThat(health.remedy()).isEqualTo(refused.resource().remedy());
      assertThat(health.retry().untilNext()).isPositive();
      assertThatThrownBy(run::put).isInstanceOf(error);
      Stats stats = run.store.stats();
      assertThat(stats.failures().degraded()).isPositive();
      assertThat(stats.space().diskBytes())
          .isPositive()
          .isGreaterThanOrEqualTo(stats.space().liveBytes() + stats.space().deadBytes());

      run.checkCrash(run.directory.afterKill());
      SimulatedDirectory powerLoss = run.directory.afterCrash(CrashStyle.DROP_UNSYNCED, 1);
      powerLoss.mend();
      powerLoss.capacity(Long.MAX_VALUE);
      RlsmStore.open(powerLoss, options.options(), InlineScheduler.environment(3))
          .close();

      run.scheduler.elapse(); // a failed retry: the cause remains
      assertThat(run.store.health().state()).isEqualTo(State.DEGRADED);

      run.heal(way);
      run.checkAll(run.store);
      run.put(300);
      run.store.flush();
      run.store.settle();
      run.store.verify();
      Stats.Failures failures = run.store.stats().failures();
      assertThat(failures.resumed()).isPositive().isEqualTo(failures.degraded());
      assertThat(failures.readOnly()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void storeResumesAfterAFullDisk(Way way) {
    thereAndBack(
        TinyOptions.LINKING, way, files -> files.capacity(120_000), DiskFullException.class);
    thereAndBack(
        TinyOptions.SEPARATING, way, files -> files.capacity(160_000), DiskFullException.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void storeResumesAfterALackOfDescriptors(Way way) {
    thereAndBack(
        TinyOptions.LINKING,
        way,
        files -> files.failWhen(RlsmDegradedTest::isNoForce, Fault.NO_DESCRIPTORS),
        ResourceExhaustedException.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void storeResumesAfterALackOfMappings(Way way) {
    thereAndBack(
        TinyOptions.SEPARATING,
        way,
        files -> files.failWhen(RlsmDegradedTest::isNoForce, Fault.NO_MAPPINGS),
        ResourceExhaustedException.class);
  }

  @Test
  void allEntriesAreReadableOnAFullDisk() {
    try (Run run = new Run(TinyOptions.LINKING)) {
      run.put(150);
      run.directory.capacity(120_000);
      assertThat(run.putUntilRefused()).isInstanceOf(DiskFullException.class);
      run.checkAll(run.store);
      run.store.verify();
      run.heal(Way.TIMER);
    }
  }

  /**
   * Each change of state is logged once, with cause and remedy, even if the work fails many times.
   */
  @Test
  void everyChangeIsLoggedOnce() {
    Stats.Failures failures;
    HealthLog log = new HealthLog();
    try (Run run = new Run(TinyOptions.LINKING)) {
      run.put(150);
      run.directory.capacity(120_000);
      run.putUntilRefused();
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(run::put).isInstanceOf(DiskFullException.class);
        run.scheduler.elapse();
      }
      run.heal(Way.RESUME);
      failures = run.store.stats().failures();
    } finally {
      log.close();
    }
    assertThat(log.messages(Level.WARNING))
        .hasSize((int) failures.degraded())
        .allMatch(text -> text.contains("No space left") && text.contains("free some space"));
    assertThat(log.messages(Level.INFO)).hasSize((int) failures.resumed());
    assertThat(log.messages(Level.SEVERE)).isEmpty();
  }

  /** Only the manifest runs out of space. A new manifest replaces it. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void aTornManifestIsReplaced(Way way) {
    thereAndBack(
        TinyOptions.LINKING,
        way,
        files -> files.failWhen(
            event -> event.kind() == Kind.APPEND && event.file().startsWith("MANIFEST"),
            Fault.NO_SPACE),
        DiskFullException.class);
  }

  /** While the manifest cannot be replaced, retries of a flush write no table. */
  @Test
  void retriesLeaveNoTables() {
    try (Run run = new Run(TinyOptions.LINKING)) {
      run.put(150);
      run.directory.failWhen(
          event -> event.kind() == Kind.APPEND && event.file().startsWith("MANIFEST"),
          Fault.NO_SPACE);
      run.putUntilRefused();
      run.scheduler.elapse();
      List<String> after = run.tables();
      for (int i = 0; i < 10; i++) {
        run.scheduler.elapse();
        run.store.resume();
      }
      assertThat(run.tables()).isEqualTo(after);
      run.heal(Way.TIMER);
    }
  }

  @Test
  void keyspaceIsCreatedAfterSpaceIsFreed() {
    try (Run run = new Run(TinyOptions.LINKING)) {
      run.put(10);
      Keyspace kept = run.store.keyspace("kept");
      kept.put(key(1), value(1));
      run.directory.failWhen(RlsmDegradedTest::isNoForce, Fault.NO_SPACE);
      assertThatThrownBy(() -> run.store.keyspace("new")).isInstanceOf(DiskFullException.class);
      assertThat(run.store.health().state()).isEqualTo(State.DEGRADED);
      assertThatThrownBy(() -> run.store.dropKeyspace("kept"))
          .isInstanceOf(DiskFullException.class);
      kept.put(key(2), value(2), Durability.SYNC);
      for (CrashStyle style : CrashStyle.values()) {
        SimulatedDirectory left = run.directory.afterCrash(style, 1);
        left.mend();
        try (RlsmStore again =
            RlsmStore.open(left, TinyOptions.LINKING.options(), InlineScheduler.environment(2))) {
          assertThat(again.keyspaceNames()).contains("kept");
          assertThat(again.keyspace("kept").get(key(2))).isEqualTo(value(2));
        }
      }
      run.heal(Way.TIMER);
      run.store.keyspace("new").put(key(1), value(1));
      run.store.dropKeyspace("kept");
      assertThat(run.store.keyspaceNames()).containsExactly("new");
    }
  }

  /** A file that cannot be deleted stays, and blocks no write. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"IO_ERROR", "IO_ERROR_AFTER"})
  void failedUnlinkBlocksNoWrite(Fault fault) {
    try (Run run = new Run(TinyOptions.LINKING)) {
      run.put(50);
      run.directory.failWhen(event -> event.kind() == Kind.DELETE, fault);
      run.put(600);
      run.store.settle();
      StoreHealth health = run.store.health();
      assertThat(health.state()).isEqualTo(State.DEGRADED);
      assertThat(health.retry().waiting()).containsExactly("deletion of files");
      int left = run.directory.list().size();
      run.checkCrash(run.directory.afterKill());
      run.heal(Way.TIMER);
      assertThat(run.directory.list().size())
          .isLessThanOrEqualTo(fault == Fault.IO_ERROR ? left - 1 : left);
    }
  }

  /** A failed force is permanent, even if the system reports a missing resource. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NO_SPACE", "IO_ERROR"})
  void aFailedForceOfTheLogIsFinal(Fault fault) {
    HealthLog log = new HealthLog();
    Run run = new Run(TinyOptions.ROOMY);
    run.put(10);
    run.directory.failWhen(event -> event.kind() == Kind.FORCE, fault);
    assertThatThrownBy(() -> run.store.put(key(0), value(0), Durability.SYNC))
        .isNotInstanceOf(ResourceExhaustedException.class);
    assertThat(run.store.health().state()).isEqualTo(State.READ_ONLY);
    assertThat(run.store.health().remedy()).contains("open the store again");
    run.directory.mend();
    run.store.resume();
    run.scheduler.elapse();
    assertThatThrownBy(run::put).isInstanceOf(StoreFailedException.class);
    assertThat(run.store.stats().failures().readOnly()).isEqualTo(1);
    run.checkAll(run.store);
    assertThatThrownBy(run.store::close).isInstanceOf(StoreIoException.class);
    log.close();
    assertThat(log.messages(Level.SEVERE)).singleElement().asString().contains("read-only");
    run.checkCrash(run.directory);
  }

  /**
   * The k-th call and all later ones lack a resource, for many k; then the resource is available
   * again.
   */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"NO_SPACE", "NO_DESCRIPTORS", "NO_MAPPINGS"})
  void storeResumesWhicheverCallLacksAResource(Fault fault) {
    int points = Proof.count("degraded.points", 60);
    int refusals = 0;
    for (TinyOptions options : List.of(TinyOptions.LINKING, TinyOptions.SEPARATING)) {
      for (int point = 0; point < points; point++) {
        try (Run run = new Run(options)) {
          run.put(100);
          long first = run.directory.eventCount() + point;
          run.directory.failWhen(event -> isNoForce(event) && event.index() >= first, fault);
          refusals += run.putUntilRefused() == null ? 0 : 1;
          assertThat(run.store.health().state()).isNotEqualTo(State.READ_ONLY);
          if (point % 8 == 0) {
            run.checkCrash(run.directory.afterKill());
          }
          run.heal(point % 2 == 0 ? Way.TIMER : Way.RESUME);
          run.put(60);
          run.store.settle();
          run.checkAll(run.store);
        }
      }
    }
    assertThat(refusals).isEqualTo(2 * points);
    Proof.ran("T5", "calls that lack a resource (" + fault + "), and heal", 2L * points);
  }
}
