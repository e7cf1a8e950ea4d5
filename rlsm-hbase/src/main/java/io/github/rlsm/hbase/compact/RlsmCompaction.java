// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Cuts;
import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.security.User;

/**
 * One compaction, from the choice of its files to the new ones. If a coprocessor chose the files,
 * they are written by the partitions of the moment.
 *
 * <p>Threads: chosen by one thread, then run by another.
 */
public final class RlsmCompaction extends CompactionContext {

  private static final String BY_COPROCESSOR = "coprocessor";

  private final RlsmCompactionPolicy policy;
  private final RlsmCompactor compactor;
  private final StoreFileSet files;
  private Optional<Selection<HStoreFile>> selection = Optional.empty();

  /** A compaction that has chosen nothing yet. */
  public RlsmCompaction(RlsmCompactionPolicy policy, RlsmCompactor compactor, StoreFileSet files) {
    this.policy = policy;
    this.compactor = compactor;
    this.files = files;
  }

  @Override
  public List<HStoreFile> preSelect(List<HStoreFile> filesCompacting) {
    return policy.preSelectCompactionForCoprocessor(files.getStoreFiles(), filesCompacting);
  }

  @Override
  public boolean select(
      List<HStoreFile> filesCompacting,
      boolean isUserCompaction,
      boolean mayUseOffPeak,
      boolean forceMajor)
      throws IOException {
    files.compactions().endedBut(filesCompacting);
    Layout<HStoreFile> layout = files.layout();
    selection = policy.select(layout, filesCompacting, isUserCompaction, forceMajor);
    request = selection.map(chosen -> request(layout, chosen)).orElseGet(() -> nothing());
    return true;
  }

  private static CompactionRequestImpl request(
      Layout<HStoreFile> layout, Selection<HStoreFile> chosen) {
    CompactionRequestImpl request = new CompactionRequestImpl(chosen.files());
    boolean all = chosen.files().size() == layout.files().size();
    request.setIsMajor(all && chosen.reason() == Reason.MAJOR, all);
    request.setAfterSplit(chosen.files().stream().anyMatch(HStoreFile::isReference));
    return request;
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
    files.compactions().begun(request.getFiles());
    boolean written = false;
    try {
      List<Path> results = compactor.compact(request, cuts, meter, throughputController, user);
      written = true;
      return results;
    } finally {
      if (!written) {
        files.compactions().ended(request.getFiles());
      }
    }
  }
}
