// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.junit.jupiter.api.Nested;

/**
 * The tests of the contract that use several keys or several threads at a time. A store made of
 * several stores may fail them with one number of stores and pass with another.
 * {@link KvStoreContract} has all tests.
 */
public abstract class ManyKeysContract {

  /** Returns the factory of the store under test. */
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
