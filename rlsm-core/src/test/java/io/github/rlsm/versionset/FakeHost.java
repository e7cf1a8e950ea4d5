// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.version.TableMeta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An engine around a {@link VersionSet}. Its tables hold no entries but know whether they are open.
 * Background tasks wait until {@link #runTasks}.
 *
 * <p>Threads: any.
 */
final class FakeHost implements VersionHost<FakeHost.FakeTable> {

  /** The number of times a table was opened. */
  final AtomicInteger opened = new AtomicInteger();

  final List<Integer> freedSegments = new ArrayList<>();
  final List<String> punched = new ArrayList<>();

  private final Set<Long> open = ConcurrentHashMap.newKeySet();
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  /** A table, open from the start. */
  static final class FakeTable {

    final long number;
    private final AtomicBoolean closed = new AtomicBoolean();

    FakeTable(long number) {
      this.number = number;
    }

    /** Reads the table, which must be open. */
    long read() {
      assertThat(closed).as("table %d is closed", number).isFalse();
      return number;
    }
  }

  @Override
  public FakeTable openTable(TableMeta table) {
    assertThat(open.add(table.number()))
        .as("table %d opens once", table.number())
        .isTrue();
    opened.incrementAndGet();
    return new FakeTable(table.number());
  }

  @Override
  public void closeTable(FakeTable table) {
    assertThat(table.closed.getAndSet(true))
        .as("table %d closes once", table.number)
        .isFalse();
    open.remove(table.number);
  }

  @Override
  public synchronized void punchSegment(int number, long[] ranges) {
    for (long range : ranges) {
      punched.add(number + ":" + (range >>> 32) + "-" + (int) range);
    }
  }

  @Override
  public synchronized void freeSegment(int number) {
    freedSegments.add(number);
  }

  @Override
  public synchronized void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs all waiting tasks in this thread; then throws the first failure, if any. */
  void runTasks() {
    RuntimeException first = null;
    for (Runnable task = poll(); task != null; task = poll()) {
      try {
        task.run();
      } catch (RuntimeException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private synchronized Runnable poll() {
    return tasks.poll();
  }

  /** Numbers of the open tables. */
  Set<Long> open() {
    return open;
  }
}
