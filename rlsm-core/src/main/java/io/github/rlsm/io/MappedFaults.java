// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Turns a fault in the memory of a mapped file into an exception in time.
 *
 * <p>An access to a mapped file faults (SIGBUS) if the device cannot read the page, or if another
 * process has truncated the file. A store instruction also faults if a copy-on-write file system is
 * full. The JVM then skips the instruction, and throws an {@link InternalError} <em>later</em>.
 * Java 21 and newer throw the error at the thread's next safepoint poll. Java 17 throws it only
 * when the thread enters the runtime in one of a few ways; an ordinary native call is not such a
 * way. Until then a load has left garbage in its register, and a store instruction has stored
 * nothing. Results computed in between must not be used.
 *
 * <p>So all code that reads or writes a mapping ends with {@link #check}. The check must run before
 * a result leaves the engine, before a write is published, and before the manifest names a new
 * file. The check belongs into a {@code finally} clause, and the handler encloses that clause.
 * Garbage may cause any other exception, and the pending error could otherwise be thrown in the
 * middle of its handler.
 *
 * <p>The JVM guards only ordinary accesses and bulk copies. A fault inside a checksum, a comparison
 * of whole buffers or a native library ends the process. So never pass mapped memory to these; see
 * {@link MappedChecksum}. A system call fails with an ordinary error.
 *
 * <p>Threads: any. A fault belongs to the thread whose access faulted.
 */
public final class MappedFaults {

  /** A part of the error's message in every JVM. No other error contains it. */
  private static final String FAULT = "unsafe memory access";

  /** Whether this JVM reports a fault at a safepoint poll. */
  private static final boolean REPORTS_AT_POLL = Runtime.version().feature() >= 21;

  /** Always 0. The compiler cannot know this. */
  private static volatile int zero;

  /** An open mapped file that another process may truncate. */
  public interface Suspect {

    /** Returns the path of the file if its mapping extends beyond its end. */
    Optional<String> cutPath();
  }

  /** All mapped files that this process has open, to find the file that caused a fault. */
  private static final Set<Suspect> OPEN = ConcurrentHashMap.newKeySet();

  private MappedFaults() {}

  /** Adds a file that was mapped. */
  public static void opened(Suspect file) {
    OPEN.add(file);
  }

  /** Removes a file before it is unmapped. */
  public static void closing(Suspect file) {
    OPEN.remove(file);
  }

  /**
   * Throws an {@link InternalError} if an earlier access of this thread faulted and the JVM has not
   * reported the fault yet. Costs about 2 ns on Java 21 and newer, and 30 ns on Java 17.
   */
  public static void check() {
    if (REPORTS_AT_POLL) {
      poll();
    } else {
      enterRuntime();
    }
  }

  /**
   * Executes one safepoint poll. Compilers place a poll at the back edge of a loop, and this loop
   * takes its back edge once. Compilers cannot count its rounds, so they keep the poll.
   */
  private static void poll() {
    int rounds = zero;
    while (rounds <= zero) {
      rounds++;
    }
  }

  /**
   * Allocates an array of arrays whose lengths are not constant. No cheaper operation is known that
   * enters the runtime of Java 17 and reports a fault. If the heap is full, the allocation fails
   * and a pending fault is lost. Failing a valid write because of a full heap would be worse.
   */
  @SuppressWarnings("UnusedVariable")
  private static void enterRuntime() {
    int length = zero;
    try {
      byte[][] nothing = new byte[length][length];
    } catch (OutOfMemoryError e) {
      // Entering the runtime was enough.
    }
  }

  /**
   * Converts an error that reports a fault to a {@link StoreIoException}, for the caller to throw.
   * Throws any other error unchanged.
   */
  public static RuntimeException explain(InternalError error) {
    if (isFault(error)) {
      return unreadable(cutFile(), error);
    }
    throw error;
  }

  /**
   * Returns the exception to throw for an exception that garbage may have caused. If an open file
   * was truncated, that is a {@link StoreIoException}: the rest of its last page reads as zeros,
   * also where the code expects a length. Otherwise the given exception is a bug, and is returned.
   */
  public static RuntimeException explain(RuntimeException garbled) {
    return anyCut().<RuntimeException>map(file -> unreadable(file, garbled)).orElse(garbled);
  }

  /** Like {@link #explain}, for a failure of any kind that is stored and not thrown. */
  public static Throwable cause(Throwable failure) {
    try {
      return isFault(failure) ? unreadable(cutFile(), failure) : failure;
    } catch (OutOfMemoryError e) {
      return failure;
    }
  }

  /**
   * Runs code that reads or writes the memory of one file, and checks for a fault.
   *
   * @throws StoreIoException if an access has faulted
   */
  public static <T> T using(String file, Supplier<T> work) {
    try {
      try {
        return work.get();
      } finally {
        check();
      }
    } catch (InternalError e) {
      if (isFault(e)) {
        throw unreadable(file, e);
      }
      throw e;
    }
  }

  private static boolean isFault(Throwable error) {
    return error instanceof InternalError
        && error.getMessage() != null
        && error.getMessage().contains(FAULT);
  }

  /** Finds a truncated file by its length, because the JVM does not report the place of a fault. */
  private static String cutFile() {
    return anyCut().orElse("a mapped file");
  }

  private static Optional<String> anyCut() {
    return OPEN.stream().map(Suspect::cutPath).flatMap(Optional::stream).findFirst();
  }

  private static StoreIoException unreadable(String file, Throwable fault) {
    return new StoreIoException(
        "access",
        file,
        new IOException(
            "a page is inaccessible: the device failed, the file was truncated, or no space was"
                + " left for a write to it",
            fault));
  }
}
