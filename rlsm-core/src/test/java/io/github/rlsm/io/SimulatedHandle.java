// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import org.jspecify.annotations.Nullable;

/**
 * An open file of a simulated directory.
 *
 * <p>Threads: safe; its state is guarded by the directory's monitor.
 */
abstract class SimulatedHandle implements AutoCloseable {

  final SimulatedDirectory directory;
  final SimulatedFile file;
  private final String name;
  private final String use;
  private @Nullable StoreIoException failure;
  private boolean closed;

  /** Opens the file; called under the directory's monitor. */
  SimulatedHandle(SimulatedDirectory directory, String name, SimulatedFile file, String use) {
    this.directory = directory;
    this.name = name;
    this.file = file;
    this.use = use;
  }

  public final String name() {
    return name;
  }

  /**
   * Executes a call on this file. The first failed append or force is permanent, as
   * {@link AppendFile} and {@link MappedFile} promise. Only a truncation that lacked a resource may
   * be repeated.
   *
   * @param half the effect of an injected failure
   */
  final void perform(IoEvent.Kind kind, Runnable whole, Runnable half) {
    checkOpen();
    try {
      directory.perform(
          kind,
          name,
          () -> {
            checkNotFailed();
            whole.run();
            return true;
          },
          half);
    } catch (StoreIoException e) {
      if (e instanceof ResourceExhaustedException && kind == IoEvent.Kind.TRUNCATE) {
        throw e;
      }
      directory.atomically(() -> failure = failure == null ? e : failure);
      throw e;
    }
  }

  private void checkNotFailed() {
    if (failure != null) {
      throw new StoreIoException("use after a failure", name, failure);
    }
  }

  final void checkOpen() {
    if (directory.atomically(() -> closed)) {
      throw new IllegalStateException(name + " is closed");
    }
    directory.checkAlive("use", name);
  }

  /** Releases the resources of the handle; called under the directory's monitor. */
  abstract void release();

  @Override
  public final void close() {
    directory.atomically(() -> {
      if (!closed) {
        closed = true;
        file.closed();
        release();
        directory.forget(this);
      }
      return closed;
    });
  }

  @Override
  public final String toString() {
    return name + " (" + use + ")";
  }
}
