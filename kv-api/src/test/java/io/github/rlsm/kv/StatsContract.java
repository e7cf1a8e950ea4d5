// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the observable effects of {@code flush}, {@code sync} and {@code stats}. */
abstract class StatsContract extends ContractFixture {

  @Test
  void flushAndSyncChangeNoAnswer() {
    store.flush();
    store.sync();
    for (int i = 0; i < 500; i++) {
      store.put(bytes("key " + i % 100), TestBytes.random(i, i));
      if (i % 50 == 0) {
        store.delete(bytes("key " + i % 70));
        List<String> before = entries(store);
        store.flush();
        assertThat(entries(store)).isEqualTo(before);
        store.sync();
        assertThat(entries(store)).isEqualTo(before);
        store.flush();
      }
    }
  }

  @Test
  void writesAreCounted() {
    Keyspace named = store.keyspace("named");
    Stats.Writes before = store.stats().writes();
    store.put(bytes("key"), bytes("value"));
    named.put(bytes("key"), bytes("value"));
    store.delete(bytes("key"));
    store.write(new WriteBatch().put(bytes("a"), bytes("1")).delete(named, bytes("key")));
    Stats.Writes after = store.stats().writes();
    assertThat(after.operations() - before.operations()).isEqualTo(5);
    assertThat(after.userBytes() - before.userBytes()).isEqualTo(8 + 8 + 3 + 2 + 3);
  }

  @Test
  void readsAreCounted() {
    store.put(bytes("key"), bytes("value"));
    long before = store.stats().reads().gets();
    store.get(bytes("key"));
    store.get(bytes("none"));
    store.multiGet(List.of(bytes("key"), bytes("none"), bytes("key")));
    assertThat(store.stats().reads().gets() - before).isEqualTo(5);
  }

  @Test
  void openSnapshotsAndIteratorsAreCounted() {
    int before = store.stats().resources().openSnapshots();
    Snapshot snapshot = store.snapshot();
    KvIterator ofStore = store.scan();
    KvIterator ofSnapshot = snapshot.scan();
    assertThat(store.stats().resources().openSnapshots() - before).isEqualTo(3);
    snapshot.close();
    snapshot.close();
    assertThat(store.stats().resources().openSnapshots() - before).isEqualTo(2);
    ofSnapshot.close();
    ofStore.close();
    ofStore.close();
    assertThat(store.stats().resources().openSnapshots()).isEqualTo(before);
  }

  @Test
  void figuresAreNeverNegative() {
    for (int i = 0; i < 1_000; i++) {
      store.put(bytes("key " + i % 300), TestBytes.random(i, i));
      if (i % 400 == 0) {
        store.flush();
      }
    }
    store.get(bytes("key 1"));
    Stats stats = store.stats();
    assertThat(stats.writes().bytesByCause().values()).allMatch(bytes -> bytes >= 0);
    assertThat(stats.resources().memoryBytes().values()).allMatch(bytes -> bytes >= 0);
    assertThat(List.of(
            stats.writes().syncs(),
            stats.reads().memoryHits(),
            stats.reads().cache().hits(),
            stats.reads().cache().misses(),
            stats.reads().filters().negatives(),
            stats.reads().filters().falsePositives(),
            stats.reads().getPages(),
            stats.reads().pagesRead(),
            stats.space().diskBytes(),
            stats.space().liveBytes(),
            stats.space().deadBytes(),
            stats.stalls().count(),
            stats.stalls().nanos()))
        .allMatch(figure -> figure >= 0);
  }

  @Test
  void bytesOnDiskAreCounted() {
    assumeTrue(Files.exists(directory()), "the store keeps no files");
    store.put(bytes("key"), TestBytes.random(1, 10_000), Durability.SYNC);
    store.flush();
    Stats stats = store.stats();
    assertThat(stats.writes().totalBytes()).isGreaterThanOrEqualTo(10_000);
    assertThat(stats.writes().amplification()).isPositive();
    assertThat(stats.writes().syncs()).isPositive();
    assertThat(stats.space().diskBytes()).isGreaterThanOrEqualTo(10_000);
  }
}
