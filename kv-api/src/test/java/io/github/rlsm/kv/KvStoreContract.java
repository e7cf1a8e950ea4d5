// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import org.junit.jupiter.api.Nested;

/**
 * All promises of the API, as tests. A subclass for an implementation inherits all of them. Write
 * one subclass for each relevant set of options:
 *
 * <pre>{@code
 * class MyStoreTest extends KvStoreContract {
 *   protected StoreFactory factory() {
 *     return directory -> MyStore.open(directory, options);
 *   }
 * }
 * }</pre>
 */
public abstract class KvStoreContract extends ManyKeysContract {

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
  class Asynchronous extends AsyncContract {
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
