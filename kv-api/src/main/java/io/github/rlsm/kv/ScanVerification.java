// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Verifies a store that has no built-in check: reads every entry. */
final class ScanVerification {

  private static final int PROGRESS_ENTRIES = 10_000;

  private final VerifyListener listener;
  private final List<VerifyReport.Damage> damage = new ArrayList<>();
  private long bytes;

  private ScanVerification(VerifyListener listener) {
    this.listener = listener;
  }

  static VerifyReport run(KvStore store, VerifyListener listener) {
    Objects.requireNonNull(listener, "listener");
    ScanVerification verification = new ScanVerification(listener);
    verification.read("", store);
    for (String name : store.keyspaceNames()) {
      verification.read(name, store.keyspace(name));
    }
    listener.progress(verification.bytes, verification.bytes);
    return new VerifyReport(verification.bytes, verification.damage.size(), verification.damage);
  }

  private void read(String keyspace, KvReader reader) {
    byte[] last = {};
    try (KvIterator entries = reader.scan()) {
      for (long count = 1; entries.next(); count++) {
        last = entries.key();
        bytes += last.length + entries.value().length;
        if (count % PROGRESS_ENTRIES == 0) {
          listener.progress(bytes, bytes);
        }
      }
    } catch (CorruptionException e) {
      List<VerifyReport.Keys> keys = List.of(new VerifyReport.Keys(keyspace, last, new byte[0]));
      damage.add(new VerifyReport.Damage(e.file(), e.offset(), keys, e));
      listener.damaged(damage.get(damage.size() - 1));
    }
  }
}
