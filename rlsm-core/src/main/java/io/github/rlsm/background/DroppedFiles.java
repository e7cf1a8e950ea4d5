// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

import io.github.rlsm.io.StoreFileName;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * Tables and value segments that jobs have written and dropped from memory, because memory was
 * short. {@link IdleLoading} loads them again once memory is free.
 *
 * <p>Threads: any.
 */
final class DroppedFiles {

  /**
   * Tables first, since a page of a table serves many keys. Then by number: older files wait
   * longest.
   */
  private static final Comparator<StoreFileName> ORDER = Comparator.comparing(
          (StoreFileName file) -> file.type() != StoreFileName.Type.TABLE)
      .thenComparingLong(StoreFileName::number);

  /** A deletion removes its file in a time that hardly depends on the number of files. */
  private final NavigableSet<StoreFileName> files = new ConcurrentSkipListSet<>(ORDER);

  /** Adds files, before any thread can delete them. */
  void add(Collection<StoreFileName> dropped) {
    files.addAll(dropped);
  }

  /** Removes a file, if it is one of these. */
  void remove(StoreFileName file) {
    files.remove(file);
  }

  /** Returns the file to load next; null if there is none. */
  @Nullable
  StoreFileName first() {
    Iterator<StoreFileName> inOrder = files.iterator(); // first() would throw if there is none
    return inOrder.hasNext() ? inOrder.next() : null;
  }

  /** Whether there is no such file. */
  boolean isEmpty() {
    return files.isEmpty();
  }
}
