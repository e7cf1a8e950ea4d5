// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the calls to a simulated directory, reports them to the test, and decides which of them
 * fail.
 *
 * <p>Threads: safe. The test's observer runs in the calling thread, one call at a time.
 */
final class IoEvents {

  /** A planned failure. */
  private record Plan(long index, Fault fault, boolean forever) {

    boolean hits(IoEvent event) {
      boolean due = forever ? event.index() >= index : event.index() == index;
      return due && fault.appliesTo(event.kind());
    }
  }

  private final AtomicLong count = new AtomicLong();
  private final ReentrantLock observing = new ReentrantLock();
  private volatile @Nullable Consumer<IoEvent> observer;
  private volatile @Nullable List<IoEvent.Kind> recorded;
  private volatile @Nullable Plan plan;
  private volatile Predicate<IoEvent> failing = event -> false;
  private volatile Fault failingWith = Fault.IO_ERROR;
  private volatile boolean failed;

  void observe(Consumer<IoEvent> newObserver) {
    observer = newObserver;
  }

  void record(List<IoEvent.Kind> kinds) {
    recorded = Collections.synchronizedList(kinds);
  }

  void failAt(long index, Fault fault, boolean forever) {
    failed = false;
    plan = new Plan(index, fault, forever);
  }

  void failWhen(Predicate<IoEvent> which, Fault fault) {
    failed = false;
    failingWith = fault;
    failing = which;
  }

  void mend() {
    plan = null;
    failing = event -> false;
  }

  /** Whether a planned failure has happened. */
  boolean hasFailed() {
    return failed;
  }

  long count() {
    return count.get();
  }

  /** Begins a call. Calls by the observer itself are not counted. */
  @Nullable
  IoEvent begin(IoEvent.Kind kind, String file) {
    if (observing.isHeldByCurrentThread()) {
      return null;
    }
    IoEvent event = new IoEvent(kind, file, count.getAndIncrement(), IoEvent.Phase.BEFORE);
    List<IoEvent.Kind> kinds = recorded;
    if (kinds != null) {
      kinds.add(kind);
    }
    report(event);
    return event;
  }

  /** Returns the fault of the call, or null. */
  @Nullable
  Fault faultOf(@Nullable IoEvent event) {
    Plan current = plan;
    if (event != null && failing.test(event) && failingWith.appliesTo(event.kind())) {
      failed = true;
      return failingWith;
    }
    if (event == null || current == null || !current.hits(event)) {
      return null;
    }
    failed = true;
    return current.fault();
  }

  /** Ends a call. */
  void end(@Nullable IoEvent event) {
    if (event != null) {
      report(new IoEvent(event.kind(), event.file(), event.index(), IoEvent.Phase.AFTER));
    }
  }

  private void report(IoEvent event) {
    Consumer<IoEvent> current = observer;
    if (current != null) {
      observing.lock();
      try {
        current.accept(event);
      } finally {
        observing.unlock();
      }
    }
  }

  /** Returns the exception that a call with this fault throws. */
  static StoreIoException failure(Fault fault, IoEvent.Kind kind, String file) {
    String operation = kind + " (simulated)";
    return switch (fault) {
      case NO_SPACE -> {
        IOException full = new IOException("No space left on device");
        // As in the real directory: a failed force of names is never transient.
        yield kind == IoEvent.Kind.SYNC_DIRECTORY
            ? new StoreIoException(operation, file, full)
            : new DiskFullException(operation, file, full);
      }
      case NO_DESCRIPTORS ->
        new ResourceExhaustedException(
            operation, file, Resource.FILE_DESCRIPTORS, new IOException("Too many open files"));
      case NO_MAPPINGS ->
        new ResourceExhaustedException(
            operation, file, Resource.MAPPINGS, new IOException("Map failed"));
      default -> new StoreIoException(operation, file, new IOException("Input/output error"));
    };
  }
}
