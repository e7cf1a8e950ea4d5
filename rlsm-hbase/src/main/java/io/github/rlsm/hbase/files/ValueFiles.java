// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.values.Coverage;
import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.policy.RunShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/**
 * Which files of a store are read and which are not, by what key files say. It is derived from the
 * files alone, each time these change.
 *
 * <p>The complete files of a store are all of it, with or without key files; a key file is an index
 * that can be done without. So what does not fit together costs time, never data: a key file whose
 * value files are not all there, as after HBase's own engine compacted some, is left out, and a
 * value file for whose rows not all have a key file that stands for it is read as any other file.
 *
 * @param keys key files that are read
 * @param values complete files that are not read, since key files stand for all of their rows
 * @param stale key files that are left out
 */
public record ValueFiles(
    List<PartitionedStoreFile> keys,
    Map<String, PartitionedStoreFile> values,
    Set<HStoreFile> stale) {

  /** Of a store that never had values kept elsewhere. */
  static final ValueFiles NONE = new ValueFiles(List.of(), Map.of(), Set.of());

  /** Looks at the files of a store, and tells usable key files where their values are. */
  static ValueFiles of(Collection<HStoreFile> files) {
    List<PartitionedStoreFile> marked = new ArrayList<>();
    Map<String, PartitionedStoreFile> complete = new HashMap<>();
    for (HStoreFile file : files) {
      if (file instanceof PartitionedStoreFile own && !file.isReference()) {
        if (own.mark().isPresent()) {
          marked.add(own);
        } else {
          complete.put(own.name(), own);
        }
      }
    }
    if (marked.isEmpty()) {
      return NONE;
    }
    List<PartitionedStoreFile> keys = new ArrayList<>();
    Set<HStoreFile> stale = new HashSet<>();
    Map<String, List<KeyRange>> ranges = new HashMap<>();
    for (PartitionedStoreFile file : marked) {
      KeyFileMark mark = file.mark().orElseThrow();
      if (!resolve(file, mark, complete)) {
        stale.add(file);
        continue;
      }
      keys.add(file);
      for (ValueFile value : mark.files()) {
        List<KeyRange> known = ranges.computeIfAbsent(value.name(), name -> new ArrayList<>());
        value.covers().forEach(cover -> known.add(cover.rows()));
      }
    }
    Map<String, PartitionedStoreFile> values = new HashMap<>();
    ranges.forEach((name, covered) -> {
      PartitionedStoreFile file = complete.get(name);
      if (file != null && Coverage.isWhole(span(file), covered)) {
        values.put(name, file);
      }
    });
    return new ValueFiles(List.copyOf(keys), Map.copyOf(values), Set.copyOf(stale));
  }

  private static boolean resolve(
      PartitionedStoreFile keys, KeyFileMark mark, Map<String, PartitionedStoreFile> complete) {
    List<PartitionedStoreFile> named = new ArrayList<>();
    for (int i = 0; i < mark.files().size(); i++) {
      ValueFile value = mark.files().get(i);
      if (value.bytes() > 0) {
        PartitionedStoreFile file = complete.get(value.name());
        // Those that shadows name by their number come first.
        if (file == null || named.size() < i) {
          return false;
        }
        named.add(file);
      }
    }
    keys.readValuesFrom(named.toArray(new PartitionedStoreFile[0]));
    return true;
  }

  /** The rows of a file; null if it has none. */
  static @Nullable KeyRange span(HStoreFile file) {
    Optional<Cell> first = file.getFirstKey();
    Optional<Cell> last = file.getLastKey();
    return first.isPresent() && last.isPresent()
        ? RunShape.span(CellUtil.cloneRow(first.get()), CellUtil.cloneRow(last.get()))
        : null;
  }

  /** Whether a file is read by scans. */
  boolean isRead(HStoreFile file) {
    return !stale.contains(file)
        && !(file instanceof PartitionedStoreFile own && values.get(own.name()) == own);
  }

  /** Bytes of a value file that shadows have. */
  public long liveBytes(String value) {
    return keys.stream().mapToLong(file -> bytes(file, value)).sum();
  }

  /** Bytes of a value file that shadows of one key file have. */
  public static long bytes(PartitionedStoreFile keys, String value) {
    return entry(keys, value).map(ValueFile::bytes).orElse(0L);
  }

  /** The rows for which a key file stands for a value file. */
  public static List<Cover> covers(PartitionedStoreFile keys, String value) {
    return entry(keys, value).map(ValueFile::covers).orElse(List.of());
  }

  private static Optional<ValueFile> entry(PartitionedStoreFile keys, String value) {
    return keys.mark().orElseThrow().files().stream()
        .filter(file -> file.name().equals(value))
        .findFirst();
  }

  /** Whether some rows of a value file are all that it has. */
  public boolean isAll(String value, List<KeyRange> rows) {
    PartitionedStoreFile file = values.get(value);
    return file != null && Coverage.isWhole(span(file), rows);
  }
}
