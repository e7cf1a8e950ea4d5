// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.kv.InvalidOptionsException;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;

class StoreLeaseTest {

  @TempDir
  Path directory;

  @Test
  void firstLeaseOpensAndLastLeaseCloses() throws DBException {
    int opened = ModelStoreOpener.opened();
    StoreLease first = StoreLease.acquire(settings());
    StoreLease second = StoreLease.acquire(settings());
    KvStore store = first.store();

    assertThat(second.store()).isSameAs(store);
    assertThat(ModelStoreOpener.opened()).isEqualTo(opened + 1);
    first.close();
    first.close();
    assertThat(store.isClosed()).isFalse();
    second.close();
    assertThat(store.isClosed()).isTrue();

    try (StoreLease again = StoreLease.acquire(settings())) {
      assertThat(again.store()).isNotSameAs(store);
      assertThat(again.store().isClosed()).isFalse();
    }
  }

  @Test
  void settleOptionSettlesBeforeLastClose() throws DBException {
    int settled = ModelStoreOpener.settled();

    StoreLease.acquire(settings()).close();
    assertThat(ModelStoreOpener.settled()).isEqualTo(settled);

    ClientSettings settling = new ClientSettings("model", directory, null, Map.of(), true, false);
    StoreLease first = StoreLease.acquire(settling);
    StoreLease second = StoreLease.acquire(settling);
    first.close();
    assertThat(ModelStoreOpener.settled()).isEqualTo(settled);
    second.close();
    assertThat(ModelStoreOpener.settled()).isEqualTo(settled + 1);
  }

  @Test
  void refusesOtherSettingsOfOpenStore() throws DBException {
    try (StoreLease lease = StoreLease.acquire(settings())) {
      assertThat(lease.store().isClosed()).isFalse();
      assertThatThrownBy(() -> StoreLease.acquire(
              new ClientSettings("model", directory, null, Map.of(), false, true)))
          .isInstanceOf(DBException.class)
          .hasMessageContaining("other settings");
    }
  }

  @Test
  void failedOpenLeavesNoLease() throws DBException {
    Map<String, String> wrong = Map.of("colour", "blue");
    assertThatThrownBy(() ->
            StoreLease.acquire(new ClientSettings("model", directory, null, wrong, false, false)))
        .isInstanceOf(InvalidOptionsException.class);

    StoreLease.acquire(settings()).close();
  }

  @Test
  void unknownStoreNamesAvailableStores() {
    assertThatThrownBy(() ->
            StoreLease.acquire(new ClientSettings("none", directory, null, Map.of(), false, false)))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("no store named none")
        .hasMessageContaining("model");
  }

  @Test
  void concurrentLeasesNeverSeeClosedStore() throws Exception {
    int threads = 8;
    ExecutorService pool = Executors.newFixedThreadPool(threads, Thread::new);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      running.add(pool.submit(() -> {
        for (int round = 0; round < 200; round++) {
          try (StoreLease lease = StoreLease.acquire(settings())) {
            lease.store().put(new byte[] {1}, new byte[] {2});
          }
        }
        return null;
      }));
    }
    pool.shutdown();
    for (Future<?> each : running) {
      each.get();
    }
  }

  private ClientSettings settings() {
    return new ClientSettings("model", directory, null, Map.of(), false, false);
  }
}
