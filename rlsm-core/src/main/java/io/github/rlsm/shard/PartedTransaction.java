// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.base.PartMark;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.NoSuchKeyspaceException;
import io.github.rlsm.kv.ResourceExhaustedException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction over shards with logs that keep parts. Each worker writes its part, and, if the
 * batch is to be durable, forces its log, all at the same time; then it waits until all have their
 * parts. So nothing stands behind a part in any log while another one is missing.
 *
 * <p>The shards are asked first whether they take writes at all, so that one that has failed before
 * costs nothing but its batches. What fails after that may leave a batch in part: then the whole
 * store stops ({@link Health#tear}) until opening it leaves the part out.
 *
 * <p>Threads: see {@link Transaction}.
 */
final class PartedTransaction extends Transaction {

  private final List<PartLog> logs;
  private final SplitBatch split;
  private final boolean synced;
  private final Agreement agreement;
  private final Health health;
  private final LongSupplier gsns;
  private final Countdown arrivals;
  private final Countdown decision = new Countdown(1);

  /** Parts of which it is not certain that nothing of them was written. */
  private final AtomicInteger begun = new AtomicInteger();

  private final AtomicInteger written = new AtomicInteger();

  /** Written by {@link #admit}, before the parts are submitted. */
  private @Nullable PartMark mark;

  /**
   * A transaction.
   *
   * @param split the batch, dealt out to the shards
   * @param synced whether it is to be durable
   * @param gsns draws the batch's number
   */
  PartedTransaction(
      SplitBatch split,
      boolean synced,
      List<PartLog> logs,
      Agreement agreement,
      Health health,
      LongSupplier gsns) {
    super(split.shards());
    this.split = split;
    this.synced = synced;
    this.logs = logs;
    this.agreement = agreement;
    this.health = health;
    this.gsns = gsns;
    this.arrivals = new Countdown(shards().length);
  }

  @Override
  void admit() {
    mark = new PartMark(gsns.getAsLong(), Arrays.stream(shards()).boxed().toList());
  }

  @Override
  Request part(int place) {
    return new PartRequest(shards()[place], Objects.requireNonNull(mark));
  }

  private void write(int shard, PartMark whole) {
    for (int each : shards()) {
      logs.get(each).checkWrites();
    }
    begun.incrementAndGet();
    try {
      logs.get(shard).write(split.part(shard), whole);
    } catch (ResourceExhaustedException | InvalidEntryException | NoSuchKeyspaceException e) {
      begun.decrementAndGet(); // it was refused
      throw e;
    }
    written.incrementAndGet();
    if (synced) {
      logs.get(shard).force();
    }
  }

  /** The last one to get here says what has become of the batch. */
  private void arrive(PartMark whole) {
    if (!arrivals.down()) {
      return;
    }
    if (written.get() == shards().length) {
      agreement.completed(whole.gsn(), shards());
    } else if (begun.get() > 0) {
      Throwable cause = Objects.requireNonNull(failure());
      health.tear(cause);
      agreement.tear(cause);
    }
    decision.down();
  }

  private final class PartRequest extends Request {

    private final int shard;
    private final PartMark whole;
    private boolean arrived;

    PartRequest(int shard, PartMark whole) {
      this.shard = shard;
      this.whole = whole;
    }

    @Override
    Access access() {
      return Access.WRITES;
    }

    @Override
    void run(KvStore store) {
      try {
        write(shard, whole);
        arrived = true;
        arrive(whole);
        decision.await();
        if (synced && failure() == null) {
          store.sync(); // its log is forced; this is where the others are asked
        }
      } catch (RuntimeException e) {
        fail(e);
        decision.await();
        return;
      }
      finish();
      leave();
    }

    @Override
    void failed(Throwable cause) {
      PartedTransaction.this.failed(cause);
      if (!arrived) {
        arrived = true;
        arrive(whole);
      }
      leave();
    }
  }
}
