// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

/**
 * A position up to which the store's manifest was durable. This many records of this manifest were
 * durable, and the current marker named this manifest or a later one. The head of each segment
 * contains such a position, so that the loss of a manifest's last edits is detected.
 *
 * @param manifest number of the manifest; 0 for none
 * @param records the number of its durable records
 */
public record ManifestPosition(long manifest, int records) {

  /** No manifest yet. */
  public static final ManifestPosition NONE = new ManifestPosition(0, 0);

  /** Returns whether this position is later than another. */
  public boolean isPast(ManifestPosition other) {
    return manifest != other.manifest ? manifest > other.manifest : records > other.records;
  }

  @Override
  public String toString() {
    return records + " records of manifest " + manifest;
  }
}
