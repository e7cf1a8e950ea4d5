// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.workload.Phase.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The phases of the matrix. Reads and the 50/50 phase last equally long for every store. A load is
 * complete, so that the amount of data is the same for every store. Overwrites are as many as keys,
 * and twice as many if the data fits in memory, so that garbage has to be collected.
 *
 * <p>Zipfian scans and overwrites run after the uniform ones on the same store. The uniform
 * overwrites have changed the order of values by then, so the zipfian scans are first scans too.
 *
 * <p>The 50/50 phase is the last. A faster store writes more in its time, so a phase after it would
 * begin with different amounts of unfinished background work.
 */
public final class MatrixPhases {

  /** Short zipfian scans. */
  public static final String SCAN_SHORT_ZIPFIAN = "zipf scan ≤100";

  /** Long zipfian scans. */
  public static final String SCAN_LONG_ZIPFIAN = "zipf scan 1000";

  /** Zipfian overwrites. */
  public static final String OVERWRITE_ZIPFIAN = "zipf overwrite";

  /** Settling after the zipfian overwrites. */
  public static final String OVERWRITE_ZIPFIAN_SETTLE = "zipf overwrite settle";

  /** Time limit of a load, in seconds. Only a store with a defect needs as long. */
  static final int LOAD_SECONDS_MAX = 600;

  /** Time limit of overwrites, in seconds. */
  public static final int OVERWRITE_SECONDS_MAX = 40;

  private MatrixPhases() {}

  /**
   * The phases of a workload, in order.
   *
   * @param fitsInMemory whether the data fits in the memory of the process
   * @param seconds duration of each read phase and of the 50/50 phase
   */
  public static List<Phase> of(Workload workload, int clients, boolean fitsInMemory, int seconds) {
    long keys = workload.keys();
    long overwrites = overwriteRounds(fitsInMemory) * keys;
    List<Phase> phases = new ArrayList<>(List.of(
        new Phase(PhasePlan.LOAD, Kind.LOAD, clients, keys, LOAD_SECONDS_MAX),
        settle(PhasePlan.LOAD_SETTLE),
        timed(PhasePlan.READ, Kind.READ, clients, seconds),
        timed(PhasePlan.READ_ZIPFIAN, Kind.READ_ZIPFIAN, clients, seconds),
        timed(PhasePlan.SCAN_SHORT, Kind.SCAN_SHORT, clients, seconds),
        timed(PhasePlan.SCAN_LONG, Kind.SCAN_LONG, clients, seconds),
        overwrite(PhasePlan.OVERWRITE, Kind.OVERWRITE, clients, overwrites),
        settle(PhasePlan.OVERWRITE_SETTLE)));
    if (workload.order() == KeyOrder.RANDOM) {
      phases.add(timed(SCAN_SHORT_ZIPFIAN, Kind.SCAN_SHORT_ZIPFIAN, clients, seconds));
      phases.add(timed(SCAN_LONG_ZIPFIAN, Kind.SCAN_LONG_ZIPFIAN, clients, seconds));
      phases.add(overwrite(OVERWRITE_ZIPFIAN, Kind.OVERWRITE_ZIPFIAN, clients, overwrites));
      phases.add(settle(OVERWRITE_ZIPFIAN_SETTLE));
    }
    phases.add(timed(PhasePlan.MIXED, Kind.MIXED, clients, seconds));
    return List.copyOf(phases);
  }

  /** The number of puts in a phase of overwrites, relative to the number of keys. */
  public static int overwriteRounds(boolean fitsInMemory) {
    return fitsInMemory ? 2 : 1;
  }

  private static Phase timed(String name, Kind kind, int clients, int seconds) {
    return new Phase(name, kind, clients, Phase.TIMED, seconds);
  }

  private static Phase overwrite(String name, Kind kind, int clients, long overwrites) {
    return new Phase(name, kind, clients, overwrites, OVERWRITE_SECONDS_MAX);
  }

  private static Phase settle(String name) {
    return new Phase(name, Kind.SETTLE, 1, 0, LOAD_SECONDS_MAX);
  }
}
