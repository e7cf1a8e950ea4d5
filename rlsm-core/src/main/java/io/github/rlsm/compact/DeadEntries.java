// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates how many entries of a run are shadowed by newer runs of its partition: some of its
 * keys, spread evenly, are looked up in the newer runs' filters. No data is sorted or read in bulk
 * for it, and an answer is kept for as long as it is asked for now and then.
 *
 * <p>Threads: any.
 */
public final class DeadEntries {

  private static final int SAMPLES = 48;
  private static final int KEPT_MAX = 10_000;

  /** A run as this class needs it: a table, and the keys of it that count. */
  record Part(Table table, KeyRange range) {

    boolean mightContain(byte[] key, long hash) {
      return range.contains(key) && table.mightContain(hash);
    }

    private Slice slice() {
      return new Slice(table.fileNumber(), range);
    }
  }

  private record Slice(long table, KeyRange range) {}

  private record Question(Slice run, List<Slice> newer) {}

  private final Map<Question, Double> answers = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Question, Double> eldest) {
      return size() > KEPT_MAX;
    }
  }; // guarded by this

  /** An estimator that knows nothing yet. */
  public DeadEntries() {}

  /** The share, 0 to 1, of a run's entries that newer runs hold too. */
  synchronized double share(Part run, List<Part> newer) {
    if (newer.isEmpty()) {
      return 0;
    }
    Question question =
        new Question(run.slice(), newer.stream().map(Part::slice).toList());
    Double known = answers.get(question);
    if (known == null) {
      known = estimate(run, newer);
      answers.put(question, known);
    }
    return known;
  }

  private static double estimate(Part run, List<Part> newer) {
    EntryCursor cursor = run.table.cursor(run.range, false);
    int asked = 0;
    int shadowed = 0;
    for (KeySample sample : run.table.samples(run.range, SAMPLES)) {
      if (cursor.seek(sample.key(), 0, sample.key().length)) {
        byte[] key = new byte[cursor.keyLength()];
        cursor.keyBuffer().get(cursor.keyOffset(), key);
        long hash = KeyHash.hash(key, 0, key.length);
        asked++;
        shadowed += newer.stream().anyMatch(other -> other.mightContain(key, hash)) ? 1 : 0;
      }
    }
    return asked == 0 ? 0 : (double) shadowed / asked;
  }
}
