// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.values.Coverage;
import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.hbase.values.ValueSpace;
import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/**
 * The roles of a store's files, derived from the files' metadata each time the files change: which
 * files scans read and which they skip.
 *
 * <p>The complete files of a store hold all of its data, with or without key files; a key file is a
 * dispensable index. So an inconsistency costs time, never data. A key file with missing value
 * files is ignored; this happens after HBase's own engine has compacted some of them. A value file
 * is read like any other file unless key files cover all of its rows.
 *
 * @param keys key files that scans read
 * @param values complete files that scans skip because key files cover all of their rows, by name
 * @param stale key files that are ignored
 * @param space the bytes of values and keys
 * @param hasHalves whether some value files are halves of files of a region that was split. HBase
 *     does not split this region again before it has none.
 */
public record ValueFiles(
    Set<HStoreFile> keys,
    Map<String, Value> values,
    Set<HStoreFile> stale,
    ValueSpace space,
    boolean hasHalves) {

  /** Values get into key order in about this many steps. */
  private static final int ORDER_STEPS = 4;

  /**
   * A value file.
   *
   * @param file the file
   * @param mentions the references of key files to the file, by any of its names
   */
  public record Value(PartitionedStoreFile file, List<Mention> mentions) {

    /** Bytes of values in the file; half a file does not record them, and counts as live. */
    public long bytes() {
      return file.isReference() ? liveBytes() : file.largeValueBytes();
    }

    /** Bytes of values in the file that shadows refer to. */
    public long liveBytes() {
      return mentions.stream().mapToLong(mention -> mention.entry().bytes()).sum();
    }

    /**
     * Whether the covers that pass a test include all rows of the file. Key files know a merged
     * file by its former files.
     */
    public boolean isAll(BiPredicate<Mention, Cover> counts) {
      Map<String, List<KeyRange>> rows = new HashMap<>();
      for (Mention mention : mentions) {
        List<KeyRange> covered =
            rows.computeIfAbsent(mention.entry().name(), added -> new ArrayList<>());
        mention.entry().covers().stream()
            .filter(cover -> counts.test(mention, cover))
            .forEach(cover -> covered.add(cover.rows()));
      }
      return file.parts().stream()
          .allMatch(
              part -> Coverage.isWhole(part.rows(), rows.getOrDefault(part.name(), List.of())));
    }
  }

  /**
   * The reference of one key file to a value file.
   *
   * @param keys the key file
   * @param entry the key file's entry for the value file
   */
  public record Mention(HStoreFile keys, ValueFile entry) {}

  /** The result for a store without key files. */
  static final ValueFiles NONE =
      new ValueFiles(Set.of(), Map.of(), Set.of(), ValueSpace.NONE, false);

  /** Derives the roles of a store's files, and connects usable key files with their value files. */
  static ValueFiles of(Collection<HStoreFile> files) {
    List<PartitionedStoreFile> marked = new ArrayList<>();
    Map<String, PartitionedStoreFile> complete = new HashMap<>();
    for (HStoreFile file : files) {
      if (file instanceof PartitionedStoreFile own) {
        if (own.mark().isPresent()) {
          marked.add(own);
        } else {
          own.names().forEach(name -> complete.putIfAbsent(name, own));
        }
      }
    }
    if (marked.isEmpty()) {
      return NONE;
    }
    Set<HStoreFile> keys = new HashSet<>();
    Set<HStoreFile> stale = new HashSet<>();
    Map<PartitionedStoreFile, List<Mention>> mentions = new HashMap<>();
    for (PartitionedStoreFile file : marked) {
      KeyFileMark mark = file.mark().orElseThrow();
      if (!resolve(file, mark, complete)) {
        stale.add(file);
        continue;
      }
      keys.add(file);
      for (ValueFile entry : mark.files()) {
        PartitionedStoreFile value = complete.get(entry.name());
        if (value != null) {
          mentions.computeIfAbsent(value, added -> new ArrayList<>()).add(new Mention(file, entry));
        }
      }
    }
    Map<String, Value> values = new HashMap<>();
    mentions.forEach((file, all) -> {
      Value value = new Value(file, all);
      if (value.isAll((mention, cover) -> true)) {
        values.put(file.name(), value);
      }
    });
    ValueSpace space = new ValueSpace(
        values.values().stream().mapToLong(Value::bytes).sum(),
        values.values().stream().mapToLong(Value::liveBytes).sum(),
        keys.stream().mapToLong(FileAge::bytes).sum());
    for (Value value : values.values()) {
      value.file().share(space.values() == 0 ? 1 : (double) value.bytes() / space.values());
    }
    boolean hasHalves = values.values().stream().anyMatch(value -> value.file().isReference());
    return new ValueFiles(
        Set.copyOf(keys), Map.copyOf(values), Set.copyOf(stale), space, hasHalves);
  }

  private static boolean resolve(
      PartitionedStoreFile keys, KeyFileMark mark, Map<String, PartitionedStoreFile> complete) {
    List<PartitionedStoreFile> named = new ArrayList<>();
    for (int i = 0; i < mark.files().size(); i++) {
      ValueFile value = mark.files().get(i);
      if (value.bytes() > 0) {
        PartitionedStoreFile file = complete.get(value.name());
        // The value files that shadows refer to by index come first.
        if (file == null || named.size() < i) {
          return false;
        }
        named.add(file);
      }
    }
    keys.readValuesFrom(named);
    return true;
  }

  /** The row range of a file; null for a file without rows. */
  static @Nullable KeyRange span(HStoreFile file) {
    Optional<Cell> first = file.getFirstKey();
    Optional<Cell> last = file.getLastKey();
    return first.isPresent() && last.isPresent()
        ? RunShape.span(CellUtil.cloneRow(first.get()), CellUtil.cloneRow(last.get()))
        : null;
  }

  /**
   * The largest size of a value file that a first merge for scans writes, so that scans need not
   * pay for all values before they get faster.
   *
   * @param partitionBytesMax the largest size of a partition
   */
  public long orderStepBytesMax(long partitionBytesMax) {
    return Math.max(partitionBytesMax, space.values() / ORDER_STEPS);
  }

  /** Whether scans read a file. */
  boolean isRead(HStoreFile file) {
    return !stale.contains(file) && !isValueFile(file);
  }

  /** Whether key files cover all rows of a file. */
  public boolean isValueFile(HStoreFile file) {
    if (!(file instanceof PartitionedStoreFile own)) {
      return false;
    }
    Value value = values.get(own.name());
    return value != null && value.file() == own;
  }
}
