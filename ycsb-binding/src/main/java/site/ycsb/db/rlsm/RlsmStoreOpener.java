// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Map;

/**
 * Opens this project's engine as the store "rlsm", with shards if the options ask for them. This is
 * the default store.
 */
public final class RlsmStoreOpener implements StoreOpener {

  @Override
  public String name() {
    return ClientSettings.DEFAULT_STORE;
  }

  @Override
  public KvStore open(Path directory, Map<String, String> options) {
    return Rlsm.open(directory, RlsmOptions.fromProperties(options));
  }
}
