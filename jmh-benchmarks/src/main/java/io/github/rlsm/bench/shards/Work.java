// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.bench.shards;

import java.util.Locale;

/** What clients do. */
enum Work {
  /** Gets of existing keys, at random. */
  GET,
  /** Scans of fifty entries. */
  SCAN,
  /** Puts over existing keys, at random. */
  PUT,
  /** A put or a get, each as likely. */
  MIXED,
  /** Batches of eight puts, as one. */
  BATCH;

  static final int SCAN_ENTRIES = 50;
  static final int BATCH_PUTS = 8;

  /** Whether there are calls for it that do not wait. */
  boolean hasAsync() {
    return this == PUT || this == GET || this == MIXED;
  }

  /** The name in results. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
