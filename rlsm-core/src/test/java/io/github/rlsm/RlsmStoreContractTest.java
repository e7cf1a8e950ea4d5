// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.KvStoreContract;
import io.github.rlsm.kv.StoreFactory;
import java.nio.file.Path;

/** The contract of {@code kv-api}, for the store with default options on the real file system. */
class RlsmStoreContractTest extends KvStoreContract {

  @Override
  protected StoreFactory factory() {
    return new StoreFactory() {
      @Override
      public KvStore open(Path directory) {
        return RlsmStore.open(
            directory, RlsmOptions.builder().memoryBudget(8L << 20).build());
      }
    };
  }
}
