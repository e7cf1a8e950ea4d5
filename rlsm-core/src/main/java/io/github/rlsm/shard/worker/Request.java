// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import io.github.rlsm.kv.KvStore;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work for one shard. The thread that created it waits in {@link #await()}. The request
 * refers to the caller's arrays, which must not change while the caller waits.
 *
 * <p>Threads: created and awaited by a caller. The worker calls {@link #run} or {@link #fail}. If
 * the worker is gone, the thread that finds the request calls {@link #fail}. The request ends
 * exactly once.
 */
public abstract class Request {

  /** Decides whether two adjacent requests may be served as one. */
  enum Kind {
    READ,
    WRITE,
    ALONE
  }

  /** The effect on the store. Decides whether the request is still allowed after a failure. */
  public enum Access {
    READS,
    WRITES,
    CLOSES
  }

  private final Countdown done = new Countdown(1);

  /** Written before {@link #done}, read after it. */
  private @Nullable Throwable failure;

  /**
   * Notified of the end; null if a caller waits for it. Written before the request is submitted.
   */
  private @Nullable Completion<?> completion;

  /** Whether the request has ended. Accessed only by the thread that runs or refuses it. */
  private boolean settled;

  Kind kind() {
    return Kind.ALONE;
  }

  /** Returns the effect on the store. */
  public Access access() {
    return Access.READS;
  }

  /** Serves the request alone, and ends it with {@link #finish} or {@link #fail}. */
  public abstract void run(KvStore shard);

  /** Ends the request successfully. */
  public final void finish() {
    if (!settled) {
      settled = true;
      end();
    }
  }

  private void end() {
    done.down();
    if (completion != null) {
      completion.ended();
    }
  }

  /** Sets the completion to notify of the end. Called before the request is submitted. */
  public final void completeBy(Completion<?> end) {
    completion = end;
  }

  /** Claims the request for its worker. Returns false if it was cancelled. */
  final boolean take() {
    return completion == null || completion.take();
  }

  /** Whether the caller wants to know when the write is visible, before it is durable. */
  final boolean isStaged() {
    return completion != null;
  }

  /** Reports that the write is visible, before it is durable. */
  final void visible() {
    if (completion != null) {
      completion.visible();
    }
  }

  /** Ends the request with a failure. Does nothing if the request has ended. */
  public final void fail(Throwable cause) {
    if (!settled) {
      settled = true;
      failure = cause;
      failed(cause);
      end();
    }
  }

  /** Called once if the request fails, before its end is reported. */
  protected void failed(Throwable cause) {}

  /** Parks until the request has ended. Throws the failure if there was one. */
  public final void await() {
    done.await();
    if (failure != null) {
      throw rethrown(failure);
    }
  }

  /** For {@code throw rethrown(failure)}: throws an error, returns a runtime exception. */
  public static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
