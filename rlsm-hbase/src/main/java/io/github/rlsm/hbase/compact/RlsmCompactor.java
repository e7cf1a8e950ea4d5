// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.AbstractMultiOutputCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;

/**
 * Compacts with HBase's own scanner, which knows what deletes, versions and lifetimes mean, into
 * files by partition. Deletes go when all files of the store are inputs, and only then.
 *
 * <p>Threads: any; it keeps no state of a compaction.
 */
public final class RlsmCompactor extends AbstractMultiOutputCompactor<PartitionedFileWriter> {

  /** The compactor of a store. */
  public RlsmCompactor(Configuration conf, HStore store) {
    super(conf, store);
  }

  /**
   * Reads the files of a request and writes new ones, not yet in the store's folder.
   *
   * @param bounds the rows at which a new file is begun
   * @param cutBytes the size at which a new file is begun, at the next row
   */
  List<Path> compact(
      CompactionRequestImpl request,
      List<byte[]> bounds,
      long cutBytes,
      ThroughputController throughput,
      User user)
      throws IOException {
    CellSinkFactory<PartitionedFileWriter> sinks =
        (scanner, details, dropBehind, major, created) -> {
          PartitionedFileWriter writer =
              new PartitionedFileWriter(store.getComparator(), bounds, cutBytes);
          initMultiWriter(writer, scanner, details, dropBehind, major, created);
          return writer;
        };
    return compact(request, defaultScannerFactory, sinks, throughput, user);
  }

  @Override
  protected List<Path> commitWriter(
      PartitionedFileWriter writer, FileDetails details, CompactionRequestImpl request)
      throws IOException {
    return writer.commitWriters(details.maxSeqId, request.isAllFiles(), request.getFiles());
  }
}
