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
 * The compactions of a store that are being done, as far as is known: HBase does not say that one
 * has failed after its files were written. So whoever begins one is asked what HBase still counts
 * as being compacted, and no decision but that on back-pressure may rest on this.
 *
 * <p>Threads: any.
 */
public final class RunningCompactions {

  private volatile List<Set<HStoreFile>> inputs = List.of();

  RunningCompactions() {}

  /** The files that each reads; no file twice. */
  List<Set<HStoreFile>> inputs() {
    return inputs;
  }

  /** One begins to read files; none that did before still does. */
  public synchronized void begun(Collection<HStoreFile> files) {
    ended(files);
    List<Set<HStoreFile>> more = new ArrayList<>(inputs);
    more.add(Set.copyOf(files));
    inputs = List.copyOf(more);
  }

  /** Those that read any of these files have ended, well or not. */
  public synchronized void ended(Collection<HStoreFile> files) {
    inputs = inputs.stream().filter(read -> Collections.disjoint(read, files)).toList();
  }

  /** All have ended but those whose files are, every one, among what HBase says is compacted. */
  public synchronized void endedBut(Collection<HStoreFile> compacting) {
    Set<HStoreFile> busy = new HashSet<>(compacting);
    inputs = inputs.stream().filter(busy::containsAll).toList();
  }
}
