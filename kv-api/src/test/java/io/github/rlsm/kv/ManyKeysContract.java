// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.junit.jupiter.api.Nested;

/**
 * The part of the contract that is about several keys, or several threads, at a time: what a store
 * made of several may get wrong at one number of them and not at another. {@link KvStoreContract}
 * is the whole.
 */
public abstract class ManyKeysContract {

  /** How to open the store under test. */
  protected abstract StoreFactory factory();

  @Nested
  class Scans extends ScanContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }

  @Nested
  class Iterators extends IteratorContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }

  @Nested
  class Batches extends BatchContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }

  @Nested
  class Keyspaces extends KeyspaceContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }

  @Nested
  class Snapshots extends SnapshotContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    @Override
    StoreFactory factory() {
      return ManyKeysContract.this.factory();
    }
  }
}
