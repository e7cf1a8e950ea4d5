// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.hbase.write.PartitionedFileWriter;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
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

  private final Supplier<StoreSettings> settings;

  /** The compactor of a store. */
  public RlsmCompactor(Configuration conf, HStore store, Supplier<StoreSettings> settings) {
    super(conf, store);
    this.settings = settings;
  }

  /**
   * Reads the files of a request and writes new ones, not yet in the store's folder.
   *
   * @param cuts where new files are begun
   * @param meter is told of the bytes of each new file
   */
  List<Path> compact(
      CompactionRequestImpl request,
      Cuts cuts,
      LongConsumer meter,
      ThroughputController throughput,
      User user)
      throws IOException {
    CellSinkFactory<PartitionedFileWriter> sinks =
        (scanner, details, dropBehind, major, created) -> {
          PartitionedFileWriter writer =
              new PartitionedFileWriter(store.getComparator(), plan(request, cuts, details), meter);
          initMultiWriter(writer, scanner, details, dropBehind, major, created);
          return writer;
        };
    return compact(request, defaultScannerFactory, sinks, throughput, user);
  }

  private FilePlan plan(CompactionRequestImpl request, Cuts cuts, FileDetails details) {
    return new FilePlan(
        cuts.bounds(),
        cuts.bytes(),
        details.maxSeqId,
        request.isAllFiles(),
        true,
        settings.get().filterBits());
  }

  @Override
  protected List<Path> commitWriter(
      PartitionedFileWriter writer, FileDetails details, CompactionRequestImpl request)
      throws IOException {
    return writer.commitWriters(details.maxSeqId, request.isAllFiles(), request.getFiles());
  }
}
