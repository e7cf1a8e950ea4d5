// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Comparator;
import java.util.Locale;

/**
 * The place of a value: a keyspace, and a key that begins with the number of its writer thread.
 *
 * @param keyspace 0 for the default keyspace, 1 for the named keyspace
 */
record Entry(int keyspace, String key) implements Comparable<Entry> {

  private static final Comparator<Entry> ORDER =
      Comparator.comparingInt(Entry::keyspace).thenComparing(Entry::key);

  static Entry of(int keyspace, int thread, int number) {
    return new Entry(keyspace, String.format(Locale.ROOT, "%02d/%05d", thread, number));
  }

  byte[] keyBytes() {
    return key.getBytes(US_ASCII);
  }

  /** The number of the writer thread. */
  int thread() {
    return Integer.parseInt(key.substring(0, 2));
  }

  @Override
  public int compareTo(Entry other) {
    return ORDER.compare(this, other);
  }
}
