// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens a store before each test and closes it after the test. */
abstract class ContractFixture {

  @TempDir
  Path temporary;

  KvStore store;

  private static final List<Durability> LEVELS = List.of(Durability.values());

  /** Returns the factory of the store under test. */
  abstract StoreFactory factory();

  @BeforeEach
  void openStore() {
    store = factory().open(directory());
  }

  @AfterEach
  void closeStore() {
    store.close();
    factory().checkClosed(directory());
  }

  Path directory() {
    return temporary.resolve("store");
  }

  /** Closes the store and opens it again. */
  void reopen() {
    closeStore();
    openStore();
  }

  /** Opens another, empty store of the same kind. The test closes it. */
  KvStore openAnother() {
    return factory().open(temporary.resolve("another"));
  }

  /** Returns the durability levels in rotation. */
  static Durability durability(int turn) {
    return LEVELS.get(turn % LEVELS.size());
  }

  /** Returns all entries of a reader, as texts that compare and print well. */
  static List<String> entries(KvReader reader) {
    return entries(reader, ScanOptions.all());
  }

  /** Returns the entries of a scan, as texts that compare and print well. */
  static List<String> entries(KvReader reader, ScanOptions options) {
    try (KvIterator iterator = reader.scan(options)) {
      return rest(iterator, options.isKeysOnly());
    }
  }

  /** Returns the remaining entries of an iterator. */
  static List<String> rest(KvIterator iterator, boolean keysOnly) {
    List<String> entries = new ArrayList<>();
    while (iterator.next()) {
      entries.add(entry(iterator.key(), keysOnly ? null : iterator.value()));
    }
    return entries;
  }

  /** Formats an entry as {@link #entries} does. The value is null in scans for keys only. */
  static String entry(byte[] key, byte[] value) {
    return TestBytes.show(key) + (value == null ? "" : "=" + TestBytes.show(value));
  }

  /** Formats an entry whose key and value are given as texts. */
  static String entry(String key, String value) {
    return entry(TestBytes.bytes(key), TestBytes.bytes(value));
  }
}
