// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.run;

import io.github.rlsm.bench.workload.IdSource;
import io.github.rlsm.bench.workload.Mix64;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.PresentKeys;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client thread's part of a phase. It claims groups of operations until all are claimed or time
 * is up. A claimed group is always finished, so the completed operations are a prefix of all.
 *
 * <p>Threads: run by one thread; the loops of a phase share {@code claims}.
 */
final class ClientLoop implements Callable<Tally> {

  private final Phase phase;
  private final Client client;
  private final Tally tally;
  private final Share share;

  /**
   * The state that the loops of a phase share.
   *
   * @param claims number of operations claimed so far
   * @param start releases all loops at the same time
   * @param deadlineNanos time after which loops claim no more operations
   * @param present keys in the store at the start of the phase
   * @param seed seed of random numbers, different for each phase
   */
  record Share(
      AtomicLong claims,
      CountDownLatch start,
      long deadlineNanos,
      PresentKeys present,
      long seed) {}

  private final IdSource uniform;
  private final IdSource zipfian;
  private final SplittableRandom random;

  ClientLoop(Phase phase, Client client, Tally tally, Share share, int number) {
    this.phase = phase;
    this.client = client;
    this.tally = tally;
    this.share = share;
    long seed = Mix64.mix(share.seed() + number);
    long keys = Math.max(1, share.present().loaded());
    this.uniform = IdSource.uniform(keys, seed);
    this.zipfian = IdSource.zipfian(keys, seed);
    this.random = new SplittableRandom(~seed);
  }

  @Override
  public Tally call() throws InterruptedException {
    share.start().await();
    int claim = phase.claim();
    do {
      long begin = share.claims().getAndAdd(claim);
      long end = Math.min(begin + claim, phase.operations());
      for (long operation = begin; operation < end; operation++) {
        operate(operation);
      }
      if (end == phase.operations()) {
        return tally;
      }
    } while (System.nanoTime() - share.deadlineNanos() < 0);
    return tally;
  }

  private void operate(long operation) {
    switch (phase.kind()) {
      case LOAD -> client.put(share.present().loaded() + operation, share.seed());
      case READ -> client.get(uniform.next());
      case READ_ZIPFIAN -> client.get(zipfian.next());
      case SCAN_SHORT -> client.scan(uniform.next(), 1 + random.nextInt(Phase.SHORT_SCAN_MAX));
      case SCAN_LONG -> client.scan(uniform.next(), Phase.LONG_SCAN);
      case SCAN_SHORT_ZIPFIAN ->
        client.scan(zipfian.next(), 1 + random.nextInt(Phase.SHORT_SCAN_MAX));
      case SCAN_LONG_ZIPFIAN -> client.scan(zipfian.next(), Phase.LONG_SCAN);
      case OVERWRITE -> overwrite(uniform, operation);
      case OVERWRITE_ZIPFIAN -> overwrite(zipfian, operation);
      case MIXED -> {
        if (random.nextBoolean()) {
          client.get(zipfian.next());
        } else {
          overwrite(zipfian, operation);
        }
      }
      case DELETE -> client.delete(PresentKeys.deleted(operation));
      case SETTLE, DEVICE_WRITE, CLOSE, OPEN, RECOVER ->
        throw new IllegalStateException(phase.kind() + " is not for clients");
    }
  }

  private void overwrite(IdSource ids, long operation) {
    client.put(share.present().presentAt(ids.next()), share.seed() + operation);
  }
}
