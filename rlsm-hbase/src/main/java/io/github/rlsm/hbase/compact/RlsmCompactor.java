// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.ShadowScanner;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.hbase.write.KeyFileFactory;
import io.github.rlsm.hbase.write.PartitionedFileWriter;
import io.github.rlsm.hbase.write.SeparatingWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter.WriterFactory;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
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
public final class RlsmCompactor extends AbstractMultiOutputCompactor<AbstractMultiFileWriter> {

  private final Supplier<StoreSettings> settings;
  private final KeyFileFactory keyFiles;

  /** The compactor of a store. */
  public RlsmCompactor(Configuration conf, HStore store, Supplier<StoreSettings> settings) {
    super(conf, store);
    this.settings = settings;
    this.keyFiles = new KeyFileFactory(conf, store);
  }

  /**
   * Reads files and writes new ones, not yet in the store's folder.
   *
   * @param request the files that the new ones replace
   * @param job what is read of them and how it is written
   * @param cuts where new files are begun
   * @param meter is told of the bytes of each new file
   */
  List<Path> compact(
      CompactionRequestImpl request,
      Job job,
      Cuts cuts,
      LongConsumer meter,
      ThroughputController throughput,
      User user)
      throws IOException {
    if (job.reads().isEmpty()) {
      return List.of();
    }
    CellSinkFactory<AbstractMultiFileWriter> sinks = (scanner, details, drop, major, created) -> {
      FilePlan plan = plan(request, cuts, details, settings.get().filterBits());
      return job.valueBytesMin() == 0
          ? plainWriter(plan, meter, () -> createWriter(details, drop, major, created))
          : separatingWriter(
              job,
              plan,
              meter,
              () -> createWriter(details, drop, major, created),
              () -> keyFiles.create(createParams(details, drop, major, created)));
    };
    return compact(new Reads(request, job), passingOn(job), sinks, throughput, user);
  }

  /** What is read of a request's files, which HBase's loop is given in its place. */
  private static final class Reads extends CompactionRequestImpl {
    private final CompactionRequestImpl whole;

    Reads(CompactionRequestImpl whole, Job job) {
      super(job.reads());
      this.whole = whole;
      setIsMajor(whole.isMajor(), whole.isAllFiles());
      setPriority(whole.getPriority());
      setTracker(whole.getTracker());
      setWriterCreationTracker(whole.getWriterCreationTracker());
    }
  }

  private InternalScannerFactory passingOn(Job job) {
    return new InternalScannerFactory() {
      @Override
      public ScanType getScanType(CompactionRequestImpl request) {
        return defaultScannerFactory.getScanType(request);
      }

      @Override
      public InternalScanner createScanner(
          ScanInfo scanInfo,
          List<StoreFileScanner> scanners,
          ScanType scanType,
          FileDetails details,
          long smallestReadPoint)
          throws IOException {
        for (StoreFileScanner scanner : scanners) {
          if (scanner instanceof ShadowScanner keys) {
            keys.passOn(job.stays());
          }
        }
        return defaultScannerFactory.createScanner(
            scanInfo, scanners, scanType, details, smallestReadPoint);
      }
    };
  }

  private AbstractMultiFileWriter plainWriter(
      FilePlan plan, LongConsumer meter, WriterFactory files) {
    PartitionedFileWriter writer = new PartitionedFileWriter(store.getComparator(), plan, meter);
    writer.init(null, files);
    return writer;
  }

  private AbstractMultiFileWriter separatingWriter(
      Job job, FilePlan plan, LongConsumer meter, WriterFactory complete, WriterFactory keys) {
    FilePlan beside =
        new FilePlan(List.of(), plan.cutBytes(), plan.seqId(), plan.major(), false, 0);
    SeparatingWriter writer = new SeparatingWriter(
        store.getComparator(),
        new SeparatingWriter.Plan(
            job.rewrites() ? Optional.of(beside) : Optional.empty(),
            plan,
            job.valueBytesMin(),
            job.inherited()),
        meter);
    writer.init(complete, keys);
    return writer;
  }

  private static FilePlan plan(
      CompactionRequestImpl request, Cuts cuts, FileDetails details, int filterBits) {
    return new FilePlan(
        cuts.bounds(), cuts.bytes(), details.maxSeqId, request.isAllFiles(), true, filterBits);
  }

  @Override
  protected List<Path> commitWriter(
      AbstractMultiFileWriter writer, FileDetails details, CompactionRequestImpl request)
      throws IOException {
    CompactionRequestImpl whole = request instanceof Reads reads ? reads.whole : request;
    return writer.commitWriters(details.maxSeqId, whole.isAllFiles(), whole.getFiles());
  }
}
