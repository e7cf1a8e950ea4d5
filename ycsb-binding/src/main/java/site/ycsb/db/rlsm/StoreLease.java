// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import io.github.rlsm.kv.KvStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.DBException;

/**
 * A shared reference to an open store. YCSB creates a {@code DB} for each client thread, but a
 * directory is opened once. The first lease opens the store, and closing the last lease closes it.
 *
 * <p>Threads: every method may be called from any thread; closing twice does nothing.
 */
public final class StoreLease implements AutoCloseable {

  private static final Logger LOG = System.getLogger(StoreLease.class.getName());

  /** Guarded by itself. The lock is held while a store opens or closes, so others wait. */
  private static final Map<Path, SharedStore> OPEN = new HashMap<>();

  private final SharedStore shared;
  private final AtomicBoolean closed = new AtomicBoolean();

  private StoreLease(SharedStore shared) {
    this.shared = shared;
  }

  /** An open store and its number of leases. */
  private static final class SharedStore {
    final ClientSettings settings;
    final StoreOpener opener;
    final KvStore store;
    final AtomicLong failures = new AtomicLong();

    /** Guarded by {@link #OPEN}. */
    int leases;

    SharedStore(ClientSettings settings, StoreOpener opener, KvStore store) {
      this.settings = settings;
      this.opener = opener;
      this.store = store;
    }
  }

  /**
   * Acquires a lease of the directory's store. Opens the store if necessary.
   *
   * @throws DBException if the kind of store is unknown, or the directory is open with other
   *     settings
   * @throws io.github.rlsm.kv.KvException if the store cannot be opened
   */
  public static StoreLease acquire(ClientSettings settings) throws DBException {
    synchronized (OPEN) {
      SharedStore shared = OPEN.get(settings.directory());
      if (shared == null) {
        StoreOpener opener = opener(settings.store());
        KvStore store = opener.open(settings.directory(), settings.options());
        shared = new SharedStore(settings, opener, store);
        OPEN.put(settings.directory(), shared);
      } else if (!shared.settings.equals(settings)) {
        throw new DBException(settings.directory() + " is already open with other settings: "
            + shared.settings + ", not " + settings);
      }
      shared.leases++;
      return new StoreLease(shared);
    }
  }

  /** The store. It stays open until this lease is closed. */
  public KvStore store() {
    return shared.store;
  }

  /** Waits for the store's background work, see {@link StoreOpener#settle}. */
  public void settle() {
    shared.opener.settle(shared.store);
  }

  /** Reports a failed operation. The first failure is logged, later ones are counted. */
  void reportFailure(String operation, Exception failure) {
    if (shared.failures.getAndIncrement() == 0) {
      LOG.log(Level.ERROR, operation + " failed; further failures are only counted", failure);
    }
  }

  /**
   * Releases the lease, and closes the store if this was the last lease.
   *
   * @throws io.github.rlsm.kv.KvException if the store cannot settle or close
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    synchronized (OPEN) {
      if (--shared.leases > 0) {
        return;
      }
      OPEN.remove(shared.settings.directory());
      try (KvStore last = shared.store) {
        if (shared.settings.settle()) {
          shared.opener.settle(last);
        }
      }
      if (shared.failures.get() > 1) {
        LOG.log(Level.ERROR, "{0} operations failed in total", shared.failures);
      }
    }
  }

  private static StoreOpener opener(String name) throws DBException {
    TreeSet<String> others = new TreeSet<>();
    ServiceLoader<StoreOpener> openers =
        ServiceLoader.load(StoreOpener.class, StoreLease.class.getClassLoader());
    for (ServiceLoader.Provider<StoreOpener> provider : openers.stream().toList()) {
      StoreOpener opener = provider.get();
      if (opener.name().equals(name)) {
        return opener;
      }
      others.add(opener.name());
    }
    throw new DBException("no store named " + name + " on the class path (" + ClientSettings.STORE
        + "); available are " + others);
  }
}
