// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.EntryView;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.table.Table.KeySample;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** Creates models of tables, and tables from models. */
final class TestTables {

  static final long STORE_ID = 0x0123_4567_89AB_CDEFL;
  static final long FILE_NUMBER = 42;

  private TestTables() {}

  static NavigableMap<byte[], TestEntry> model() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /**
   * Returns entries of every kind under keys of one to {@code keyBytesMax} bytes of a small
   * alphabet.
   */
  static NavigableMap<byte[], TestEntry> randomModel(
      Random random, int count, int keyBytesMax, int valueBytesMax) {
    NavigableMap<byte[], TestEntry> model = model();
    int alphabet = 1 << (1 + random.nextInt(8));
    byte[] shared = new byte[random.nextInt(4) * random.nextInt(4)];
    random.nextBytes(shared);
    long seqnoMax = 1L << random.nextInt(62);
    for (int i = 0; i < count; i++) {
      byte[] key = Arrays.copyOf(shared, shared.length + 1 + random.nextInt(keyBytesMax));
      for (int j = shared.length; j < key.length; j++) {
        key[j] = (byte) random.nextInt(alphabet);
      }
      model.put(key, randomEntry(random, (long) (random.nextDouble() * seqnoMax), valueBytesMax));
    }
    return model;
  }

  private static TestEntry randomEntry(Random random, long seqno, int valueBytesMax) {
    switch (random.nextInt(10)) {
      case 0 -> {
        return TestEntry.tombstone(seqno);
      }
      case 1, 2 -> {
        int segment = 1 + random.nextInt(20);
        int length = random.nextInt(1 << 20);
        return TestEntry.pointer(
            seqno, ValuePointer.of(segment, random.nextInt(1 << 30), random.nextBoolean(), length));
      }
      default -> {
        byte[] value = new byte[random.nextInt(valueBytesMax + 1)];
        random.nextBytes(value);
        // Half of the value compresses.
        Arrays.fill(value, value.length / 2, value.length, (byte) 7);
        return TestEntry.put(seqno, value);
      }
    }
  }

  static byte[] write(TableWriter.Settings settings, NavigableMap<byte[], TestEntry> model) {
    MemoryAppendFile file = new MemoryAppendFile();
    try (TableWriter writer =
        new TableWriter(file, settings, TableWriter.Size.of(model.size()), STORE_ID, FILE_NUMBER)) {
      model.forEach((key, entry) -> add(writer, key, entry));
      writer.finish();
    }
    return file.bytes();
  }

  static void add(TableWriter writer, byte[] key, TestEntry entry) {
    writer.add(entry.at(key));
  }

  static Table.Access access() {
    return new Table.Access(new PageCache(1 << 20), new ReadCounters(), false);
  }

  static Table open(byte[] bytes) {
    return open(bytes, access());
  }

  static Table open(byte[] bytes, Table.Access access) {
    return Table.open(MemoryMappedFile.direct(bytes), STORE_ID, FILE_NUMBER, access);
  }

  static Table table(TableWriter.Settings settings, NavigableMap<byte[], TestEntry> model) {
    return open(write(settings, model));
  }

  static boolean find(Table table, byte[] key, EntryView out) {
    long hash = KeyHash.hash(key, 0, key.length);
    return table.mightContain(hash) && table.find(key, 0, key.length, hash, out);
  }

  /**
   * Checks every byte of a table.
   *
   * @throws CorruptionException for the first damage found
   */
  static void checkAll(Table table) {
    table.check(new CheckListener() {
      @Override
      public void read(long bytes) {}

      @Override
      public void damage(String name, long offset, KeyRange keys, KvException cause) {
        throw cause;
      }
    });
  }

  /** Stored bytes of the pages that may hold keys of the range. */
  static long pageBytes(Table table, KeyRange range) {
    return table.samples(range, 1).stream().mapToLong(KeySample::bytes).sum();
  }
}
