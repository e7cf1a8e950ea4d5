// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Versions that were replaced in place while a snapshot still needed them, newest first, by entry.
 *
 * <p>Empty unless snapshots or scans run beside writes to the same keys, so plain boxed keys will
 * do.
 *
 * <p>Threads: any.
 */
final class OlderVersions {

  private record Version(long reference, @Nullable Version older) {}

  private final ConcurrentMap<Integer, Version> newest = new ConcurrentHashMap<>();

  /** Keeps a version; its place among the others follows from its seqno. */
  void add(int entry, long reference) {
    newest.merge(
        entry, new Version(reference, null), (chain, added) -> insert(chain, added.reference));
  }

  private static Version insert(@Nullable Version chain, long reference) {
    if (chain == null || Reference.isNewer(reference, chain.reference)) {
      return new Version(reference, chain);
    }
    return chain.reference == reference
        ? chain
        : new Version(chain.reference, insert(chain.older, reference));
  }

  /** The newest kept version of an entry with a seqno delta below the bound; 0 if there is none. */
  long newestBelow(int entry, long deltaBound) {
    for (Version v = newest.get(entry); v != null; v = v.older) {
      if (Reference.delta(v.reference) < deltaBound) {
        return v.reference;
      }
    }
    return 0;
  }

  /** Versions kept. */
  int count() {
    int count = 0;
    for (Version v : newest.values()) {
      for (Version w = v; w != null; w = w.older) {
        count++;
      }
    }
    return count;
  }
}
