// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * The compactions of a store that are running. The list may be too long: HBase does not report a
 * compaction that fails after its files were written. So each compaction that begins compares this
 * list with the files that HBase still counts as being compacted. Only the decision on
 * back-pressure may use this list.
 *
 * <p>Threads: any.
 */
public final class RunningCompactions {

  private volatile List<Set<HStoreFile>> inputs = List.of();

  RunningCompactions() {}

  /** The inputs of each running compaction; no file occurs twice. */
  List<Set<HStoreFile>> inputs() {
    return inputs;
  }

  /**
   * Records a compaction that begins to read files. Earlier compactions of these files have ended.
   */
  public synchronized void begun(Collection<HStoreFile> files) {
    ended(files);
    List<Set<HStoreFile>> more = new ArrayList<>(inputs);
    more.add(Set.copyOf(files));
    inputs = List.copyOf(more);
  }

  /** Removes the compactions that read any of these files, whether they succeeded or failed. */
  public synchronized void ended(Collection<HStoreFile> files) {
    inputs = inputs.stream().filter(read -> Collections.disjoint(read, files)).toList();
  }

  /** Removes all compactions with an input that HBase no longer counts as being compacted. */
  public synchronized void endedBut(Collection<HStoreFile> compacting) {
    Set<HStoreFile> busy = new HashSet<>(compacting);
    inputs = inputs.stream().filter(busy::containsAll).toList();
  }
}
