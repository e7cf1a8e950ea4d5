// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

/**
 * A lower bound for the durable part of the store's manifest: this many records of this manifest
 * were durable, and the marker named this manifest or a later one. The head of each segment
 * contains such a mark, so that the loss of a manifest's last edits is detected.
 *
 * @param manifest number of the manifest; 0 for none
 * @param records the number of its durable records
 */
public record ManifestMark(long manifest, int records) {

  /** No manifest yet. */
  public static final ManifestMark NONE = new ManifestMark(0, 0);

  /** Returns whether this mark is later than another. */
  public boolean isPast(ManifestMark other) {
    return manifest != other.manifest ? manifest > other.manifest : records > other.records;
  }

  @Override
  public String toString() {
    return records + " records of manifest " + manifest;
  }
}
