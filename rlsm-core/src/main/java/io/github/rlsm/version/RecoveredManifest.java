// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import java.util.Locale;

/**
 * What a directory's manifest says; found by {@link ManifestRecovery}, continued by
 * {@link VersionSet#open}.
 *
 * @param newStore whether the directory holds no store yet; then the version is empty
 * @param storeId the store's id; of a new store, 0 until {@link #withStoreId}
 * @param version the version that was current
 * @param nextFileNumber lowest number that no file in the directory has and the version has not
 *     given
 * @param droppedBytes bytes at the manifest's end that are no whole record and were left out: an
 *     edit that was being installed in a crash and not acknowledged, or the mark after one
 */
public record RecoveredManifest(
    boolean newStore, long storeId, Version version, long nextFileNumber, long droppedBytes) {

  /**
   * The same, as a store of that id.
   *
   * @throws IllegalStateException if the store is not new: its id stands
   */
  public RecoveredManifest withStoreId(long id) {
    if (!newStore) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the store has an id, %016x", storeId));
    }
    return new RecoveredManifest(true, id, version, nextFileNumber, droppedBytes);
  }
}
