// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.Comparator;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * A copy of HBase's order of store files by age, oldest first, which HBase keeps package-private.
 */
public final class FileAge {

  /** By sequence id; then larger files first; then by time of bulk load; then by name. */
  public static final Comparator<HStoreFile> OLDEST_FIRST = Comparator.comparingLong(
          HStoreFile::getMaxSequenceId)
      .thenComparing(Comparator.comparingLong(FileAge::bytes).reversed())
      .thenComparingLong(file -> file.getBulkLoadTimestamp().orElse(Long.MAX_VALUE))
      .thenComparing(file -> file.getPath().getName());

  private FileAge() {}

  /** The size of a file; −1 once its reader is closed. */
  public static long bytes(HStoreFile file) {
    StoreFileReader reader = file.getReader();
    return reader == null ? -1 : reader.length();
  }
}
