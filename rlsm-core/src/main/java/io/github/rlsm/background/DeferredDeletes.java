// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreIoException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A directory that retries failed deletions later. The file stays until then; the next opening of
 * the store sweeps it if it still exists. So a failed unlink blocks no write.
 *
 * <p>Only deletions of numbered files are deferred. A number is never reused while the store is
 * open, so a later retry cannot delete another file of the same name.
 *
 * <p>Threads: any.
 */
final class DeferredDeletes extends FilterDirectory {

  private final BackgroundError errors;

  @GuardedBy("itself")
  private final Set<String> left = new LinkedHashSet<>();

  DeferredDeletes(StoreDirectory directory, BackgroundError errors) {
    super(directory);
    this.errors = errors;
  }

  @Override
  public void delete(String name) {
    attempt(name, () -> super.delete(name));
  }

  @Override
  public void deleteClosed(String name) {
    attempt(name, () -> super.deleteClosed(name));
  }

  private void attempt(String name, Runnable deletion) {
    try {
      deletion.run();
    } catch (StoreIoException e) {
      if (!isNumbered(name)) {
        throw e;
      }
      synchronized (left) {
        left.add(name);
      }
      errors.report(e, Activity.DELETE);
    }
  }

  private static boolean isNumbered(String name) {
    return StoreFileName.parse(name)
        .filter(file -> switch (file.type()) {
          case TABLE, MANIFEST, WRITE_AHEAD_LOG, VALUE_LOG -> true;
          case CURRENT, CURRENT_TEMPORARY, SHARDS, SHARDS_TEMPORARY -> false;
          case LOG_DEVICE, LOG_DEVICE_TEMPORARY, SEGMENT_TEMPORARY, LOCK -> false;
        })
        .isPresent();
  }

  /** Retries the failed deletions. */
  void retry() {
    List<String> names;
    synchronized (left) {
      names = new ArrayList<>(left);
    }
    try {
      for (String name : names) {
        if (exists(name)) { // a deletion can succeed and still report an error
          super.delete(name);
        }
        synchronized (left) {
          left.remove(name);
        }
      }
    } catch (StoreIoException e) {
      errors.report(e, Activity.DELETE);
      return;
    }
    synchronized (left) {
      if (left.isEmpty()) {
        errors.worked(Activity.DELETE);
      }
    }
  }
}
