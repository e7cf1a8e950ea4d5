// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process under mixed load. After each round of load the store is settled. Then the process
 * reports the number of operations so far and its {@link SoakMeasure}s, one number each.
 *
 * <p>Arguments: the store's directory, a seed, and the operations of a worker in a round. The
 * process ends when its input has a byte, or when its output is closed.
 */
final class SoakChild {

  private static final int WORKERS = 4;
  private static final int ROUNDS_BETWEEN_REOPENS = 7;
  private static final int ROUNDS_BETWEEN_COLLECTS = 3;

  private final FileOutputStream reports = new FileOutputStream(FileDescriptor.out);
  private final Path directory;
  private final Random random;
  private final int operations;
  private final SoakWorker[] workers = new SoakWorker[WORKERS];

  private SoakChild(Path directory, long seed, int operations) {
    this.directory = directory;
    this.random = new Random(seed);
    this.operations = operations;
    for (int i = 0; i < WORKERS; i++) {
      workers[i] = new SoakWorker(i, random.nextLong());
    }
  }

  public static void main(String[] arguments) {
    int exitCode = 0;
    try {
      new SoakChild(
              Path.of(arguments[0]), Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]))
          .run();
    } catch (Throwable e) {
      e.printStackTrace();
      exitCode = 1;
    }
    Runtime.getRuntime().halt(exitCode); // threads of a failed store would continue
  }

  private static RlsmOptions options() {
    return RlsmOptions.builder()
        .memoryBudget(8 << 20)
        .logSegmentBytes(1 << 20)
        .partitionBytes(4 << 20)
        .l0Trigger(2)
        .backgroundThreads(2)
        .build();
  }

  private void run() throws Exception {
    KvStore store = Rlsm.open(directory, options());
    for (int round = 1; System.in.available() == 0; round++) {
      load(store);
      if (round % ROUNDS_BETWEEN_COLLECTS == 0) {
        store.collect();
      }
      if (round % ROUNDS_BETWEEN_REOPENS == 0) {
        store.verify();
        store.close();
        store = Rlsm.open(directory, options());
      }
      store.settle();
      System.gc();
      report(store);
    }
    for (SoakWorker worker : workers) {
      worker.checkAll(store);
    }
    store.verify();
    store.close();
  }

  /** Runs a round of load with all workers, with interrupts. */
  private void load(KvStore store) throws InterruptedException {
    List<SoakWorker.Round> rounds = new ArrayList<>();
    for (SoakWorker worker : workers) {
      SoakWorker.Round round = worker.round(store, operations);
      rounds.add(round);
      round.start();
    }
    for (SoakWorker.Round round : rounds) {
      for (int i = 0; i < 10; i++) {
        rounds.get(random.nextInt(WORKERS)).interrupt();
        round.join(1 + random.nextInt(20));
      }
      round.join();
    }
    for (SoakWorker.Round round : rounds) {
      round.checkSucceeded();
    }
  }

  private void report(KvStore store) throws IOException {
    SoakMeasure[] measures = SoakMeasure.values();
    ByteBuffer numbers = ByteBuffer.allocate((1 + measures.length) * Long.BYTES);
    long done = 0;
    for (SoakWorker worker : workers) {
      done += worker.done();
    }
    numbers.putLong(done);
    for (SoakMeasure measure : measures) {
      numbers.putLong(measure.take(store));
    }
    reports.write(numbers.array());
  }
}
