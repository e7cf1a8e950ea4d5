// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;

/**
 * One compaction, from the selection of its files to the new files. If a coprocessor selected the
 * files, the new files follow the current partitions.
 *
 * <p>Threads: one thread selects, then another one runs the compaction.
 */
public final class RlsmCompaction extends CompactionContext {

  private static final String BY_COPROCESSOR = "coprocessor";

  private final RlsmCompactionPolicy policy;
  private final RlsmCompactor compactor;
  private final StoreFileSet files;
  private Optional<Selection<HStoreFile>> selection = Optional.empty();
  private Optional<Job> job = Optional.empty();

  /** Creates a compaction without selected files. */
  public RlsmCompaction(RlsmCompactionPolicy policy, RlsmCompactor compactor, StoreFileSet files) {
    this.policy = policy;
    this.compactor = compactor;
    this.files = files;
  }

  /**
   * The files that a coprocessor may choose from. Scans do not read value files that key files
   * cover, so these are not among them, and HBase would not find one that is being merged.
   */
  @Override
  public List<HStoreFile> preSelect(List<HStoreFile> filesCompacting) {
    List<HStoreFile> read = files.readFiles();
    List<HStoreFile> busy = new ArrayList<>(filesCompacting);
    busy.retainAll(Set.copyOf(read));
    return policy.preSelectCompactionForCoprocessor(read, busy);
  }

  @Override
  public boolean select(
      List<HStoreFile> filesCompacting,
      boolean isUserCompaction,
      boolean mayUseOffPeak,
      boolean forceMajor)
      throws IOException {
    files.compactions().endedBut(filesCompacting);
    Moment now = files.now();
    DeadValues dead = policy.deadValues(now, filesCompacting);
    selection = policy.select(now, filesCompacting, dead, isUserCompaction, forceMajor);
    request = selection
        .map(chosen -> request(now, chosen, filesCompacting, dead))
        .orElseGet(() -> nothing());
    return true;
  }

  private CompactionRequestImpl request(
      Moment now, Selection<HStoreFile> chosen, List<HStoreFile> busy, DeadValues dead) {
    if (chosen.reason().isOfValueFiles()) {
      return new CompactionRequestImpl(chosen.files());
    }
    Job planned = Job.of(now, chosen, busy, policy.settings().values().separatedBytesMin(), dead);
    job = Optional.of(planned);
    CompactionRequestImpl made = new CompactionRequestImpl(planned.inputs().replaces());
    made.setIsMajor(
        planned.inputs().isAll() && chosen.reason() == Reason.MAJOR,
        planned.inputs().isAll());
    made.setAfterSplit(chosen.files().stream().anyMatch(HStoreFile::isReference));
    return made;
  }

  private static CompactionRequestImpl nothing() {
    return new CompactionRequestImpl(List.of());
  }

  @Override
  public List<Path> compact(ThroughputController throughputController, User user)
      throws IOException {
    Cuts cuts =
        selection.map(Selection::cuts).orElseGet(() -> Cuts.at(files.layout().bounds()));
    String cause = selection.map(chosen -> chosen.reason().name()).orElse(BY_COPROCESSOR);
    LongConsumer meter = StoreMetrics.ofServer().written(cause);
    boolean ofValues = selection.map(chosen -> chosen.reason().isOfValueFiles()).orElse(false);
    ThroughputController throughput =
        new UrgentThroughput(throughputController, files::getCompactionPressure);
    files.compactions().begun(request.getFiles());
    boolean written = false;
    try {
      List<Path> results = ofValues
          ? compactor.mergeValues(request, meter, throughput, user)
          : compactor.compact(request, job(), cuts, meter, throughput, user);
      written = true;
      return results;
    } finally {
      if (!written) {
        files.compactions().ended(request.getFiles());
      }
    }
  }

  private Job job() throws IOException {
    return job.isPresent() ? job.get() : Job.ofCoprocessor(files.now(), request.getFiles());
  }
}
