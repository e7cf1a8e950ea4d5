// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.HaltingStore;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes histories into a store, one per thread, until it is killed. Acknowledges each operation
 * with one number on its output, {@link #acknowledgement}.
 */
final class HistoryChild {

  /** Reported before the store is opened. */
  static final long OPENING = -1;

  /** Reported after the store is opened. */
  static final long OPENED = -2;

  private static final int COUNT_BITS = 48;

  private final FileOutputStream reports = new FileOutputStream(FileDescriptor.out);

  private HistoryChild() {}

  /**
   * The arguments of {@link #main}.
   *
   * @param shards number of shards; 0 for a store without shards
   * @param loses whether the child keeps copies of the log's segments with the forced bytes only
   * @param starts by thread: the number of its first operation
   */
  record Arguments(
      Path directory,
      long seed,
      long haltAt,
      String options,
      int shards,
      boolean loses,
      List<Long> starts) {

    /** The directory of the copies. */
    Path copies() {
      return directory.resolveSibling("forced");
    }

    String[] format() {
      return new String[] {
        directory.toString(),
        String.valueOf(seed),
        String.valueOf(haltAt),
        options,
        String.valueOf(shards),
        String.valueOf(loses),
        starts.stream().map(String::valueOf).collect(Collectors.joining(","))
      };
    }

    static Arguments parse(String[] arguments) {
      return new Arguments(
          Path.of(arguments[0]),
          Long.parseLong(arguments[1]),
          Long.parseLong(arguments[2]),
          arguments[3],
          Integer.parseInt(arguments[4]),
          Boolean.parseBoolean(arguments[5]),
          Arrays.stream(arguments[6].split(",")).map(Long::valueOf).toList());
    }
  }

  /** The number that acknowledges a thread's operations below {@code count}. */
  static long acknowledgement(int thread, long count) {
    return (long) thread << COUNT_BITS | count;
  }

  static int thread(long acknowledgement) {
    return (int) (acknowledgement >>> COUNT_BITS);
  }

  static long count(long acknowledgement) {
    return acknowledgement & (1L << COUNT_BITS) - 1;
  }

  public static void main(String[] arguments) throws IOException {
    new HistoryChild().run(Arguments.parse(arguments));
  }

  private void run(Arguments arguments) throws IOException {
    report(OPENING);
    KvStore opened = open(arguments);
    report(OPENED);
    CrashStore store = CrashStore.of(opened);
    for (int i = 0; i < arguments.starts.size(); i++) {
      int thread = i;
      start(() -> write(store, arguments, thread));
    }
    // The input ends with the parent, and then this process exits.
    System.in.transferTo(System.err);
    Runtime.getRuntime().halt(0);
  }

  private static KvStore open(Arguments arguments) {
    RlsmOptions options = RandomOptions.parse(arguments.options);
    HaltingStore store = new HaltingStore(
        arguments.haltAt, arguments.seed, arguments.loses ? arguments.copies() : null);
    return arguments.shards == 0
        ? store.open(arguments.directory, options)
        : store.openSharded(arguments.directory, options, arguments.shards);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "writer");
    thread.setUncaughtExceptionHandler((failed, e) -> {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    });
    thread.start();
  }

  private void write(CrashStore store, Arguments arguments, int thread) {
    History history = new History(arguments.seed, thread);
    for (long number = arguments.starts.get(thread); ; number++) {
      history.at(number).write(store);
      report(acknowledgement(thread, number + 1));
    }
  }

  /** Reports in one system call, so that numbers of several threads do not mix. */
  private void report(long number) {
    try {
      reports.write(ByteBuffer.allocate(Long.BYTES).putLong(0, number).array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
