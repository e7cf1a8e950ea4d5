// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import io.github.rlsm.kv.KvStore;
import org.jspecify.annotations.Nullable;

/**
 * Something that one shard is to do. The thread that made it waits in {@link #await()}; arrays it
 * refers to are the caller's own, which stay as they are while it waits.
 *
 * <p>Threads: made and awaited by a caller; {@link #run} and {@link #fail} are called by the
 * worker, or by whoever finds that there is none any more; exactly one of them, once.
 */
abstract class Request {

  /** What decides whether two neighbours may be served as one. */
  enum Kind {
    READ,
    WRITE,
    ALONE
  }

  /** What it does to the store: decides whether it may still be done once something failed. */
  enum Access {
    READS,
    WRITES,
    CLOSES
  }

  private final Countdown done = new Countdown(1);

  /** Written before {@link #done}, read after it. */
  private @Nullable Throwable failure;

  /** Who is told of the end; null if a caller waits for it. Written before it is submitted. */
  private @Nullable Completion<?> completion;

  /** Known to the one who runs it alone. */
  private boolean settled;

  Kind kind() {
    return Kind.ALONE;
  }

  Access access() {
    return Access.READS;
  }

  /** Does it, alone, and ends with {@link #finish} or {@link #fail}. */
  abstract void run(KvStore shard);

  /** It is done. */
  final void finish() {
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

  /** Has it end by that; before it is submitted. */
  final void completeBy(Completion<?> end) {
    completion = end;
  }

  /** The worker's turn: whether it is still to be served. */
  final boolean take() {
    return completion == null || completion.take();
  }

  /** Whether somebody wants to know that it is visible before it is durable. */
  final boolean isStaged() {
    return completion != null;
  }

  /** It is visible, and not yet durable. */
  final void visible() {
    if (completion != null) {
      completion.visible();
    }
  }

  /** It has failed. Does nothing once it has ended one way or the other. */
  final void fail(Throwable cause) {
    if (!settled) {
      settled = true;
      failure = cause;
      failed(cause);
      end();
    }
  }

  /** What else is to be told of a failure. */
  void failed(Throwable cause) {}

  /** Parks until it is done; throws what it failed with. */
  final void await() {
    done.await();
    if (failure != null) {
      throw rethrown(failure);
    }
  }

  /** For {@code throw rethrown(failure)}: the failure, which is unchecked. */
  static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }
}
