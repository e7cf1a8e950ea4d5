// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tables of so many pages that the fences guess where a key is, for keys that lie as the guess
 * supposes, almost so, and not at all so: the guess never changes what is found.
 */
class FencesGuessTest {

  private static final int KEYS = 8_000;
  private static final TableSettings SETTINGS = new TableSettings(512, 10, Compression.NONE);

  private static final List<ToLongFunction<Random>> SPREADS = List.of(
      Random::nextLong,
      random -> random.nextLong() >>> 1,
      // Even, but for a crowd between two of the fences that are asked when the table is opened.
      random ->
          random.nextInt(40) > 0 ? random.nextLong() : 0x1234_5678_0000_0000L + random.nextInt(),
      random -> (long) random.nextInt(3_000) << 40 | random.nextInt(3),
      random -> 1L << random.nextInt(63) | random.nextInt(400),
      random -> (long) (random.nextGaussian() * (1L << 60)),
      random -> random.nextInt(100_000));

  @Test
  void findsEveryKeyAndItsPlace() {
    SeededCases.run(3, random -> SPREADS.forEach(spread -> check(random, spread)));
  }

  private static void check(Random random, ToLongFunction<Random> spread) {
    byte[] shared = new byte[random.nextInt(3)];
    NavigableMap<byte[], TestEntry> model = TestTables.model();
    for (int i = 0; i < KEYS; i++) {
      byte[] value = new byte[random.nextInt(60)];
      model.put(key(shared, spread.applyAsLong(random)), TestEntry.put(i, value));
    }
    Table table = TestTables.table(SETTINGS, model);
    EntryView found = new EntryView();
    model.forEach((key, entry) -> {
      assertThat(TestTables.find(table, key, found)).isTrue();
      assertThat(found.seqno()).isEqualTo(entry.seqno());
    });
    EntryCursor cursor = table.cursor(KeyRange.ALL, false);
    for (int i = 0; i < KEYS; i++) {
      byte[] key = key(shared, i % 2 == 0 ? spread.applyAsLong(random) : random.nextLong());
      assertThat(TestTables.find(table, key, found)).isEqualTo(model.containsKey(key));
      boolean any = cursor.seek(key, 0, key.length);
      assertThat(any ? currentKey(cursor) : null).isEqualTo(model.ceilingKey(key));
    }
  }

  private static byte[] key(byte[] shared, long number) {
    return ByteBuffer.allocate(shared.length + Long.BYTES)
        .put(shared)
        .putLong(number)
        .array();
  }

  private static byte @Nullable [] currentKey(EntryCursor cursor) {
    byte[] key = new byte[cursor.keyLength()];
    cursor.keyBuffer().get(cursor.keyOffset(), key);
    return key;
  }
}
