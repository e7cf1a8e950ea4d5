// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.Map;

/**
 * The content of a directory's manifest. {@link ManifestRecovery} reads it, and
 * {@link VersionSet#open} continues from it.
 *
 * @param newStore whether the directory holds no store yet; then the version is empty
 * @param storeId the store's id; of a new store, 0 until {@link #withStoreId(long, Map)}
 * @param version the version that was current
 * @param nextFileNumber the lowest number for a new file: above every number in the directory, and
 *     not assigned by the version
 * @param droppedBytes ignored bytes at the manifest's end, which are not a complete record: an
 *     unacknowledged edit that a crash interrupted, or the end record after an edit
 * @param position number of the manifest, and how many records it has
 */
public record RecoveredManifest(
    boolean newStore,
    long storeId,
    Version version,
    long nextFileNumber,
    long droppedBytes,
    ManifestPosition position) {

  /**
   * Returns this state for a new store with an id and options. The store's first manifest contains
   * the options, so no crash leaves a store without them.
   *
   * @param id not 0
   * @param options the future {@link Version#options}
   * @throws IllegalStateException if the store is not new: its id and options are fixed
   */
  public RecoveredManifest withStoreId(long id, Map<String, String> options) {
    if (!newStore) {
      throw new IllegalStateException("the store already has the id " + Long.toHexString(storeId));
    }
    VersionEdit.Builder edit = VersionEdit.builder();
    options.forEach(edit::setOption);
    Version first = version.apply(edit.build());
    return new RecoveredManifest(true, id, first, nextFileNumber, droppedBytes, position);
  }
}
