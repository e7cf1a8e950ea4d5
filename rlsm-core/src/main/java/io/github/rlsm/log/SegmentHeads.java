// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The source of the heads that a store writes into its new segments.
 *
 * <p>Threads: as the suppliers allow; {@link SegmentFiles} calls it under its monitor.
 *
 * @param storeId the id of the store
 * @param salts random numbers
 * @param manifest returns the durable part of the manifest
 */
public record SegmentHeads(long storeId, IntSupplier salts, Supplier<ManifestPosition> manifest) {

  /** Returns the head of a segment of a generation, with a new salt, for a base seqno of 0. */
  SegmentLayout next(int generation) {
    return new SegmentLayout(generation, 0, salts.getAsInt(), manifest.get());
  }
}
