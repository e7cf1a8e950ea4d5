// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.Keyspace;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.worker.Countdown;
import io.github.rlsm.shard.worker.Request;
import org.jspecify.annotations.Nullable;

/**
 * A group commit for cross-shard batches, so that they share forces. While some batches are being
 * written, new ones gather and are then written as one batch. The group is atomic as a whole, which
 * is more than callers asked for. No caller waits for other batches to arrive.
 *
 * <p>Only for callers that wait for the end. An asynchronous write does not gather, because it must
 * keep its order among the caller's other calls.
 *
 * <p>A batch is acknowledged only if its own thread or the leader has written it. A leader that
 * fails hands its failure to its followers and the lead to the next caller. Gathering and handing
 * on allocate nothing, so lack of memory cannot stop them.
 *
 * <p>Threads: any. One caller at a time leads: it writes for all callers that have gathered. The
 * monitor guards the queue and is held for short times only.
 */
final class GroupCommit {

  /** Writes a batch and waits for its end. */
  @FunctionalInterface
  interface Writer {
    void write(WriteBatch batch, Durability durability);
  }

  private final int countMax;
  private final int bytesMax;
  private final Writer writer;

  // The queue of waiting batches, linked by next.
  @GuardedBy("this")
  @Nullable
  Waiting first;

  @GuardedBy("this")
  private @Nullable Waiting last;

  @GuardedBy("this")
  private boolean led;

  /**
   * Creates an empty queue.
   *
   * @param countMax maximum number of batches in a group
   * @param bytesMax bytes of keys and values above which a group takes no further batch
   */
  GroupCommit(int countMax, int bytesMax, Writer writer) {
    this.countMax = countMax;
    this.bytesMax = bytesMax;
    this.writer = writer;
  }

  /** Writes a batch, alone or in a group, and waits for its end. */
  void write(WriteBatch batch, Durability durability) {
    Waiting own = new Waiting(batch, durability);
    if (!arrive(own)) {
      own.await();
    }
    if (own.leads) {
      int count = 1;
      Throwable failure = null;
      try {
        count = gathered(own);
        write(own, count);
      } catch (RuntimeException | Error e) {
        failure = e;
      } finally {
        passOn(own);
        wake(own, count, failure);
      }
    }
    if (own.failure != null) {
      throw Request.rethrown(own.failure);
    }
    if (!own.isWritten) {
      throw new IllegalStateException("the batch was neither written nor refused");
    }
  }

  /** Joins the queue. Returns whether the caller leads, and so need not wait. */
  private synchronized boolean arrive(Waiting own) {
    if (last == null) {
      first = own;
    } else {
      last.next = own;
    }
    last = own;
    own.leads = !led;
    led = true;
    return own.leads;
  }

  /**
   * Takes the leader's batch, which is the first, and further batches up to the limits out of the
   * queue. Returns their number.
   */
  private synchronized int gathered(Waiting own) {
    long bytes = own.batch.byteCount();
    int count = 1;
    Waiting next = own.next;
    while (next != null && count < countMax && bytes + next.batch.byteCount() <= bytesMax) {
      bytes += next.batch.byteCount();
      count++;
      next = next.next;
    }
    take(next);
    return count;
  }

  /** Takes the batches before a new first one out of the queue. */
  @GuardedBy("this")
  private void take(@Nullable Waiting newFirst) {
    first = newFirst;
    if (newFirst == null) {
      last = null;
    }
  }

  /** Makes the first waiting caller the leader. */
  @SuppressWarnings("ReferenceEquality") // identity is intended
  private void passOn(Waiting own) {
    Waiting next;
    synchronized (this) {
      if (first == own) {
        take(own.next); // the leader failed before it gathered
      }
      next = first;
      led = next != null;
      if (next != null) {
        next.leads = true;
      }
    }
    if (next != null) {
      next.wake();
    }
  }

  /** Wakes the callers of a group. The leader's failure fails each batch that has no result yet. */
  private static void wake(Waiting own, int count, @Nullable Throwable failure) {
    Waiting one = own;
    for (int i = 0; i < count && one != null; i++) {
      Waiting next = one.next;
      if (!one.isWritten && one.failure == null) {
        one.failure = failure;
      }
      one.wake();
      one = next;
    }
  }

  private void write(Waiting own, int count) {
    if (count == 1) {
      writeAlone(own);
      return;
    }
    WriteBatch all = new WriteBatch();
    Durability strongest = Durability.BUFFERED;
    Waiting one = own;
    for (int i = 0; i < count && one != null; i++) {
      one.batch.forEach(new Copier(all));
      strongest = one.durability.compareTo(strongest) > 0 ? one.durability : strongest;
      one = one.next;
    }
    boolean isRefused = false;
    try {
      writer.write(all, strongest);
    } catch (NoSuchKeyspaceException | InvalidEntryException e) {
      isRefused = true; // nothing was written; only some batches are invalid
    }
    one = own;
    for (int i = 0; i < count && one != null; i++) {
      if (isRefused) {
        writeAlone(one);
      } else {
        one.isWritten = true;
      }
      one = one.next;
    }
  }

  private void writeAlone(Waiting one) {
    try {
      writer.write(one.batch, one.durability);
      one.isWritten = true;
    } catch (RuntimeException | Error e) {
      one.failure = e;
    }
  }

  /** A caller's batch. */
  static final class Waiting {

    private final WriteBatch batch;
    private final Durability durability;

    private final Countdown woken = new Countdown(1);

    /**
     * The next caller in the queue. Guarded by the gathering's monitor while this caller is in the
     * queue.
     */
    @Nullable
    Waiting next;

    /**
     * Set when the batch was written or has failed, or when the caller becomes the leader. The
     * fields below are written before it.
     */
    private volatile boolean isAwake;

    private boolean leads;
    private boolean isWritten;
    private @Nullable Throwable failure;

    Waiting(WriteBatch batch, Durability durability) {
      this.batch = batch;
      this.durability = durability;
    }

    void wake() {
      isAwake = true;
      woken.down();
    }

    /**
     * Returns once the caller is woken. Must not fail, because the leader still reads the batch.
     */
    void await() {
      while (!isAwake) {
        try {
          woken.await();
        } catch (OutOfMemoryError | StackOverflowError e) {
          Thread.onSpinWait(); // too little memory or stack to park
        }
      }
    }
  }

  /** Copies the operations of a batch to another batch. */
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
