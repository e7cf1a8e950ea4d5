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
import java.util.function.BiPredicate;
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
 * @param values complete files that are not read, since key files stand for all of their rows, by
 *     name
 * @param stale key files that are left out
 */
public record ValueFiles(Set<HStoreFile> keys, Map<String, Value> values, Set<HStoreFile> stale) {

  /**
   * A value file.
   *
   * @param file the file
   * @param mentions what key files say of it, by whichever of its names
   */
  public record Value(PartitionedStoreFile file, List<Mention> mentions) {

    /** Bytes of it that shadows have. */
    public long liveBytes() {
      return mentions.stream().mapToLong(mention -> mention.entry().bytes()).sum();
    }

    /**
     * Whether some of what key files say of it is about all of its rows. One that was merged is
     * known to them as the files it consists of.
     */
    public boolean isAll(BiPredicate<Mention, Cover> counts) {
      return file.parts().stream().allMatch(part -> {
        List<KeyRange> rows = new ArrayList<>();
        for (Mention mention : mentions) {
          if (mention.entry().name().equals(part.name())) {
            mention.entry().covers().stream()
                .filter(cover -> counts.test(mention, cover))
                .forEach(cover -> rows.add(cover.rows()));
          }
        }
        return Coverage.isWhole(part.rows(), rows);
      });
    }
  }

  /**
   * What one key file says of a value file.
   *
   * @param keys the key file
   * @param entry what it says
   */
  public record Mention(HStoreFile keys, ValueFile entry) {}

  /** Of a store that never had values kept elsewhere. */
  static final ValueFiles NONE = new ValueFiles(Set.of(), Map.of(), Set.of());

  /** Looks at the files of a store, and tells usable key files where their values are. */
  static ValueFiles of(Collection<HStoreFile> files) {
    List<PartitionedStoreFile> marked = new ArrayList<>();
    Map<String, PartitionedStoreFile> complete = new HashMap<>();
    for (HStoreFile file : files) {
      if (file instanceof PartitionedStoreFile own && !file.isReference()) {
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
    return new ValueFiles(Set.copyOf(keys), Map.copyOf(values), Set.copyOf(stale));
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
    keys.readValuesFrom(named);
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
    return !stale.contains(file) && !isValueFile(file);
  }

  /** Whether key files stand for all of a file. */
  public boolean isValueFile(HStoreFile file) {
    if (!(file instanceof PartitionedStoreFile own)) {
      return false;
    }
    Value value = values.get(own.name());
    return value != null && value.file() == own;
  }
}
