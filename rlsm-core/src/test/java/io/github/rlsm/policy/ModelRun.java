// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.SeqnoRange;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The real contents of a run: ascending keys, each with its version.
 *
 * @param id the table of the run, which may be a slice of the table
 * @param versions a key's seqno, or minus the seqno if this version deletes the key
 * @param tableEntries entries of the whole table
 */
@SuppressWarnings("ArrayRecordComponent") // runs are never compared as records
record ModelRun(long id, int[] keys, long[] versions, int tableEntries) {

  /** The result of a search for a key that is not in the run. */
  static final long NOTHING = 0;

  static ModelRun of(long id, SortedMap<Integer, Long> contents) {
    return new ModelRun(
        id,
        contents.keySet().stream().mapToInt(Integer::intValue).toArray(),
        contents.values().stream().mapToLong(Long::longValue).toArray(),
        contents.size());
  }

  /** Merges runs from oldest to newest. The newest version of a key wins. */
  static ModelRun merge(long id, List<ModelRun> runs, boolean dropsTombstones) {
    ModelRun merged = runs.get(0);
    for (ModelRun newer : runs.subList(1, runs.size())) {
      merged = merged.under(newer);
    }
    ModelRun all = merged;
    int[] kept = IntStream.range(0, all.keys.length)
        .filter(i -> !dropsTombstones || all.versions[i] > 0)
        .toArray();
    return new ModelRun(
        id,
        IntStream.of(kept).map(i -> all.keys[i]).toArray(),
        IntStream.of(kept).mapToLong(i -> all.versions[i]).toArray(),
        kept.length);
  }

  private ModelRun under(ModelRun newer) {
    int[] mergedKeys = new int[keys.length + newer.keys.length];
    long[] mergedVersions = new long[mergedKeys.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < keys.length || j < newer.keys.length) {
      boolean takeNewer = i == keys.length || (j < newer.keys.length && newer.keys[j] <= keys[i]);
      if (takeNewer && i < keys.length && newer.keys[j] == keys[i]) {
        i++;
      }
      mergedKeys[count] = takeNewer ? newer.keys[j] : keys[i];
      mergedVersions[count++] = takeNewer ? newer.versions[j++] : versions[i++];
    }
    return new ModelRun(
        id, Arrays.copyOf(mergedKeys, count), Arrays.copyOf(mergedVersions, count), count);
  }

  long version(int key) {
    int index = Arrays.binarySearch(keys, key);
    return index < 0 ? NOTHING : versions[index];
  }

  /** Returns the part in a range as a separate run. */
  ModelRun slice(KeyRange range) {
    int from = firstIndex(range.from(), 0);
    int to = firstIndex(range.to(), keys.length);
    return new ModelRun(
        id,
        Arrays.copyOfRange(keys, from, to),
        Arrays.copyOfRange(versions, from, to),
        tableEntries);
  }

  int countIn(KeyRange range) {
    return firstIndex(range.to(), keys.length) - firstIndex(range.from(), 0);
  }

  /** Returns the index of the first key that is not below a bound. */
  int firstIndex(byte[] bound, int ifOpen) {
    if (bound == null) {
      return ifOpen;
    }
    int index = Arrays.binarySearch(keys, IntKeys.ceiling(bound));
    return index < 0 ? -index - 1 : index;
  }

  RunShape shape(ModelSizes sizes, long dead) {
    return new RunShape(
        new RunShape.TableFile(id, sizes.table(tableEntries)),
        IntKeys.span(keys[0], keys[keys.length - 1]),
        sizes.slice(keys.length, tableEntries),
        new RunShape.Counts(
            keys.length, LongStream.of(versions).filter(version -> version < 0).count(), dead),
        new SeqnoRange(
            LongStream.of(versions).map(Math::abs).min().orElseThrow(),
            LongStream.of(versions).map(Math::abs).max().orElseThrow()),
        RunShape.Values.NONE);
  }
}
