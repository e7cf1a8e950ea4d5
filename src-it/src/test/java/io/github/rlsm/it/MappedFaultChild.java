// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.Compression;
import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.VerifyChecksums;
import io.github.rlsm.kv.KvException;
import io.github.rlsm.kv.KvIterator;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ScanOptions;
import io.github.rlsm.kv.WriteBatch;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Opens stores, truncates their files, and continues to use them. Every answer must be correct or a
 * {@link KvException}. Reports the number of answers of each kind for each store.
 *
 * <p>A truncation at a multiple of the page size removes whole pages, so every access to them
 * faults. After any other truncation, the rest of the last page reads as zeros without a fault.
 * Then the answers are not compared.
 */
final class MappedFaultChild {

  private static final int PAGE_BYTES = 4096;
  private static final int KEYS = 1500;
  private static final int OPERATIONS = 150;

  private final Random random;
  private final TreeMap<String, byte[]> expected = new TreeMap<>();

  /** Keys of failed writes. Each may have the old or the new value. */
  private final Set<String> unknown = new HashSet<>();

  private KvStore store;
  private boolean comparing = true;
  private boolean cut;
  private long right;
  private long failed;

  private MappedFaultChild(long seed) {
    random = new Random(seed);
  }

  /** Arguments: a directory, a seed, the number of stores, and of reads before the cut. */
  public static void main(String[] arguments) throws IOException {
    DataOutputStream reports = new DataOutputStream(System.out);
    long seed = Long.parseLong(arguments[1]);
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      MappedFaultChild child = new MappedFaultChild(seed + i);
      try {
        child.run(Path.of(arguments[0], "store" + i), Integer.parseInt(arguments[3]), i == 0);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("store " + i + " of seed " + seed, e);
      }
      reports.writeLong(child.right);
      reports.writeLong(child.failed);
      reports.flush();
    }
  }

  /**
   * Runs a store.
   *
   * @param surely whether reads must fail, so that a run of one store tests something
   */
  private void run(Path directory, int warmUp, boolean surely) throws IOException {
    store = Rlsm.open(directory, options());
    load();
    for (int i = 0; i < warmUp; i++) {
      get();
      scan();
      multiGet();
      put();
    }
    right = 0;
    if (surely) {
      cutAllTables(files(directory));
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      cutOneOf(files(directory));
    }
    cut = true;
    for (int i = 0; i < OPERATIONS; i++) {
      operate();
    }
    attempt(() -> {
      store.close();
      return null;
    });
    reopen(directory);
    deleteAll(directory);
  }

  private RlsmOptions options() {
    Compression[] compressions = Compression.values();
    return RlsmOptions.builder()
        .logSegmentBytes(256 << 10)
        .separationThreshold(512)
        .memtableEntries(1 << 12)
        .compression(random.nextBoolean() ? Compression.NONE : compressions[random.nextInt(3)])
        .verifyChecksums(
            random.nextInt(4) == 0 ? VerifyChecksums.EVERY_READ : VerifyChecksums.FIRST_READ)
        .memoryBudget(16 << 20)
        .backgroundThreads(1)
        .build();
  }

  /** Writes tables, value segments, and a log tail. */
  private void load() {
    for (int i = 0; i < KEYS; i++) {
      put();
      if (i % 400 == 399) {
        store.flush();
      }
    }
  }

  private List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.filter(file -> {
            String name = file.getFileName().toString();
            return name.startsWith("tab-") || name.startsWith("wal-") || name.startsWith("val-");
          })
          .sorted()
          .toList());
    }
  }

  private static void cutAllTables(List<Path> files) throws IOException {
    for (Path file : files) {
      if (file.getFileName().toString().startsWith("tab-")) {
        cut(file, size -> 0);
      }
    }
  }

  private void cutOneOf(List<Path> files) throws IOException {
    // Draw the kind first, because there are many more segments than tables.
    String kind = List.of("tab-", "wal-", "val-").get(random.nextInt(3));
    List<Path> some = files.stream()
        .filter(file -> file.getFileName().toString().startsWith(kind))
        .toList();
    if (some.isEmpty()) {
      return;
    }
    Path file = some.get(random.nextInt(some.size()));
    cut(file, size -> {
      long to = random.nextInt(4) == 0 ? 0 : (long) (random.nextDouble() * size);
      if (random.nextInt(4) == 0) {
        comparing &= to % PAGE_BYTES == 0;
        return to;
      }
      return to - to % PAGE_BYTES;
    });
  }

  /** Cuts a file to the length that a function of its size returns. */
  private static void cut(Path file, LongUnaryOperator length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length.applyAsLong(channel.size()));
    } catch (java.nio.file.NoSuchFileException e) {
      // A background thread has deleted the file.
    }
  }

  private void operate() {
    switch (random.nextInt(40)) {
      case 0 ->
        attempt(() -> {
          store.flush();
          return null;
        });
      case 1 ->
        attempt(() -> {
          store.settle();
          return null;
        });
      case 2 -> attempt(store::collect);
      case 3 ->
        attempt(() -> {
          store.verify();
          return null;
        });
      case 4 -> attempt(store::stats);
      case 5, 6 -> batch();
      case 7, 8 -> exchange();
      case 9, 10, 11, 12, 13, 14, 15 -> put();
      case 16, 17, 18, 19, 20 -> scan();
      case 21, 22, 23, 24, 25 -> multiGet();
      default -> get();
    }
  }

  private String anyKey() {
    return String.format(Locale.ROOT, "key-%06d", random.nextInt(2 * KEYS));
  }

  private byte[] anyValue() {
    int length = switch (random.nextInt(10)) {
      case 0 -> 600 + random.nextInt(9000);
      case 1 -> 1100;
      default -> random.nextInt(100);
    };
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(US_ASCII);
  }

  private void put() {
    String key = anyKey();
    byte[] value = anyValue();
    write(Collections.singletonMap(key, value), () -> {
      store.put(bytes(key), value);
      return true;
    });
  }

  private void batch() {
    Map<String, byte[]> changes = new TreeMap<>();
    WriteBatch batch = new WriteBatch();
    for (int i = 0; i < 5; i++) {
      changes.put(anyKey(), random.nextBoolean() ? anyValue() : null);
    }
    changes.forEach((key, value) -> {
      if (value == null) {
        batch.delete(bytes(key));
      } else {
        batch.put(bytes(key), value);
      }
    });
    write(changes, () -> {
      store.write(batch);
      return true;
    });
  }

  /** Makes a conditional write. Its condition is read from the store's files. */
  private void exchange() {
    String key = anyKey();
    byte[] value = anyValue();
    byte[] before = expected.get(key);
    write(before == null ? Collections.singletonMap(key, value) : Map.of(), () -> {
      byte[] found = store.putIfAbsent(bytes(key), value);
      check(key, found, before);
      return true;
    });
  }

  private void write(Map<String, byte[]> changes, Supplier<Boolean> work) {
    if (attempt(work) == null) {
      unknown.addAll(changes.keySet());
      return;
    }
    changes.forEach((key, value) -> {
      unknown.remove(key);
      if (value == null) {
        expected.remove(key);
      } else {
        expected.put(key, value);
      }
    });
  }

  private void get() {
    String key = anyKey();
    attempt(() -> {
      check(key, store.get(bytes(key)), expected.get(key));
      return true;
    });
  }

  private void multiGet() {
    List<String> keys = List.of(anyKey(), anyKey(), anyKey(), anyKey());
    attempt(() -> {
      List<byte[]> found =
          store.multiGet(keys.stream().map(MappedFaultChild::bytes).toList());
      for (int i = 0; i < keys.size(); i++) {
        check(keys.get(i), found.get(i), expected.get(keys.get(i)));
      }
      return true;
    });
  }

  private void scan() {
    String from = anyKey();
    boolean reverse = random.nextBoolean();
    int limit = 1 + random.nextInt(60);
    ScanOptions.Builder options = ScanOptions.builder().limit(limit);
    if (reverse) {
      options.to(bytes(from)).reverse();
    } else {
      options.from(bytes(from));
    }
    attempt(() -> {
      // Entries returned before an error must be correct, too.
      try (KvIterator entries = store.scan(options.build())) {
        String last = from;
        int count = 0;
        while (entries.next()) {
          String key = new String(entries.key(), US_ASCII);
          check(key, entries.value(), expected.get(key));
          checkNothingBetween(last, key, reverse, count++ == 0);
          last = key;
        }
        if (count < limit) {
          checkNothingBetween(last, reverse ? "" : "z", reverse, count == 0);
        }
      }
      return true;
    });
  }

  private void checkNothingBetween(String last, String key, boolean reverse, boolean first) {
    if (comparing && cut) {
      Set<String> between = reverse
          ? expected.subMap(key, false, last, false).keySet()
          : expected.subMap(last, first, key, false).keySet();
      if (!unknown.containsAll(between)) {
        throw new AssertionError("a scan missed " + between);
      }
    }
  }

  private void check(String key, byte[] found, byte[] wanted) {
    if (comparing && !unknown.contains(key) && !Arrays.equals(found, wanted)) {
      throw new AssertionError("wrong value of " + key);
    }
  }

  /** Executes work that may fail. Returns null if it failed. */
  private <T> T attempt(Supplier<T> work) {
    try {
      T result = work.get();
      right++;
      return result;
    } catch (KvException e) {
      if (!cut) {
        throw e;
      }
      failed++;
      return null;
    }
  }

  /** Reopens the store. A cut may remove unforced log bytes without any error. */
  private void reopen(Path directory) {
    comparing = false;
    attempt(() -> {
      try (KvStore again = Rlsm.open(directory, options())) {
        store = again;
        for (int i = 0; i < 20; i++) {
          get();
        }
      }
      return true;
    });
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
