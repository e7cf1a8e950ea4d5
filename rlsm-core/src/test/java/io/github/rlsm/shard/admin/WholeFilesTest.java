// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreLockedException;
import org.junit.jupiter.api.Test;

class WholeFilesTest {

  private final SimulatedDirectory owned = new SimulatedDirectory();
  private final StoreDirectory lent = WholeFiles.lend(owned);

  @Test
  void hiddenFilesAreInvisible() {
    owned.create("SHARDS").close();
    lent.create("CURRENT").close();
    assertThat(lent.list()).containsExactly("CURRENT");
    assertThat(lent.exists("SHARDS")).isFalse();
    assertThat(lent.exists("CURRENT")).isTrue();
    assertThat(owned.list()).containsExactlyInAnyOrder("CURRENT", "SHARDS");
  }

  @Test
  void closeLeavesTheOwnersLockAndDirectoryAlone() {
    try (StoreDirectory.Lock lock = owned.lock()) {
      lent.lock().close();
      lent.close();
      assertThat(lock).isNotNull();
      assertThatThrownBy(owned::lock).isInstanceOf(StoreLockedException.class);
      owned.create("still").close();
    }
  }
}
