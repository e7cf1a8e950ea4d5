// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.kv.StoreClosedException;
import io.github.rlsm.log.LogRecovery;
import io.github.rlsm.log.LogStart;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.log.PublishedSeqno;
import io.github.rlsm.log.SegmentFiles;
import io.github.rlsm.log.SegmentLayout;
import io.github.rlsm.memory.MemoryComponent;
import io.github.rlsm.memory.MemoryComponent.MemtableStructure;
import io.github.rlsm.memory.MemoryRebuilder;
import io.github.rlsm.memory.SnapshotRegistry;
import io.github.rlsm.table.ReadCounters;
import io.github.rlsm.table.Table;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.versionset.ManifestRecovery;
import io.github.rlsm.versionset.PinCount;
import io.github.rlsm.versionset.VersionHost;
import io.github.rlsm.versionset.VersionSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A component is released once, when no view names it and it is no longer in the list.
 *
 * <p>Guards invariant I-6 of ARCHITECTURE.md.
 */
@Tag("optimized")
class ReadStatesTest {

  private static final long STORE_ID = 5;

  private final SimulatedDirectory directory = new SimulatedDirectory();
  private final MemoryComponent.Shape shape =
      new MemoryComponent.Shape(MemtableStructure.SORTED_RUNS, 4, 4, 1);
  private final PublishedSeqno published = new PublishedSeqno(0);
  private final SnapshotRegistry snapshots = new SnapshotRegistry();
  private final SegmentFiles segments = new SegmentFiles(
      directory,
      new SegmentLayout.Heads(STORE_ID, () -> 1, () -> ManifestPosition.NONE),
      4096,
      LogRecovery.read(
          directory,
          STORE_ID,
          new LogStart(0, 1, 0, 0, Set.of(), ManifestPosition.NONE),
          new MemoryRebuilder(published, snapshots, shape, 1)),
      1,
      1);
  private final VersionSet<Table> versions = VersionSet.open(
      directory,
      ManifestRecovery.recover(directory).withStoreId(STORE_ID, Map.of()),
      new NoTables(),
      1 << 20);
  private final Queue<MemoryComponent> handedBack = new ConcurrentLinkedQueue<>();
  private final ReadStates readStates =
      new ReadStates(versions, new ReadCounters(), handedBack::add, Runnable::run);

  private static final class NoTables implements VersionHost<Table> {

    @Override
    public Table openTable(TableMeta table) {
      throw new AssertionError("there are no tables");
    }

    @Override
    public void closeTable(Table table) {
      throw new AssertionError("there are no tables");
    }

    @Override
    public void punchSegment(int number, long[] ranges) {
      throw new AssertionError("there are no segments");
    }

    @Override
    public void freeSegment(int number) {
      throw new AssertionError("there are no segments");
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  @AfterEach
  void close() {
    versions.close();
  }

  private MemoryComponent component() {
    return new MemoryComponent(segments.begin(0, 0, 0), published, snapshots, shape, null);
  }

  @Test
  void viewListsNewestComponentFirst() {
    MemoryComponent first = component();
    MemoryComponent second = component();
    readStates.push(first);
    readStates.push(second);
    ReadState state = readStates.pin(0);
    assertThat(state.memory()).containsExactly(second, first);
    assertThat(state.active()).isSameAs(second);
    state.unpin(0);
    readStates.close();
  }

  @Test
  void componentIsReleasedWithItsLastView() {
    MemoryComponent first = component();
    readStates.push(first);
    ReadState one = readStates.pin(1);
    readStates.push(component());
    ReadState two = readStates.pin(2);
    readStates.refresh();
    readStates.remove(first);
    assertThat(handedBack).isEmpty();
    one.unpin(1);
    assertThat(handedBack).isEmpty();
    two.unpin(2);
    assertThat(handedBack).containsExactly(first);
    readStates.refresh();
    readStates.close();
    assertThat(handedBack).containsExactly(first);
  }

  /** Unflushed entries are in the log alone, so the segments must stay. */
  @Test
  void closeReleasesOnlyRemovedComponents() {
    MemoryComponent flushed = component();
    readStates.push(flushed);
    readStates.push(component());
    ReadState state = readStates.pin(3);
    readStates.remove(flushed);
    readStates.close();
    assertThatThrownBy(() -> readStates.pin(3)).isInstanceOf(StoreClosedException.class);
    assertThat(readStates.pinOrNull(3)).isNull();
    assertThat(handedBack).isEmpty();
    state.unpin(3);
    assertThat(handedBack).containsExactly(flushed);
  }

  @Test
  void eachComponentIsReleasedOnceAndNotInUse() throws Exception {
    int count = 300;
    Set<MemoryComponent> back = ConcurrentHashMap.newKeySet();
    ReadStates own = new ReadStates(
        versions,
        new ReadCounters(),
        component ->
            assertThat(back.add(component)).as("released for the first time").isTrue(),
        Runnable::run);
    List<MemoryComponent> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(component());
    }
    own.push(all.get(0));
    AtomicBoolean done = new AtomicBoolean();
    new Crew()
        .add(4, () -> {
          int stripe = PinCount.stripe();
          while (!done.get()) {
            ReadState state = own.pin(stripe);
            assertThat(state.memory()).noneMatch(back::contains);
            Thread.onSpinWait();
            assertThat(state.memory()).noneMatch(back::contains);
            state.unpin(stripe);
          }
        })
        .add(1, () -> {
          Deque<MemoryComponent> shown = new ArrayDeque<>(all.subList(0, 1));
          for (MemoryComponent component : all.subList(1, count)) {
            own.push(component);
            shown.add(component);
            own.refresh();
            if (shown.size() > 3) {
              own.remove(shown.remove());
            }
          }
          done.set(true);
        })
        .run();
    assertThat(back).hasSize(count - 3).doesNotContainAnyElementsOf(own.memory());
    own.close();
    assertThat(back).hasSize(count - 3);
  }
}
