// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvIterator;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A store with a log device whose process has died, and whose files are then changed in part. An
 * input is a list of changes of eight bytes each: the number of the file, an operation, a value, a
 * count of bytes, and an offset.
 */
public final class StoreFuzz {

  private static final int CHANGE_BYTES = 8;
  private static final int CHANGES_MAX = 64;
  private static final String DEVICE = "/device";
  private static final SimulatedDirectory SOUND = written();

  private StoreFuzz() {}

  private static SimulatedDirectory written() {
    SimulatedDirectory directory = TinyOptions.DIRECT_LARGE.directory();
    RlsmStore store = open(directory);
    for (int i = 0; i < 150; i++) {
      byte[] key = {'k', (byte) (i % 40)};
      store.put(key, new byte[i * 3], i % 10 == 0 ? Durability.SYNC : Durability.OS);
    }
    store.keyspace("users").put(new byte[] {1}, new byte[] {2}, Durability.SYNC);
    return directory.kill();
  }

  private static RlsmStore open(SimulatedDirectory directory) {
    return RlsmStore.open(
        directory, TinyOptions.DIRECT_LARGE.options(), InlineScheduler.environment(1));
  }

  /** Opens the changed store and reads its whole content. */
  public static void fuzzerTestOneInput(byte[] input) {
    SimulatedDirectory directory = SOUND.afterKill();
    ByteBuffer changes = ByteBuffer.wrap(input);
    for (int i = 0; i < CHANGES_MAX && changes.remaining() >= CHANGE_BYTES; i++) {
      change(directory, changes);
    }
    // The opening allocates the arrays and buffers of the memory budget, so the bound follows from
    // that budget.
    Decoding.of(1 << 18, () -> {
      try (RlsmStore store = open(directory)) {
        read(store.scan());
        for (String name : store.keyspaceNames()) {
          read(store.keyspace(name).scan());
        }
        store.verify();
      }
    });
  }

  private static void read(KvIterator entries) {
    try (entries) {
      while (entries.next()) {
        entries.value();
      }
    }
  }

  private static void change(SimulatedDirectory directory, ByteBuffer change) {
    List<String> names = directory.list().stream()
        .filter(name -> !name.equals(StoreFileName.LOCK))
        .sorted()
        .toList();
    int file = Byte.toUnsignedInt(change.get()) % (names.size() + 1);
    int operation = change.get();
    byte value = change.get();
    int count = change.get() & 0x3F;
    int offset = change.getInt() & Integer.MAX_VALUE;
    if (file == names.size()) {
      edit(directory.deviceBytes(DEVICE), operation, value, count, offset);
      return;
    }
    byte[] bytes = directory.bytes(names.get(file)).clone();
    if (operation == 0) {
      directory.truncate(names.get(file), offset % (bytes.length + 1));
    } else {
      edit(bytes, operation, value, count, offset);
      directory.replace(names.get(file), bytes);
    }
  }

  private static void edit(byte[] bytes, int operation, byte value, int count, int offset) {
    for (int i = 0; i < count && bytes.length > 0; i++) {
      int at = (int) ((offset + (long) i) % bytes.length);
      bytes[at] = (byte) (operation % 2 == 0 ? bytes[at] ^ value : value);
    }
  }

  /** Returns an input without changes, and some of each kind. */
  public static List<byte[]> seeds() {
    return List.of(
        new byte[0],
        new byte[] {0, 1, 7, 8, 0, 0, 0, 40},
        new byte[] {1, 2, 1, 1, 0, 0, 1, 40, 2, 1, 0, 60, 0, 0, 0, 70},
        new byte[] {3, 0, 0, 0, 0, 0, 0, 99});
  }
}
