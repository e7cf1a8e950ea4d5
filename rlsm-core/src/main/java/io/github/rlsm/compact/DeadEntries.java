// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.compact;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
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
 * <p>A filter lets some keys through that are not there; eight of them make that many a tenth. So
 * each filter is asked once for keys that nobody has, and what it would pass by mistake is taken
 * off. Where there is no filter to speak of, the sampled keys themselves are looked up.
 *
 * <p>Threads: one at a time.
 */
final class DeadEntries {

  private static final int SAMPLES = 48;
  private static final int KEPT_MAX = 10_000;

  /** Keys nobody has that a filter is asked for. */
  private static final int STRANGERS = 1 << 10;

  /** A filter that passes more strangers says nothing. */
  private static final double PASSED_MAX = 0.25;

  /** A run as this class needs it: a table, and the keys of it that count. */
  record Part(Table table, KeyRange range) {

    private Slice slice() {
      return new Slice(table.fileNumber(), range);
    }
  }

  private record Slice(long table, KeyRange range) {}

  private record Question(Slice run, List<Slice> newer, int droppedKeyspaces) {}

  /** What was found out, the least asked for forgotten first. */
  private static final class Answers<Q> extends LinkedHashMap<Q, Double> {
    private static final long serialVersionUID = 1L;

    Answers() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Q, Double> eldest) {
      return size() > KEPT_MAX;
    }
  }

  private final Map<Question, Double> answers = new Answers<>();

  /** The share of strangers that a table's filter lets through. */
  private final Map<Long, Double> passed = new Answers<>();

  /** The share, 0 to 1, of a run's entries that newer runs hold too, or nobody can read. */
  double share(Part run, List<Part> newer, KeyspaceCatalog keyspaces) {
    int dropped = keyspaces.nextId() - 1 - keyspaces.names().size();
    if (newer.isEmpty() && dropped == 0) {
      return 0;
    }
    Question question =
        new Question(run.slice(), newer.stream().map(Part::slice).toList(), dropped);
    Double known = answers.get(question);
    if (known == null) {
      known = estimate(run, newer, keyspaces);
      answers.put(question, known);
    }
    return known;
  }

  private double estimate(Part run, List<Part> newer, KeyspaceCatalog keyspaces) {
    EntryCursor cursor = run.table.cursor(run.range, false);
    int asked = 0;
    int unreadable = 0;
    int shadowed = 0;
    List<KeySample> samples = run.table.samples(run.range, SAMPLES);
    // A sample is the first key of a page; where pages are few, the keys behind it count as well.
    int perSample = (SAMPLES + samples.size() - 1) / Math.max(1, samples.size());
    for (KeySample sample : samples) {
      boolean more = cursor.seek(sample.key(), 0, sample.key().length);
      for (int i = 0; more && i < perSample; i++) {
        byte[] key = new byte[cursor.keyLength()];
        cursor.keyBuffer().get(cursor.keyOffset(), key);
        long hash = KeyHash.hash(key, 0, key.length);
        asked++;
        if (!keyspaces.isLive(KeyspacePrefix.id(ByteBuffer.wrap(key), 0))) {
          unreadable++;
        } else if (newer.stream().anyMatch(other -> holds(other, key, hash))) {
          shadowed++;
        }
        more = cursor.next();
      }
    }
    int read = asked - unreadable;
    double alive = read == 0 ? 0 : 1 - shadowed(read, shadowed, run, newer);
    return asked == 0 ? 0 : 1 - alive * read / asked;
  }

  /** The share of entries that are shadowed, when so many of those asked for seem to be. */
  private double shadowed(int asked, int seeming, Part run, List<Part> newer) {
    double stopped =
        newer.stream().mapToDouble(other -> 1 - mistaken(run, other)).reduce(1, (a, b) -> a * b);
    double mistaken = 1 - stopped;
    return Math.max(0, ((double) seeming / asked - mistaken) / stopped);
  }

  private boolean holds(Part newer, byte[] key, long hash) {
    Table table = newer.table;
    return newer.range.contains(key)
        && table.mightContain(hash)
        && (passed(table) <= PASSED_MAX || table.find(key, 0, key.length, hash, new EntryView()));
  }

  /** The share of a run's absent keys that {@link #holds} takes for present. */
  private double mistaken(Part run, Part newer) {
    double passed = run.range.intersects(newer.range) ? passed(newer.table) : 0;
    return passed <= PASSED_MAX ? passed : 0;
  }

  private double passed(Table table) {
    return passed.computeIfAbsent(table.fileNumber(), number -> {
      int count = 0;
      for (long i = 1; i <= STRANGERS; i++) {
        long hash = i * 0x9E37_79B9_7F4A_7C15L;
        count += table.mightContain(hash ^ hash >>> 29) ? 1 : 0;
      }
      return (double) count / STRANGERS;
    });
  }
}
