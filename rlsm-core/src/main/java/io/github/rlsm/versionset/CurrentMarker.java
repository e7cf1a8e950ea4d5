// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import java.util.Locale;

/**
 * The file {@code CURRENT}, which names the manifest in force. It consists of one file header. The
 * header's file number is the number of the manifest (FORMAT.md, "Current marker").
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Current marker".
 */
final class CurrentMarker {

  private CurrentMarker() {}

  /**
   * Puts a complete and forced manifest in force. When this returns, the switch survives power
   * loss.
   *
   * @throws ResourceExhaustedException if a resource ran out before the switch, so the old manifest
   *     is still in force
   * @throws StoreIoException for any other error; then either manifest may be in force
   */
  static void write(StoreDirectory directory, long storeId, long manifest) {
    if (directory.exists(StoreFileName.CURRENT_TEMPORARY)) {
      directory.delete(StoreFileName.CURRENT_TEMPORARY);
    }
    try (AppendFile marker = directory.create(StoreFileName.CURRENT_TEMPORARY)) {
      marker.append(new FileHeader(FileHeader.Kind.CURRENT, storeId, manifest).encode());
      marker.force();
    }
    // The names of the manifest and of the marker must be durable before the rename can be durable.
    directory.syncDirectory();
    directory.rename(StoreFileName.CURRENT_TEMPORARY, StoreFileName.CURRENT);
    try {
      directory.syncDirectory();
    } catch (ResourceExhaustedException e) {
      throw new StoreIoException("force directory", directory.path(), e);
    }
  }

  /**
   * Reads the marker's header.
   *
   * @throws CorruptionException if the file is damaged
   */
  static FileHeader read(StoreDirectory directory) {
    String name = StoreFileName.CURRENT;
    long bytes = directory.size(name);
    if (bytes != FileHeader.BYTES) {
      throw new CorruptionException(
          name,
          0,
          String.format(
              Locale.ROOT, "the file has %d bytes instead of %d", bytes, FileHeader.BYTES));
    }
    try (MappedFile marker = directory.openReadOnly(name)) {
      FileHeader header = MappedFaults.using(name, () -> FileHeader.decode(marker.memory(), name));
      header.expectKind(name, FileHeader.Kind.CURRENT);
      return header;
    }
  }
}
