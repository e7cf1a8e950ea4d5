// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Makes sure that a fault in the memory of a mapped file becomes an exception in time.
 *
 * <p>An access to a mapped file faults (SIGBUS) if the device cannot read the page or if another
 * process has cut the file. A store also faults if a copy-on-write file system is full. The JVM
 * then skips the instruction, and throws an {@link InternalError} <em>later</em>. Java 21 and newer
 * throw the error at the thread's next safepoint poll. Java 17 throws it only when the thread
 * enters the runtime in one of a few ways; an ordinary native call is not such a way. Until then a
 * load has left garbage in its register, and a store has stored nothing. No result computed in
 * between may be used.
 *
 * <p>So all code that loads from a mapping or stores to it ends with {@link #check}. The check must
 * run before a result leaves the engine, before a write is published, and before the manifest names
 * a new file. It belongs into a {@code finally} clause, and the handler goes around that clause.
 * Garbage may cause any other exception, and the pending error could otherwise be thrown in the
 * middle of its handler.
 *
 * <p>The JVM guards ordinary accesses and bulk copies only. A fault inside a checksum, a comparison
 * of whole buffers or a native library ends the process. These must not be given mapped memory; see
 * {@link MappedChecksum}. A system call fails with an ordinary error.
 *
 * <p>Threads: any. A fault belongs to the thread that met it.
 */
public final class MappedFaults {

  /** A part of the error's message in every JVM. No other error contains it. */
  private static final String FAULT = "unsafe memory access";

  /** Whether this JVM reports a fault at a safepoint poll. */
  private static final boolean REPORTS_AT_POLL = Runtime.version().feature() >= 21;

  /** Always 0, which the compiler does not know. */
  private static volatile int zero;

  private MappedFaults() {}

  /**
   * Throws an {@link InternalError} if an access of this thread has faulted before and the JVM has
   * not reported it yet. Costs about 2 ns on Java 21 and newer, and 30 ns on Java 17.
   */
  public static void check() {
    if (REPORTS_AT_POLL) {
      poll();
    } else {
      enterRuntime();
    }
  }

  /**
   * Passes one safepoint poll: compilers put one where a loop goes back, and this loop goes back
   * once. They cannot count its rounds, so they keep the poll.
   */
  private static void poll() {
    int rounds = zero;
    while (rounds <= zero) {
      rounds++;
    }
  }

  /**
   * Allocates an array of arrays whose lengths are not constant. That is the cheapest operation
   * known to enter the runtime of Java 17 in a way that reports a fault. If the heap is full, the
   * allocation fails and a pending fault is lost. Failing a sound write because of a full heap
   * would be worse.
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
   * Returns a {@link StoreIoException} to throw instead of an error which says that an access has
   * faulted. Throws any other error as it is.
   */
  public static RuntimeException explain(InternalError error) {
    if (isFault(error)) {
      return unreadable(cutFile(), error);
    }
    throw error;
  }

  /**
   * Returns the exception to throw instead of one that garbage may have caused: a
   * {@link StoreIoException} if an open file was cut. The rest of its last page reads as zeros, as
   * lengths for example. Otherwise returns the exception, which is a bug.
   */
  public static RuntimeException explain(RuntimeException garbled) {
    return OsMappedFile.anyCut()
        .<RuntimeException>map(file -> unreadable(file.toString(), garbled))
        .orElse(garbled);
  }

  /** As {@link #explain}, for a failure of any kind that is kept rather than thrown. */
  public static Throwable cause(Throwable failure) {
    try {
      return isFault(failure) ? unreadable(cutFile(), failure) : failure;
    } catch (OutOfMemoryError e) {
      return failure;
    }
  }

  /**
   * Runs work that reads the memory of one file or stores to it, and checks for a fault.
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

  /** The JVM does not report where a fault was. A cut file is found by its length. */
  private static String cutFile() {
    return OsMappedFile.anyCut().map(Path::toString).orElse("a mapped file");
  }

  private static StoreIoException unreadable(String file, Throwable fault) {
    return new StoreIoException(
        "access",
        file,
        new IOException(
            "a page is out of reach: the device failed, the file was cut, or there is no room to"
                + " store to it",
            fault));
  }
}
