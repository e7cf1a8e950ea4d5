// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.compact;

import io.github.rlsm.hbase.compact.Selection.Reason;
import io.github.rlsm.hbase.files.PartitionedStoreFile;
import io.github.rlsm.hbase.files.StoreFileSet.Moment;
import io.github.rlsm.hbase.files.ValueFiles.Mention;
import io.github.rlsm.hbase.files.ValueFiles.Value;
import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;

/**
 * What a compaction reads, which values it writes again, and what it makes superfluous.
 *
 * <p>Values stay where they are when all that is read are key files. Any other file among them is
 * written again as complete files beside key files: values from elsewhere still stay, but for those
 * of value files that hold more dead ones than live ones, or that are read themselves.
 *
 * @param reads the files that are read
 * @param replaces the files that the new ones replace: those, and value files that are then of no
 *     more use, and key files that are left out
 * @param isAll whether these are all files of the store
 * @param rewrites whether complete files are written; without, key files only
 * @param stays of which value files, by name, the values stay
 * @param inherited what key files that are read stand for and the new ones stand for then
 * @param valueBytesMin from how many bytes on values go apart; 0 for complete files alone
 */
record Job(
    List<HStoreFile> reads,
    List<HStoreFile> replaces,
    boolean isAll,
    boolean rewrites,
    Predicate<String> stays,
    List<ValueFile> inherited,
    int valueBytesMin) {

  /** The work for files that were chosen. */
  static Job of(
      Moment now, Selection<HStoreFile> chosen, Collection<HStoreFile> busy, int separatedMin) {
    List<HStoreFile> reads = chosen.files();
    Set<HStoreFile> keys = new HashSet<>(reads);
    keys.retainAll(now.values().keys());
    if (chosen.reason() == Reason.MAJOR) {
      int valueBytesMin = !keys.isEmpty() || isMostlyLarge(reads, separatedMin) ? separatedMin : 0;
      return new Job(reads, now.files(), true, true, file -> false, List.of(), valueBytesMin);
    }
    List<HStoreFile> replaces = new ArrayList<>(reads);
    now.values().stale().stream().filter(file -> !busy.contains(file)).forEach(replaces::add);
    if (keys.isEmpty() && !reads.isEmpty()) {
      boolean all =
          replaces.size() == now.files().size() && now.values().values().isEmpty();
      int valueBytesMin = isMostlyLarge(reads, separatedMin) ? separatedMin : 0;
      return new Job(reads, replaces, all, true, file -> false, List.of(), valueBytesMin);
    }
    boolean rewrites = reads.size() > keys.size() || chosen.reason() == Reason.COLLECT;
    Set<String> dead = rewrites ? DeadValues.of(now, busy).names() : Set.of();
    now.values().values().forEach((name, value) -> {
      if (!busy.contains(value.file()) && isRetired(value, keys, dead.contains(name))) {
        replaces.add(value.file());
      }
    });
    Set<String> gone = names(replaces);
    Set<String> left = names(now.files());
    left.removeAll(gone);
    return new Job(
        reads,
        replaces,
        false,
        rewrites,
        // One that is merged while this waits its turn has a name that is not known yet.
        file -> !gone.contains(file) && !dead.contains(file),
        inherited(keys, dead, left),
        separatedMin > 0 ? separatedMin : valueBytesMin(keys));
  }

  /** The work for files that a coprocessor chose, from among those that are read. */
  static Job ofCoprocessor(Moment now, Collection<HStoreFile> files) throws IOException {
    for (HStoreFile file : files) {
      if (now.values().isValueFile(file) || now.values().stale().contains(file)) {
        throw new DoNotRetryIOException("A coprocessor chose " + file.getPath()
            + " to be compacted, for which key files stand; it has to leave it out");
      }
    }
    Selection<HStoreFile> chosen =
        new Selection<>(List.copyOf(files), Selection.Cuts.NONE, Reason.RUNS);
    Job job = of(now, chosen, now.files(), 0);
    return new Job(
        job.reads(),
        job.reads(),
        false,
        job.rewrites(),
        job.stays(),
        job.inherited(),
        job.valueBytesMin());
  }

  /**
   * Whether nobody needs a value file once some key files are written again.
   *
   * @param again these key files
   * @param emptied whether they are written without it
   */
  static boolean isRetired(Value value, Set<HStoreFile> again, boolean emptied) {
    for (Mention mention : value.mentions()) {
      boolean here = emptied && again.contains(mention.keys());
      if (mention.entry().bytes() > 0 && !here) {
        return false;
      }
    }
    return value.isAll(
        (mention, cover) -> cover.retired() || (emptied && again.contains(mention.keys())));
  }

  /** The names of complete files, those that merged ones have taken over too. */
  private static Set<String> names(Collection<HStoreFile> files) {
    Set<String> names = new HashSet<>();
    for (HStoreFile file : files) {
      if (file instanceof PartitionedStoreFile own) {
        names.addAll(own.names());
      }
    }
    return names;
  }

  private static List<ValueFile> inherited(
      Set<HStoreFile> keys, Set<String> dead, Set<String> left) {
    List<ValueFile> inherited = new ArrayList<>();
    for (HStoreFile file : keys) {
      for (ValueFile entry : mark(file).files()) {
        if (left.contains(entry.name())) {
          List<Cover> covers = entry.covers().stream()
              .map(cover -> new Cover(cover.rows(), cover.retired() || dead.contains(entry.name())))
              .toList();
          inherited.add(new ValueFile(entry.name(), 0, covers));
        }
      }
    }
    return inherited;
  }

  private static KeyFileMark mark(HStoreFile keys) {
    return ((PartitionedStoreFile) keys).mark().orElseThrow();
  }

  private static int valueBytesMin(Set<HStoreFile> keys) {
    return keys.stream().mapToInt(file -> mark(file).valueBytesMin()).max().orElse(0);
  }

  /** As flushes have it, by the mean value, since files do not say more of theirs. */
  private static boolean isMostlyLarge(List<HStoreFile> files, int separatedMin) {
    if (separatedMin == 0) {
      return false;
    }
    long bytes = 0;
    long cells = 0;
    for (HStoreFile file : files) {
      StoreFileReader reader = file.getReader();
      if (reader != null) {
        long entries = reader.getEntries();
        cells += entries;
        bytes += entries * reader.getHFileReader().getHFileInfo().getAvgValueLen();
      }
    }
    return cells > 0 && 2 * bytes >= cells * separatedMin;
  }
}
