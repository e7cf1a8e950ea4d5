// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.RlsmOptions;
import io.github.rlsm.RlsmStore;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Map;

/** Opens the engine itself, {@link RlsmStore}, as the store "rlsm"; what is measured by default. */
public final class RlsmStoreOpener implements StoreOpener {

  @Override
  public String name() {
    return ClientSettings.DEFAULT_STORE;
  }

  @Override
  public KvStore open(Path directory, Map<String, String> options) {
    return RlsmStore.open(directory, RlsmOptions.fromProperties(options));
  }

  @Override
  public void settle(KvStore store) {
    ((RlsmStore) store).settle();
  }
}
