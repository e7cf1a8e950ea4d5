// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.KvStore;
import java.nio.file.Path;
import java.util.Map;

/**
 * Opens stores of one kind for the binding. Found through {@link java.util.ServiceLoader} by its
 * {@link #name()}, so that a peer can be measured by the same client: put its opener on the class
 * path and set {@code rlsm.store}.
 *
 * <p>Threads: called by one thread at a time.
 */
public interface StoreOpener {

  /** What {@code rlsm.store} has to say to get this kind of store, for example "rlsm". */
  String name();

  /**
   * Opens the store in a directory, made if there is none.
   *
   * @param directory where the store's files are
   * @param options the store's own options, by name; one it does not know is an error
   * @throws io.github.rlsm.kv.KvException if it cannot be opened
   */
  KvStore open(Path directory, Map<String, String> options);

  /**
   * Waits until the store has done the background work that it can foresee. Its cost then belongs
   * to the phase that caused it. Calls {@link KvStore#settle()} by default.
   */
  default void settle(KvStore store) {
    store.settle();
  }
}
