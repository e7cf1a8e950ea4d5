// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.junit.jupiter.api.Nested;

/**
 * Everything the API promises, as tests. An implementation inherits them all, once for each set of
 * options worth it:
 *
 * <pre>{@code
 * class MyStoreTest extends KvStoreContract {
 *   protected StoreFactory factory() {
 *     return directory -> MyStore.open(directory, options);
 *   }
 * }
 * }</pre>
 */
public abstract class KvStoreContract {

  /** How to open the store under test. */
  protected abstract StoreFactory factory();

  @Nested
  class Points extends PointContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Overloads extends OverloadContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Arguments extends ArgumentContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Conditionals extends ConditionalContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Scans extends ScanContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Iterators extends IteratorContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Batches extends BatchContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Keyspaces extends KeyspaceContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Snapshots extends SnapshotContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Closing extends CloseContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Persistence extends PersistenceContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Interrupts extends InterruptContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }

  @Nested
  class Statistics extends StatsContract {
    @Override
    StoreFactory factory() {
      return KvStoreContract.this.factory();
    }
  }
}
