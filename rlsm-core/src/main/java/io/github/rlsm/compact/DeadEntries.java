// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.KeyspacePrefix;
import io.github.rlsm.level.KeySample;
import io.github.rlsm.level.Table;
import io.github.rlsm.version.KeyspaceCatalog;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates how many entries of a run are shadowed by newer runs of its partition, or belong to
 * keyspaces that were dropped: some of its keys, spread evenly, are looked up in the newer runs'
 * filters. No data is sorted or read in bulk for it, and an answer is kept for as long as it is
 * asked for now and then.
 *
 * <p>Threads: any.
 */
public final class DeadEntries {

  private static final int SAMPLES = 48;
  private static final int KEPT_MAX = 10_000;

  private record Question(long table, KeyRange range, List<Long> newer, int droppedKeyspaces) {}

  private final Map<Question, Double> answers = new LinkedHashMap<>(16, 0.75f, true) {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Question, Double> eldest) {
      return size() > KEPT_MAX;
    }
  }; // guarded by this

  /** An estimator that knows nothing yet. */
  public DeadEntries() {}

  /** The share, 0 to 1, of the run's entries in a range that are dead. */
  synchronized double share(
      Table table, KeyRange range, List<Table> newer, KeyspaceCatalog keyspaces) {
    int dropped = keyspaces.nextId() - 1 - keyspaces.names().size();
    if (newer.isEmpty() && dropped == 0) {
      return 0;
    }
    Question question = new Question(
        table.fileNumber(), range, newer.stream().map(Table::fileNumber).toList(), dropped);
    Double known = answers.get(question);
    if (known == null) {
      known = estimate(table, range, newer, keyspaces);
      answers.put(question, known);
    }
    return known;
  }

  private static double estimate(
      Table table, KeyRange range, List<Table> newer, KeyspaceCatalog keyspaces) {
    EntryCursor cursor = table.cursor(range, false);
    int asked = 0;
    int shadowed = 0;
    List<KeySample> samples = table.samples(range, SAMPLES);
    // A sample is the first key of a page; where pages are few, the keys behind it count as well.
    int perSample = (SAMPLES + samples.size() - 1) / Math.max(1, samples.size());
    for (KeySample sample : samples) {
      boolean more = cursor.seek(sample.key(), 0, sample.key().length);
      for (int i = 0; more && i < perSample; i++) {
        byte[] key = new byte[cursor.keyLength()];
        cursor.keyBuffer().get(cursor.keyOffset(), key);
        long hash = KeyHash.hash(key, 0, key.length);
        asked++;
        boolean dead = !keyspaces.isLive(KeyspacePrefix.id(ByteBuffer.wrap(key), 0))
            || newer.stream().anyMatch(other -> other.mightContain(hash));
        shadowed += dead ? 1 : 0;
        more = cursor.next();
      }
    }
    return asked == 0 ? 0 : (double) shadowed / asked;
  }
}
