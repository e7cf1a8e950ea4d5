// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.workload;

import io.github.rlsm.bench.workload.Phase.Kind;
import java.util.ArrayList;
import java.util.List;

/** The phases of a workload, and their names in reports. */
public final class PhasePlan {

  /** The random load. */
  public static final String LOAD = "load";

  /** Settling after the load. */
  public static final String LOAD_SETTLE = "load settle";

  /** Uniform reads. */
  public static final String READ = "read";

  /** Zipfian reads. */
  public static final String READ_ZIPFIAN = "zipf read";

  /** Short scans. */
  public static final String SCAN_SHORT = "scan ≤100";

  /** Long scans. */
  public static final String SCAN_LONG = "scan 1000";

  /** Short scans again, to see the effect of the earlier scans. */
  public static final String SCAN_SHORT_AGAIN = "scan ≤100 again";

  /** Uniform overwrites. */
  public static final String OVERWRITE = "overwrite";

  /** Settling after the overwrites. */
  public static final String OVERWRITE_SETTLE = "overwrite settle";

  /** Half reads, half zipfian overwrites. */
  public static final String MIXED = "50/50 zipf";

  /** Deletes of every second key. */
  public static final String DELETE = "delete";

  /** Settling after the deletes. */
  public static final String DELETE_SETTLE = "delete settle";

  /** Durable writes of single blocks, past the page cache, before the store's phases. */
  public static final String DEVICE_BEFORE = "device write before";

  /** The same device writes after the store's phases. */
  public static final String DEVICE_AFTER = "device write after";

  /** A clean close. */
  public static final String CLOSE = "close";

  /** The opening after the close. */
  public static final String OPEN = "open";

  /** A few uniform reads by one client, to check that the written data is still present. */
  public static final String CHECK = "check";

  /** Overwrites that fill the store's memory, and that no settling follows. */
  public static final String WRITE_BEFORE_KILL = "write before kill";

  /** A kill of the process, and the opening in a new process, which alone is measured. */
  public static final String RECOVERY = "recovery";

  /** The same reads as {@link #CHECK}, after the recovery. */
  public static final String CHECK_AFTER_KILL = "check after kill";

  private static final int REHEARSAL_SECONDS = 1;

  /** The longest time of a load that warms up the just-in-time compiler, in seconds. */
  public static final int LOAD_REHEARSAL_SECONDS = 3;

  /** The longest time of overwrites after this load, in seconds. */
  public static final int OVERWRITE_REHEARSAL_SECONDS = 2;

  private static final List<Integer> SYNC_CLIENTS = List.of(1, 2, 8, 32);
  private static final long SHORT_SCAN_SHARE = 20;
  private static final long LONG_SCAN_SHARE = 500;
  private static final long SCANS_MIN = 200;
  private static final long DEVICE_WRITE_SHARE = 10;
  private static final long CHECK_READS = 10_000;
  private static final long BYTES_BEFORE_KILL = 128L << 20;

  private PhasePlan() {}

  /**
   * The phases of a workload, in order.
   *
   * @param readRounds factor for the number of gets and scans
   * @param secondsMax time after which any phase is stopped
   */
  public static List<Phase> of(Workload workload, int clients, int readRounds, int secondsMax) {
    return workload.sync()
        ? syncPhases(workload, secondsMax)
        : storePhases(workload, clients, readRounds, secondsMax);
  }

  /** The phases before the recovery, which needs a second process. */
  public static List<Phase> beforeKill(List<Phase> phases) {
    return phases.stream().takeWhile(phase -> phase.kind() != Kind.RECOVER).toList();
  }

  /**
   * The phases that warm up the just-in-time compiler. Gets, scans and overwrites run for
   * {@value #REHEARSAL_SECONDS} s each. With their number of operations for little data, part of
   * the scans was compiled while the first ones were measured. With 4,194 values of 16,000 bytes,
   * compilation took a third of the processor time of the measured overwrites.
   */
  public static List<Phase> rehearsal(List<Phase> phases) {
    return beforeKill(phases).stream()
        .map(phase -> phase.kind().isRead() || phase.kind() == Kind.OVERWRITE
            ? new Phase(phase.name(), phase.kind(), phase.clients(), Phase.TIMED, REHEARSAL_SECONDS)
            : phase)
        .toList();
  }

  /**
   * A load of at most {@value #LOAD_REHEARSAL_SECONDS} s, and its settling, to warm up the
   * compiler. None if durable writes are measured.
   *
   * <p>If the data fits in memory, overwrites of at most {@value #OVERWRITE_REHEARSAL_SECONDS} s
   * follow. Such a store first moves values when they are overwritten. Without this phase,
   * compilation took a quarter of the processor time of measured overwrites.
   */
  public static List<Phase> writeRehearsal(Workload workload, int clients, boolean fitsInMemory) {
    if (workload.sync()) {
      return List.of();
    }
    List<Phase> phases = new ArrayList<>();
    phases.add(new Phase(LOAD, Kind.LOAD, clients, workload.keys(), LOAD_REHEARSAL_SECONDS));
    phases.add(new Phase(LOAD_SETTLE, Kind.SETTLE, 1, 0, LOAD_REHEARSAL_SECONDS));
    if (fitsInMemory) {
      int seconds = OVERWRITE_REHEARSAL_SECONDS;
      phases.add(new Phase(OVERWRITE, Kind.OVERWRITE, clients, Phase.TIMED, seconds));
      phases.add(new Phase(OVERWRITE_SETTLE, Kind.SETTLE, 1, 0, seconds));
    }
    return phases;
  }

  /** The numbers of clients that have a phase of synchronous puts. */
  public static List<Integer> syncClients() {
    return SYNC_CLIENTS;
  }

  /** The name of the phase of synchronous puts by a number of clients. */
  public static String syncName(int clients) {
    return clients == 1 ? "sync put, 1 thread" : "sync put, " + clients + " threads";
  }

  /** The largest number of clients in any of the phases. */
  public static int clientsMax(List<Phase> phases) {
    return phases.stream().mapToInt(Phase::clients).max().orElse(1);
  }

  private static List<Phase> storePhases(
      Workload workload, int clients, int readRounds, int secondsMax) {
    long keys = workload.keys();
    long reads = keys * readRounds;
    long shortScans = Math.max(SCANS_MIN, keys / SHORT_SCAN_SHARE) * readRounds;
    long longScans = Math.max(SCANS_MIN, keys / LONG_SCAN_SHARE) * readRounds;
    long deletes = PresentKeys.deletes(keys);
    long writesBeforeKill = Math.min(keys, BYTES_BEFORE_KILL / workload.entryBytes());
    return List.of(
        new Phase(LOAD, Kind.LOAD, clients, keys, secondsMax),
        new Phase(LOAD_SETTLE, Kind.SETTLE, 1, 0, secondsMax),
        new Phase(READ, Kind.READ, clients, reads, secondsMax),
        new Phase(READ_ZIPFIAN, Kind.READ_ZIPFIAN, clients, reads, secondsMax),
        new Phase(SCAN_SHORT, Kind.SCAN_SHORT, clients, shortScans, secondsMax),
        new Phase(SCAN_LONG, Kind.SCAN_LONG, clients, longScans, secondsMax),
        new Phase(SCAN_SHORT_AGAIN, Kind.SCAN_SHORT, clients, shortScans, secondsMax),
        new Phase(OVERWRITE, Kind.OVERWRITE, clients, keys, secondsMax),
        new Phase(OVERWRITE_SETTLE, Kind.SETTLE, 1, 0, secondsMax),
        new Phase(MIXED, Kind.MIXED, clients, keys, secondsMax),
        new Phase(DELETE, Kind.DELETE, clients, deletes, secondsMax),
        new Phase(DELETE_SETTLE, Kind.SETTLE, 1, 0, secondsMax),
        new Phase(CLOSE, Kind.CLOSE, 1, 0, secondsMax),
        new Phase(OPEN, Kind.OPEN, 1, 0, secondsMax),
        check(CHECK, workload, secondsMax),
        new Phase(WRITE_BEFORE_KILL, Kind.OVERWRITE, clients, writesBeforeKill, secondsMax),
        new Phase(RECOVERY, Kind.RECOVER, 1, 0, secondsMax),
        check(CHECK_AFTER_KILL, workload, secondsMax));
  }

  private static List<Phase> syncPhases(Workload workload, int secondsMax) {
    List<Phase> phases = new ArrayList<>();
    long deviceWrites = workload.keys() / DEVICE_WRITE_SHARE;
    phases.add(new Phase(DEVICE_BEFORE, Kind.DEVICE_WRITE, 1, deviceWrites, secondsMax));
    for (int clients : SYNC_CLIENTS) {
      phases.add(new Phase(syncName(clients), Kind.LOAD, clients, workload.keys(), secondsMax));
    }
    phases.add(new Phase(DEVICE_AFTER, Kind.DEVICE_WRITE, 1, deviceWrites, secondsMax));
    phases.add(new Phase(CLOSE, Kind.CLOSE, 1, 0, secondsMax));
    phases.add(new Phase(OPEN, Kind.OPEN, 1, 0, secondsMax));
    phases.add(check(CHECK, workload, secondsMax));
    return phases;
  }

  private static Phase check(String name, Workload workload, int secondsMax) {
    long reads = Math.min(CHECK_READS, workload.keys());
    return new Phase(name, Kind.READ, 1, reads, secondsMax);
  }
}
