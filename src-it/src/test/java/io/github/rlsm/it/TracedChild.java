// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.WriteBatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The reference workload for traces of system calls. Prints each step that it begins, each
 * acknowledged write, and the place of its record to standard error. Each line is one system call.
 *
 * <p>Arguments: the store's directory, and a log device if the store is to use one.
 */
final class TracedChild {

  static final int WRITERS = 3;
  static final int WRITES_OF_A_WRITER = 12;

  /** Writes of one thread that fill more than one log segment. */
  static final int WRITES_ALONE = 48;

  static final int WRITES = WRITERS * WRITES_OF_A_WRITER + WRITES_ALONE;
  static final int FLUSHES = 6;
  static final String BEGIN = "begin ";
  static final String ACKNOWLEDGED = "acknowledged ";
  static final String LOCATED = "located ";
  static final String FLUSHING = "flushing";
  static final String FLUSHED = "flushed";

  private static final int RECORD_HEADER = 16;
  private static final int PROMISE = 8;
  private static final int PUT = 1;
  private static final int BATCH = 3;
  private static final int PROMISES = 1 << 4;

  /** Bytes between a put record's header and its user key: length, and the keyspace's prefix. */
  private static final int PUT_HEAD = 2 + 1;

  /** Like {@link #PUT_HEAD}, for the first operation of a batch. */
  private static final int BATCH_HEAD = 8 + 12 + 1;

  private static final FileOutputStream SAYINGS = new FileOutputStream(FileDescriptor.err);

  private final Path directory;
  private final KvStore store;

  private TracedChild(Path directory, KvStore store) {
    this.directory = directory;
    this.store = store;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Optional<Path> device =
        arguments.length == 1 ? Optional.empty() : Optional.of(Path.of(arguments[1]));
    // First hardly any compaction, then only compaction.
    try (KvStore store = Rlsm.open(directory, options(1000, device))) {
      TracedChild child = new TracedChild(directory, store);
      child.writeConcurrently();
      for (int i = 0; i < WRITES_ALONE; i++) {
        child.write(WRITERS * WRITES_OF_A_WRITER + i);
      }
      child.flush();
    }
    try (KvStore store = Rlsm.open(directory, options(0, device))) {
      store.settle();
      store.verify();
    }
  }

  private static RlsmOptions options(int l0Trigger, Optional<Path> device) {
    RlsmOptions.Builder options = RlsmOptions.builder()
        .memoryBudget(1 << 20)
        .logSegmentBytes(64 << 10)
        .separationThreshold(500)
        .l0Trigger(l0Trigger)
        .backgroundThreads(1);
    device.ifPresent(options::directLog);
    return options.build();
  }

  /** Writes with several threads, so that one force serves several writes. */
  private void writeConcurrently() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int first = i * WRITES_OF_A_WRITER;
      Thread writer = new Thread(() -> write(first, failure), "writer");
      writers.add(writer);
      writer.start();
    }
    for (Thread writer : writers) {
      writer.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  private void write(int first, AtomicReference<Throwable> failure) {
    try {
      for (int i = 0; i < WRITES_OF_A_WRITER; i++) {
        write(first + i);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Every fourth write is not forced by itself; the next forced write covers it. */
  static boolean isForced(int number) {
    return number % 4 != 3;
  }

  private void write(int number) throws IOException {
    Durability durability = isForced(number) ? Durability.SYNC : Durability.OS;
    byte[] key = ("unique " + number + ".").getBytes(US_ASCII);
    byte[] value = new byte[number % 3 * 900];
    say(BEGIN + number);
    if (number % 5 == 4) {
      store.write(
          new WriteBatch().put(store, key, value).put(store, key(number), new byte[40]),
          durability);
    } else {
      store.put(key, value, durability);
    }
    say(ACKNOWLEDGED + number);
    say(LOCATED + number + " " + locate(key, number % 5 == 4 ? BATCH_HEAD : PUT_HEAD));
  }

  /** Finds a record by its unique key: segment, offsets of begin and end, seqno and checksum. */
  private String locate(byte[] key, int head) throws IOException {
    List<Path> segments;
    try (Stream<Path> files = Files.list(directory)) {
      segments = files
          .filter(file -> file.getFileName().toString().matches("(wal|val)-.*"))
          .toList();
    }
    for (Path segment : segments) {
      byte[] bytes = bytes(segment);
      ByteBuffer memory = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (int at = 0; at + key.length <= bytes.length; at++) {
        if (memory.slice(at, key.length).equals(ByteBuffer.wrap(key))) {
          for (int before : new int[] {RECORD_HEADER + head, RECORD_HEADER + PROMISE + head}) {
            int start = at - before;
            boolean promises = before > RECORD_HEADER + head;
            if (start >= 0 && isRecord(memory, start, head == BATCH_HEAD, promises)) {
              return describe(segment, memory, start);
            }
          }
        }
      }
    }
    throw new AssertionError("no record of " + new String(key, US_ASCII));
  }

  /** Returns the bytes of a segment; none if it was flushed and deleted since it was listed. */
  private static byte[] bytes(Path segment) throws IOException {
    try {
      return Files.readAllBytes(segment);
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  private static boolean isRecord(
      ByteBuffer segment, int start, boolean isBatch, boolean promises) {
    int kind = segment.get(start + 15);
    return start % 8 == 0 && kind == ((promises ? PROMISES : 0) | (isBatch ? BATCH : PUT));
  }

  private static String describe(Path segment, ByteBuffer memory, int start) {
    int length = memory.getInt(start + 4);
    long seqno = memory.getLong(start + 8) & (1L << 56) - 1;
    CRC32C checksum = new CRC32C();
    checksum.update(memory.slice(start, length));
    return segment.getFileName() + " " + start + " " + (start + length) + " " + seqno + " "
        + checksum.getValue();
  }

  private void flush() throws IOException {
    for (int i = 0; i < FLUSHES; i++) {
      for (int j = 0; j < 20; j++) {
        store.put(key(j), new byte[j % 2 * 700 + i], Durability.OS);
      }
      say(FLUSHING);
      store.flush();
      say(FLUSHED);
    }
  }

  private static byte[] key(int number) {
    return ("key " + number).getBytes(US_ASCII);
  }

  private static void say(String what) {
    try {
      SAYINGS.write((what + "\n").getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
