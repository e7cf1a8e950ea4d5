// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.values.Coverage;
import io.github.rlsm.hbase.values.KeyFileMark;
import io.github.rlsm.hbase.values.KeyFileMark.Cover;
import io.github.rlsm.hbase.values.KeyFileMark.ValueFile;
import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import io.github.rlsm.hbase.write.PartitionedFileWriter.Annex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/**
 * Builds the list of value files of the key file that is being written. Each value file gets the
 * index by which shadows name it. The list also records the rows for which the key file covers each
 * value file. For value files written at the same time, these are all rows of the key file. For
 * value files that the inputs covered, these are the rows that the inputs covered.
 *
 * <p>Threads: the writer's thread.
 */
final class ValueFileTable implements Annex {

  private final int valueBytesMin;
  private final List<ValueFile> inherited;
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, Long> referred = new LinkedHashMap<>();
  private final Set<String> beside = new LinkedHashSet<>();
  private long bytes;

  /**
   * Creates an empty table.
   *
   * @param inherited the covers of the input key files that the new key files take over
   */
  ValueFileTable(int valueBytesMin, List<ValueFile> inherited) {
    this.valueBytesMin = valueBytesMin;
    this.inherited = List.copyOf(inherited);
  }

  /** Records that a value file which is being written holds a cell of the key file. */
  void besides(String name) {
    beside.add(name);
  }

  /**
   * Returns the pointer to the value of a cell in a file; empty if the table is full.
   *
   * @param offset the offset of the cell in the file, or {@link ValueReferenceTag#UNKNOWN_OFFSET}
   * @param checksum the CRC32C of the value
   */
  Optional<Pointer> refer(String name, ExtendedCell cell, long offset, int checksum) {
    int valueLength = cell.getValueLength();
    Integer place = places.get(name);
    if (place == null) {
      if (places.size() == ValueReferenceTag.FILES_MAX) {
        return Optional.empty();
      }
      place = places.size();
      places.put(name, place);
    }
    referred.merge(name, (long) valueLength, Long::sum);
    bytes += valueLength;
    return Optional.of(new Pointer(place, valueLength, cell.getSequenceId(), offset, checksum));
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public boolean hasShadows() {
    return true;
  }

  @Override
  public void close(StoreFileWriter writer, KeyRange tile) throws IOException {
    writer.appendFileInfo(
        StoreFileSet.VALUES_KEY, new KeyFileMark(valueBytesMin, entries(tile)).encode());
    places.clear();
    referred.clear();
    beside.clear();
    bytes = 0;
  }

  /** The entries, with the value files that shadows name first. */
  private List<ValueFile> entries(KeyRange tile) {
    Map<String, List<Cover>> covers = new LinkedHashMap<>();
    referred.keySet().forEach(name -> covers.put(name, new ArrayList<>()));
    for (String name : beside) {
      covers.computeIfAbsent(name, added -> new ArrayList<>()).add(new Cover(tile, false));
    }
    for (ValueFile file : inherited) {
      for (Cover cover : file.covers()) {
        KeyRange rows = cover.rows().intersection(tile);
        if (!rows.isEmpty()) {
          covers
              .computeIfAbsent(file.name(), added -> new ArrayList<>())
              .add(new Cover(rows, cover.retired()));
        }
      }
    }
    List<ValueFile> entries = new ArrayList<>();
    covers.forEach((name, rows) ->
        entries.add(new ValueFile(name, referred.getOrDefault(name, 0L), Coverage.joined(rows))));
    return entries;
  }
}
