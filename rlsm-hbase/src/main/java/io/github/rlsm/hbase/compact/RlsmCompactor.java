// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.files.ShadowScanner;
import io.github.rlsm.hbase.write.BlockBytes;
import io.github.rlsm.hbase.write.CellOffsets;
import io.github.rlsm.hbase.write.FilePlan;
import io.github.rlsm.hbase.write.MergedValues;
import io.github.rlsm.hbase.write.PartitionedFileWriter;
import io.github.rlsm.hbase.write.SeparatingWriter;
import io.github.rlsm.hbase.write.SizedBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter;
import org.apache.hadoop.hbase.regionserver.AbstractMultiFileWriter.WriterFactory;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.regionserver.compactions.AbstractMultiOutputCompactor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * Compacts with HBase's own scanner, which implements deletes, versions and lifetimes, and writes
 * files by partition. Deletes are dropped only if all files of the store are inputs.
 *
 * <p>Threads: any; the compactor keeps no state of a compaction.
 */
public final class RlsmCompactor extends AbstractMultiOutputCompactor<AbstractMultiFileWriter> {

  private final SizedBlocks blocks;

  /** Creates the compactor of a store. */
  public RlsmCompactor(Configuration conf, HStore store) {
    super(conf, store);
    this.blocks = new SizedBlocks(conf, store);
  }

  /**
   * Reads files and writes new ones, which are not in the store's folder yet.
   *
   * @param request the files that the new ones replace
   * @param job the files to read and how to write them
   * @param cuts where new files begin
   * @param meter receives the size of each new file
   */
  List<Path> compact(
      CompactionRequestImpl request,
      Job job,
      Cuts cuts,
      LongConsumer meter,
      ThroughputController throughput,
      User user)
      throws IOException {
    if (job.inputs().reads().isEmpty()) {
      return List.of();
    }
    CellSinkFactory<AbstractMultiFileWriter> sinks = (scanner, details, drop, major, created) -> {
      FilePlan plan = plan(request, cuts, details);
      CreateStoreFileWriterParams params = createParams(details, drop, major, created);
      BlockBytes bytes = blocks.bytes();
      int share = bytes.ofShare(job.inputs().share());
      return job.valueBytesMin() == 0
          ? plainWriter(plan, meter, () -> blocks.create(params, share))
          : separatingWriter(
              job,
              plan,
              meter,
              blocks.offsets(params),
              () -> blocks.create(params, bytes.values()),
              () -> blocks.create(
                  createParams(details, drop, major, created)
                      .includesTag(true)
                      .includeMVCCReadpoint(true),
                  bytes.keys()));
    };
    return compact(
        new Reads(request, job.inputs().reads()), passingOn(job), sinks, throughput, user);
  }

  /**
   * Merges value files into one, in which key files continue to find their values. The new file
   * holds every cell of the inputs, even if a coprocessor drops or changes cells. The coprocessor
   * sees the cells once more when a key file is compacted.
   *
   * @param request the value files
   * @param meter receives the size of the new file
   */
  List<Path> mergeValues(
      CompactionRequestImpl request, LongConsumer meter, ThroughputController throughput, User user)
      throws IOException {
    MergedValues merged = MergedValues.of(request.getFiles());
    Reads reads = new Reads(request, request.getFiles());
    CellSinkFactory<AbstractMultiFileWriter> sinks = (scanner, details, drop, major, created) -> {
      FilePlan plan = new FilePlan(List.of(), FilePlan.UNCUT, details.maxSeqId, false, false);
      PartitionedFileWriter writer =
          new PartitionedFileWriter(store.getComparator(), plan, meter, merged);
      CreateStoreFileWriterParams params = createParams(details, drop, major, created);
      writer.init(null, () -> blocks.create(params, blocks.bytes().mergedValues()));
      return writer;
    };
    InternalScannerFactory scanners = scanners((info, open, type, details, readPoint) -> {
      WholeScanner all = new WholeScanner(open, store.getComparator());
      reads.all = all;
      return all;
    });
    return compact(reads, scanners, sinks, throughput, user);
  }

  /** Bypasses wrappers that a coprocessor may have put around the scanner of value files. */
  @Override
  protected boolean performCompaction(
      FileDetails details,
      InternalScanner scanner,
      CellSink writer,
      long smallestReadPoint,
      boolean cleanSeqId,
      ThroughputController throughput,
      CompactionRequestImpl request,
      CompactionProgress progress)
      throws IOException {
    WholeScanner all = request instanceof Reads reads ? reads.all : null;
    try (InternalScanner from = all == null ? null : all) {
      return super.performCompaction(
          details,
          from == null ? scanner : from,
          writer,
          smallestReadPoint,
          cleanSeqId,
          throughput,
          request,
          progress);
    }
  }

  /** The files that HBase's loop reads, in place of all files of the request. */
  private static final class Reads extends CompactionRequestImpl {
    private final CompactionRequestImpl whole;
    private @Nullable WholeScanner all;

    Reads(CompactionRequestImpl whole, Collection<HStoreFile> files) {
      super(files);
      this.whole = whole;
      setIsMajor(whole.isMajor(), whole.isAllFiles());
      setPriority(whole.getPriority());
      setTracker(whole.getTracker());
      setWriterCreationTracker(whole.getWriterCreationTracker());
    }
  }

  private InternalScannerFactory passingOn(Job job) {
    return scanners((info, open, type, details, readPoint) -> {
      List<ShadowScanner> keys = new ArrayList<>();
      for (StoreFileScanner scanner : open) {
        if (scanner instanceof ShadowScanner one) {
          one.passOn(job.stays());
          keys.add(one);
        }
      }
      ShadowScanner.shareValues(keys);
      return defaultScannerFactory.createScanner(info, open, type, details, readPoint);
    });
  }

  /** Combines the scanners of single files. */
  @FunctionalInterface
  private interface Together {
    InternalScanner of(
        ScanInfo info,
        List<StoreFileScanner> open,
        ScanType type,
        FileDetails details,
        long readPoint)
        throws IOException;
  }

  private InternalScannerFactory scanners(Together together) {
    return new InternalScannerFactory() {
      @Override
      public ScanType getScanType(CompactionRequestImpl request) {
        return defaultScannerFactory.getScanType(request);
      }

      @Override
      public InternalScanner createScanner(
          ScanInfo info,
          List<StoreFileScanner> open,
          ScanType type,
          FileDetails details,
          long readPoint)
          throws IOException {
        return together.of(info, open, type, details, readPoint);
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
      Job job,
      FilePlan plan,
      LongConsumer meter,
      CellOffsets offsets,
      WriterFactory complete,
      WriterFactory keys) {
    FilePlan beside = new FilePlan(List.of(), plan.cutBytes(), plan.seqId(), plan.major(), false);
    SeparatingWriter writer = new SeparatingWriter(
        store.getComparator(),
        new SeparatingWriter.Plan(
            job.rewrites() ? Optional.of(beside) : Optional.empty(),
            plan,
            job.valueBytesMin(),
            job.inherited(),
            offsets),
        meter);
    writer.init(complete, keys);
    return writer;
  }

  private static FilePlan plan(CompactionRequestImpl request, Cuts cuts, FileDetails details) {
    return new FilePlan(cuts.bounds(), cuts.bytes(), details.maxSeqId, request.isAllFiles(), true);
  }

  @Override
  protected List<Path> commitWriter(
      AbstractMultiFileWriter writer, FileDetails details, CompactionRequestImpl request)
      throws IOException {
    CompactionRequestImpl whole = request instanceof Reads reads ? reads.whole : request;
    return writer.commitWriters(details.maxSeqId, whole.isAllFiles(), whole.getFiles());
  }
}
