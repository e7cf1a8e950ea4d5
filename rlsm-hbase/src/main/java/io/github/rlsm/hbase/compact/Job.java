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
 * The work of a compaction: the files that it reads, the values that it rewrites, and the files
 * that it makes obsolete.
 *
 * <p>If all inputs are key files, values stay where they are. Any other input is rewritten as
 * complete files with key files beside them. The values of other files stay in that case too. The
 * exceptions are values in value files with more dead than live values, and in value files that are
 * inputs themselves.
 *
 * @param inputs the files that are read and replaced
 * @param rewrites whether complete files are written; if not, only key files are
 * @param stays selects the value files, by name, whose values stay
 * @param inherited the value files, with the row ranges in which the input key files cover them;
 *     the new key files take both over
 * @param valueBytesMin the smallest length of a separated value, in bytes; 0 to write complete
 *     files only
 */
record Job(
    Inputs inputs,
    boolean rewrites,
    Predicate<String> stays,
    List<ValueFile> inherited,
    int valueBytesMin) {

  /**
   * The files that a compaction reads and replaces.
   *
   * @param reads the files that are read
   * @param replaces the files that the new ones replace: the inputs, obsolete value files, and
   *     ignored key files
   * @param isAll whether these are all files of the store
   * @param share the part that {@code reads} have of the bytes over their rows, from 0 to 1
   */
  record Inputs(List<HStoreFile> reads, List<HStoreFile> replaces, boolean isAll, double share) {}

  /**
   * Plans the work for selected files.
   *
   * @param busy files that are being compacted
   * @param separatedMin the smallest length of a separated value, in bytes; 0 for none
   * @param deadValues the values that were dead when the files were selected
   */
  static Job of(
      Moment now,
      Selection<HStoreFile> chosen,
      Collection<HStoreFile> busy,
      int separatedMin,
      DeadValues deadValues) {
    List<HStoreFile> reads = chosen.files();
    Set<HStoreFile> keys = new HashSet<>(reads);
    keys.retainAll(now.values().keys());
    if (chosen.reason() == Reason.MAJOR) {
      int valueBytesMin = !keys.isEmpty() || isMostlyLarge(reads, separatedMin) ? separatedMin : 0;
      Inputs all = new Inputs(reads, now.files(), true, 1);
      return new Job(all, true, file -> false, List.of(), valueBytesMin);
    }
    List<HStoreFile> replaces = new ArrayList<>(reads);
    now.values().stale().stream().filter(file -> !busy.contains(file)).forEach(replaces::add);
    if (keys.isEmpty() && !reads.isEmpty()) {
      boolean all =
          replaces.size() == now.files().size() && now.values().values().isEmpty();
      int valueBytesMin = isMostlyLarge(reads, separatedMin) ? separatedMin : 0;
      Inputs inputs = new Inputs(reads, replaces, all, now.layout().share(reads));
      return new Job(inputs, true, file -> false, List.of(), valueBytesMin);
    }
    boolean rewrites = reads.size() > keys.size() || chosen.reason() == Reason.COLLECT;
    Set<String> dead = rewrites ? deadValues.names() : Set.of();
    now.values().values().forEach((name, value) -> {
      if (!busy.contains(value.file()) && isRetired(value, keys, dead.contains(name))) {
        replaces.add(value.file());
      }
    });
    Set<String> gone = names(replaces);
    Set<String> left = names(now.files());
    left.removeAll(gone);
    return new Job(
        new Inputs(reads, replaces, false, now.layout().share(reads)),
        rewrites,
        // A concurrent merge of values may create a file whose name is unknown here.
        file -> !gone.contains(file) && !dead.contains(file),
        inherited(keys, dead, left),
        separatedMin > 0 ? separatedMin : valueBytesMin(keys));
  }

  /** Plans the work for files that a coprocessor selected from the files that scans read. */
  static Job ofCoprocessor(Moment now, Collection<HStoreFile> files) throws IOException {
    for (HStoreFile file : files) {
      if (now.values().isValueFile(file) || now.values().stale().contains(file)) {
        throw new DoNotRetryIOException("A coprocessor chose " + file.getPath()
            + " for a compaction, but scans do not read it; choose offered files only");
      }
    }
    Selection<HStoreFile> chosen =
        new Selection<>(List.copyOf(files), Selection.Cuts.NONE, Reason.RUNS);
    DeadValues none = DeadValues.of(now, now.files(), DeadValues.Rule.withoutLifetime(0));
    Job job = of(now, chosen, now.files(), 0, none);
    List<HStoreFile> reads = job.inputs.reads;
    return new Job(
        new Inputs(reads, reads, false, job.inputs.share),
        job.rewrites,
        job.stays,
        job.inherited,
        job.valueBytesMin);
  }

  /**
   * Whether a value file is obsolete once some key files are rewritten.
   *
   * @param again these key files
   * @param emptied whether the rewritten key files no longer refer to the value file
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

  /** The names of complete files, including the former files of merged ones. */
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

  /** Uses the mean length of values as flushes do, because files record no more detail. */
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
