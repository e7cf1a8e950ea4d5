// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.matrix;

import io.github.rlsm.bench.result.RunSpec;
import io.github.rlsm.bench.store.StoreKind;
import io.github.rlsm.bench.store.StoreSettings;
import io.github.rlsm.bench.workload.KeyOrder;
import io.github.rlsm.bench.workload.MatrixPhases;
import io.github.rlsm.bench.workload.Phase;
import io.github.rlsm.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One set of loaded data, and the number of clients that load and use it.
 *
 * @param valueBytes bytes of each value
 * @param amount amount of data
 * @param order order in which keys are loaded
 * @param clients number of client threads
 */
public record MatrixCase(int valueBytes, Amount amount, KeyOrder order, int clients) {

  /** From this size on BlobDB is measured too; below, leveled RocksDB was faster in every phase. */
  static final int BLOB_BYTES_MIN = 1_000;

  private static final long KEYS_MIN = 1_000;
  private static final long SEED = 1;

  /** The name of the case in names of files. */
  public String name() {
    return String.format(
        Locale.ROOT,
        "%db-%s-%s-%dt",
        valueBytes,
        amount.option(),
        order.name().toLowerCase(Locale.ROOT),
        clients);
  }

  /** A description for a reader. */
  public String title() {
    return String.format(
        Locale.ROOT,
        "%,d B, %s × memory, %s keys, %d threads",
        valueBytes,
        amount.sign(),
        order.name().toLowerCase(Locale.ROOT),
        clients);
  }

  /** This project's store, then its peers. */
  public List<StoreKind> stores() {
    if (amount == Amount.QUARTER) {
      return List.of(StoreKind.RLSM, StoreKind.LMDB);
    }
    List<StoreKind> stores = new ArrayList<>(List.of(StoreKind.RLSM, StoreKind.ROCKSDB));
    if (valueBytes >= BLOB_BYTES_MIN) {
      stores.add(StoreKind.BLOBDB);
    }
    return stores;
  }

  /** The data of the case. */
  public Workload workload(MatrixSettings settings) {
    double data = amount.share() * (double) settings.memoryBytes() * settings.scale();
    long keys = Math.max(KEYS_MIN, (long) (data / (StoreSettings.KEY_BYTES + valueBytes)));
    return new Workload(name(), keys, valueBytes, false, order);
  }

  /** The phases of each process, in order. */
  List<Phase> phases(MatrixSettings settings) {
    Workload workload = workload(settings);
    boolean fits = StoreSettings.fitsInMemory(workload.dataBytes(), settings.memoryBytes());
    return MatrixPhases.of(workload, clients, fits, settings.seconds());
  }

  /** The tasks of the case's processes, in order. */
  public List<RunSpec> specs(MatrixSettings settings) {
    return stores().stream()
        .map(store -> new RunSpec(
            store,
            workload(settings),
            new RunSpec.Conditions(clients, settings.memoryBytes(), SEED, settings.seconds()),
            new RunSpec.Plan(List.of(), 1, settings.rehearse(), RunSpec.Schedule.MATRIX),
            settings.rlsmOptions()))
        .toList();
  }
}
