// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreIoException;

/**
 * Classifies an error as transient or permanent, as a pure function of the error and the engine's
 * activity. ARCHITECTURE.md, "When something fails", shows the policy as a table.
 *
 * <p>A <b>transient</b> error means that a resource ran out. The failed work can start over with
 * new files, and the files that the store relies on are unaffected. Every other error is
 * <b>permanent</b>. In particular:
 *
 * <ul>
 *   <li>A record that was reserved and not stored is a hole in the history.
 *   <li>A failed force leaves pages that look clean and are lost. A second force would succeed
 *       without writing them.
 *   <li>An I/O error is permanent even if it hits a table that is thrown away. The log is on the
 *       same device, and its pages may be lost in the same way without any call reporting it.
 *       RocksDB decides the same; Pebble retries the flush indefinitely.
 * </ul>
 *
 * <p>Keeps invariant I-7 of ARCHITECTURE.md.
 */
final class FailurePolicy {

  private FailurePolicy() {}

  /** Whether the failed work can be retried. */
  static boolean isTransient(Throwable error, BackgroundError.Activity during) {
    return switch (during) {
      case WRITE, FORCE -> false;
      case FLUSH, COMPACT, COLLECT, PREPARE, INSTALL, RELEASE -> isShortage(error);
      // The file stays, which is harmless: the next opening of the store sweeps it.
      case DELETE -> isShortage(error) || error instanceof StoreIoException;
    };
  }

  private static boolean isShortage(Throwable error) {
    return error instanceof ResourceExhaustedException || error instanceof OutOfMemoryError;
  }

  /** The remedy for a permanent error, as an instruction for the operator. */
  static String permanentRemedy(Throwable error) {
    return error instanceof CorruptionException
        ? "run verify, which lists the damage with its keys; then restore the store from a backup"
        : "close the store, fix the cause and open the store again; no acknowledged write is lost";
  }

  /** The remedy for a transient error, as an instruction for the operator. */
  static String remedy(Throwable error) {
    if (error instanceof ResourceExhaustedException exhausted) {
      return exhausted.resource().remedy();
    }
    return error instanceof OutOfMemoryError
        ? Resource.MEMORY.remedy()
        : "see the cause; the next opening of the store deletes the file at the latest";
  }
}
