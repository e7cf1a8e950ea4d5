// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.WriteBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has batches over several shards share their forces: while some are on their way, those that come
 * gather, and then go as one. So they are whole together, which is more than was asked. Nobody
 * waits for others to come.
 *
 * <p>Only for callers that wait for the end: what one submits without waiting has its place among
 * its other calls.
 *
 * <p>Threads: any. One caller at a time leads: it writes for all that have gathered.
 */
final class BatchGathering {

  /** Writes a batch and waits for its end. */
  @FunctionalInterface
  interface Writer {
    void write(WriteBatch batch, Durability durability);
  }

  private final int countMax;
  private final int bytesMax;
  private final Writer writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> waiting = new ArrayDeque<>(); // guarded by lock
  private boolean led; // guarded by lock

  /**
   * Gathers nothing yet.
   *
   * @param countMax most batches that go as one
   * @param bytesMax bytes of keys and values above which they take no further batch
   */
  BatchGathering(int countMax, int bytesMax, Writer writer) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    this.writer = writer;
  }

  /** Writes a batch, alone or with others, and waits for its end. */
  void write(WriteBatch batch, Durability durability) {
    Waiting own = new Waiting(batch, durability);
    if (!arrive(own)) {
      own.woken.await();
    }
    if (own.leads) {
      lead();
    }
    if (own.failure != null) {
      throw Request.rethrown(own.failure);
    }
  }

  /** Returns whether the caller need not wait. */
  private boolean arrive(Waiting own) {
    lock.lock();
    try {
      waiting.add(own);
      own.leads = !led;
      led = true;
      return own.leads;
    } finally {
      lock.unlock();
    }
  }

  /** How many have gathered, or are on their way to be the first. */
  int waitingCount() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private void lead() {
    List<Waiting> group = gathered();
    try {
      write(group);
    } finally {
      passOn();
      group.forEach(one -> one.woken.down());
    }
  }

  /** The leader's own batch, which is the first, and others up to the limits. */
  private List<Waiting> gathered() {
    List<Waiting> group = new ArrayList<>();
    lock.lock();
    try {
      long bytes = 0;
      for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
        bytes += next.batch.byteCount();
        if (group.size() == countMax || (!group.isEmpty() && bytes > bytesMax)) {
          break;
        }
        group.add(waiting.remove());
      }
    } finally {
      lock.unlock();
    }
    return group;
  }

  /** Makes the first that waits the leader. */
  private void passOn() {
    Waiting next;
    lock.lock();
    try {
      next = waiting.peek();
      led = next != null;
      if (next != null) {
        next.leads = true;
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.woken.down();
    }
  }

  private void write(List<Waiting> group) {
    if (group.size() == 1) {
      writeAlone(group.get(0));
      return;
    }
    WriteBatch all = new WriteBatch();
    Durability strongest = Durability.BUFFERED;
    for (Waiting one : group) {
      one.batch.forEach(new Copier(all));
      strongest = one.durability.compareTo(strongest) > 0 ? one.durability : strongest;
    }
    try {
      writer.write(all, strongest);
    } catch (NoSuchKeyspaceException | InvalidEntryException e) {
      // Nothing was written, and only some of them are to blame.
      group.forEach(this::writeAlone);
    } catch (RuntimeException | Error e) {
      group.forEach(one -> one.failure = e);
    }
  }

  private void writeAlone(Waiting one) {
    try {
      writer.write(one.batch, one.durability);
    } catch (RuntimeException | Error e) {
      one.failure = e;
    }
  }

  /** A caller's batch. */
  private static final class Waiting {

    private final WriteBatch batch;
    private final Durability durability;

    /** Ended when it was written, or is to lead. */
    private final Countdown woken = new Countdown(1);

    /** Written before {@link #woken} ends, or by the caller; read after it. */
    private boolean leads;

    private @Nullable Throwable failure;

    Waiting(WriteBatch batch, Durability durability) {
      this.batch = batch;
      this.durability = durability;
    }
  }

  /** Adds the operations of one batch to another. */
  private record Copier(WriteBatch target) implements WriteBatch.Visitor {

    @Override
    public void put(
        @Nullable Keyspace keyspace,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {
      target.put(keyspace, bytes, keyOffset, keyLength, bytes, valueOffset, valueLength);
    }

    @Override
    public void delete(@Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
      target.delete(keyspace, bytes, keyOffset, keyLength);
    }
  }
}
