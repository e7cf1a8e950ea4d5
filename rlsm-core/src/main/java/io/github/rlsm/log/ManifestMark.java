// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

/**
 * How far the store's manifest had got, for certain: these records of this manifest were durable,
 * and the marker named it or a later one. Each head of a segment says it, so that a manifest that
 * has lost its last edits is found out.
 *
 * @param manifest number of the manifest; 0 for none
 * @param records how many of its records were durable
 */
public record ManifestMark(long manifest, int records) {

  /** No manifest yet. */
  public static final ManifestMark NONE = new ManifestMark(0, 0);

  /** Whether this one says more than another. */
  public boolean isPast(ManifestMark other) {
    return manifest != other.manifest ? manifest > other.manifest : records > other.records;
  }

  @Override
  public String toString() {
    return records + " records of manifest " + manifest;
  }
}
