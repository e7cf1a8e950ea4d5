// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.log.ManifestMark;
import java.util.Map;

/**
 * What a directory's manifest says; found by {@link ManifestRecovery}, continued by
 * {@link VersionSet#open}.
 *
 * @param newStore whether the directory holds no store yet; then the version is empty
 * @param storeId the store's id; of a new store, 0 until {@link #withStoreId(long, Map)}
 * @param version the version that was current
 * @param nextFileNumber lowest number that no file in the directory has and the version has not
 *     given
 * @param droppedBytes bytes at the manifest's end that are no whole record and were left out: an
 *     edit that was being installed in a crash and not acknowledged, or the mark after one
 * @param mark which manifest was read, and how much there is of it
 */
public record RecoveredManifest(
    boolean newStore,
    long storeId,
    Version version,
    long nextFileNumber,
    long droppedBytes,
    ManifestMark mark) {

  /** As {@link #withStoreId(long, Map)}, for a store without options that shape the disk. */
  public RecoveredManifest withStoreId(long id) {
    return withStoreId(id, Map.of());
  }

  /**
   * The same, as a store of that id and with these options. They stand in its first manifest, so no
   * crash leaves a store without them.
   *
   * @param id not 0
   * @param options what {@link Version#options} is to say
   * @throws IllegalStateException if the store is not new: its id and options stand
   */
  public RecoveredManifest withStoreId(long id, Map<String, String> options) {
    if (!newStore) {
      throw new IllegalStateException("the store has an id, " + Long.toHexString(storeId));
    }
    VersionEdit.Builder edit = VersionEdit.builder();
    options.forEach(edit::setOption);
    Version first = version.apply(edit.build());
    return new RecoveredManifest(true, id, first, nextFileNumber, droppedBytes, mark);
  }
}
