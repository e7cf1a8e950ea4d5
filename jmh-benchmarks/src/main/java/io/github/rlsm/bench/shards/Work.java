// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import java.util.List;
import java.util.Locale;

/** The kinds of work that clients do. */
public enum Work {
  /** Gets of existing keys, at random. */
  GET,
  /** Scans of fifty entries. */
  SCAN,
  /** Puts over existing keys, at random. */
  PUT,
  /** A put or a get, with equal probability. */
  MIXED,
  /** Batches of eight puts. */
  BATCH,
  /** Durable batches of eight puts. */
  BATCH_SYNC,
  /** Scans of ten entries. */
  SCAN_10,
  /** Scans of thirty entries. */
  SCAN_30,
  /** Scans of a hundred entries. */
  SCAN_100,
  /** Scans of three hundred entries. */
  SCAN_300,
  /** Scans of a thousand entries. */
  SCAN_1000,
  /** Scans of ten thousand entries. */
  SCAN_10000;

  /** The default work of a comparison. */
  public static final List<Work> USUAL = List.of(GET, SCAN, PUT, MIXED, BATCH);

  static final int BATCH_PUTS = 8;

  /** Whether there are asynchronous calls for this work. */
  boolean hasAsync() {
    return this == PUT || this == GET || this == MIXED;
  }

  /** The number of entries in a scan. */
  int entries() {
    return switch (this) {
      case SCAN -> 50;
      case SCAN_10 -> 10;
      case SCAN_30 -> 30;
      case SCAN_100 -> 100;
      case SCAN_300 -> 300;
      case SCAN_1000 -> 1_000;
      case SCAN_10000 -> 10_000;
      case GET, PUT, MIXED, BATCH, BATCH_SYNC -> 0;
    };
  }

  /** The name in results. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
