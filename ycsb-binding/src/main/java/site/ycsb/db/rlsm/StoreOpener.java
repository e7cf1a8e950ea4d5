// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Map;

/**
 * Opens stores of one kind for the binding. {@link java.util.ServiceLoader} finds it by its
 * {@link #name()}. To measure another store with the same client, put its opener on the class path
 * and set {@code rlsm.store}.
 *
 * <p>Threads: called by one thread at a time.
 */
public interface StoreOpener {

  /** The value of {@code rlsm.store} for this kind of store, for example "rlsm". */
  String name();

  /**
   * Opens the store in a directory, and creates the directory if necessary.
   *
   * @param directory directory of the store's files
   * @param options options of the store, by name; an unknown option is an error
   * @throws io.github.rlsm.kv.KvException if the store cannot be opened
   */
  KvStore open(Path directory, Map<String, String> options);

  /**
   * Waits until the store has finished its pending background work, so that its cost belongs to the
   * phase that caused it. The default implementation calls {@link KvStore#settle()}.
   */
  default void settle(KvStore store) {
    store.settle();
  }
}
