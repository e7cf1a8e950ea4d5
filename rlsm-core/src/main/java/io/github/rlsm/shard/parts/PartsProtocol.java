// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.parts;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.base.PartTail;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.CommitProtocol;
import io.github.rlsm.shard.SplitBatch;
import io.github.rlsm.shard.worker.Countdown;
import io.github.rlsm.shard.worker.Health;
import io.github.rlsm.shard.worker.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commit protocol of shards whose logs keep parts. Each part is written once, to its shard's
 * own log, and only {@code SYNC} batches are forced.
 *
 * <p>The shards are opened together. First each shard reports its parts. {@link RecoveryCut} then
 * decides where each history ends, and only then the shards are opened.
 *
 * <p>Threads: any.
 */
public final class PartsProtocol implements CommitProtocol {

  private final List<KvStore> stores;
  private final List<PartLog> logs;
  private final CrossShardDurability crossShard;
  private final Health health;

  /**
   * The last GSN given to a batch; new batches get larger GSNs. Guarded by the lock
   * {@code ordering} of {@link io.github.rlsm.shard.worker.Shards}, under which batches enter the
   * queues.
   */
  private long lastGsn;

  private PartsProtocol(
      List<PartLog.Opening.Opened> shards,
      CrossShardDurability crossShard,
      Health health,
      long lastGsn) {
    this.stores = shards.stream().map(PartLog.Opening.Opened::store).toList();
    this.logs = shards.stream().map(PartLog.Opening.Opened::parts).toList();
    this.crossShard = crossShard;
    this.health = health;
    this.lastGsn = lastGsn;
  }

  /**
   * Opens all shards.
   *
   * @param prepare begins to open a shard
   * @param opened receives each resource that must be closed if a later step fails
   */
  public static PartsProtocol open(
      int shards,
      IntFunction<PartLog.Opening> prepare,
      Consumer<AutoCloseable> opened,
      Health health) {
    List<PartLog.Opening> openings = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      PartLog.Opening opening = prepare.apply(shard);
      opened.accept(opening);
      openings.add(opening);
    }
    List<PartTail> tails = openings.stream().map(PartLog.Opening::survey).toList();
    RecoveryCut cut = RecoveryCut.of(tails);
    CrossShardDurability crossShard = new CrossShardDurability(shards);
    List<PartLog.Opening.Opened> open = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      int number = shard;
      crossShard.begin(shard, cut.lastGsn(shard));
      PartLog.Opening.Opened one =
          openings.get(shard).open(cut.end(shard), gsn -> crossShard.force(number, gsn));
      opened.accept(one.store());
      open.add(one);
    }
    PartsProtocol protocol =
        new PartsProtocol(open, crossShard, health, RecoveryCut.largestGsn(tails));
    crossShard.begin(protocol.logs);
    return protocol;
  }

  /** The shards' stores. */
  public List<KvStore> stores() {
    return stores;
  }

  /** Returns actions that force the log of each shard. */
  public List<Runnable> forces() {
    return logs.stream().<Runnable>map(log -> log::force).toList();
  }

  @Override
  public CommitProtocol.Transaction begin(
      WriteBatch batch, SplitBatch split, Durability durability) {
    boolean synced = durability == Durability.SYNC;
    return new PartedTransaction(split, synced, logs, crossShard, health, () -> ++lastGsn);
  }

  /**
   * A transaction over shards whose logs keep parts, in two steps. First each worker reserves
   * everything that its part needs and votes. A shard that is out of a resource or read-only votes
   * against the batch. Only if all agree, each worker writes its part and, if the batch is to be
   * durable, forces its log. Then it waits until all parts are written. So no record follows a part
   * in any log while another part is missing.
   *
   * <p>A refused batch therefore changes nothing in any shard. An error after the vote, for example
   * a failed force, may leave a batch in some shards only. Then the whole store stops
   * ({@link Health#tear}) until it is opened again, which drops the batch.
   *
   * <p>Threads: see {@link CommitProtocol.Transaction}.
   */
  static final class PartedTransaction extends CommitProtocol.Transaction {

    private final List<PartLog> logs;
    private final SplitBatch split;
    private final boolean synced;
    private final CrossShardDurability crossShard;
    private final Health health;
    private final LongSupplier gsns;

    /** Parts that have not voted yet. */
    private final Countdown votes;

    /** Whether a part voted against the batch; final once all have voted. */
    private volatile boolean refused;

    /** Parts that may still be written. */
    private final Countdown arrivals;

    private final Countdown decision = new Countdown(1);
    private final AtomicInteger written = new AtomicInteger();

    /** Written by {@link #admit}, before the parts are submitted. */
    private @Nullable PartHeader header;

    /**
     * Creates a transaction.
     *
     * @param split the batch, split by shard
     * @param synced whether the batch is to be durable
     * @param gsns draws the GSN of the batch
     */
    PartedTransaction(
        SplitBatch split,
        boolean synced,
        List<PartLog> logs,
        CrossShardDurability crossShard,
        Health health,
        LongSupplier gsns) {
      super(split.shards());
      this.split = split;
      this.synced = synced;
      this.logs = logs;
      this.crossShard = crossShard;
      this.health = health;
      this.gsns = gsns;
      this.votes = new Countdown(shards().length);
      this.arrivals = new Countdown(shards().length);
    }

    @Override
    public void admit() {
      header = new PartHeader(gsns.getAsLong(), Arrays.stream(shards()).boxed().toList());
    }

    @Override
    public Request part(int place) {
      return new PartRequest(shards()[place], Objects.requireNonNull(header));
    }

    /** Decides the state of the batch, before any of its workers continues. */
    private void decide(PartHeader whole) {
      try {
        if (refused) {
          return;
        }
        if (written.get() == shards().length) {
          crossShard.completed(whole.gsn(), shards());
        } else {
          tear(Objects.requireNonNull(failure()));
        }
      } catch (RuntimeException | Error e) {
        tear(e);
        throw e;
      } finally {
        decision.down();
      }
    }

    private void tear(Throwable cause) {
      health.tear(cause);
      crossShard.tear(cause);
    }

    private final class PartRequest extends Request {

      private final int shard;
      private final PartHeader whole;
      private boolean voted;
      private boolean arrived;

      PartRequest(int shard, PartHeader whole) {
        this.shard = shard;
        this.whole = whole;
      }

      @Override
      public Access access() {
        return Access.WRITES;
      }

      @Override
      public void run(KvStore store) {
        try {
          write();
          arrive();
          decision.await();
          if (synced && failure() == null) {
            store.sync(); // the log is forced already; this forces the shards it depends on
          }
        } catch (RuntimeException | Error e) {
          fail(e);
          decision.await();
          if (e instanceof Error error) {
            throw error;
          }
          return;
        }
        finish();
        leave();
      }

      private void write() {
        for (int each : shards()) {
          logs.get(each).checkWrites(); // cheaper than a vote against the batch
        }
        if (logs.get(shard).write(split.part(shard), whole, this::allAgree)) {
          written.incrementAndGet();
          if (synced) {
            logs.get(shard).force();
          }
        }
      }

      /** Votes for the batch. Returns whether all parts did so. */
      private boolean allAgree() {
        vote();
        votes.await();
        return !refused;
      }

      private void vote() {
        if (!voted) {
          voted = true;
          votes.down();
        }
      }

      /** Reports that the part is written, or never will be. */
      private void arrive() {
        if (!arrived) {
          arrived = true;
          if (arrivals.down()) {
            decide(whole);
          }
        }
      }

      @Override
      protected void failed(Throwable cause) {
        PartedTransaction.this.failed(cause);
        if (!voted) {
          refused = true;
          vote();
        }
        arrive();
        leave();
      }
    }
  }
}
