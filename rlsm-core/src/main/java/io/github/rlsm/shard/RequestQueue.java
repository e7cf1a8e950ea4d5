// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard;

import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for one worker: bounded, first in first out. Nobody spins: who finds it
 * full parks until there is room, and the worker parks while it is empty.
 *
 * <p>Threads: {@link #add} and {@link #end} any; {@link #take} and {@link #peek} the worker.
 */
final class RequestQueue {

  private final MpscVarHandleArrayQueue<Request> requests;

  /** One permit for each free place. */
  private final Semaphore room;

  /** The worker while it sleeps, or is about to. */
  private volatile @Nullable Thread sleeper;

  /** Why nobody takes requests any more, made anew for each request. */
  private volatile @Nullable Supplier<RuntimeException> end;

  RequestQueue(int capacity) {
    this.requests = new MpscVarHandleArrayQueue<>(capacity);
    this.room = new Semaphore(capacity);
  }

  /** Adds a request, once there is room. After the end it is refused at once. */
  void add(Request request) {
    room.acquireUninterruptibly();
    if (!requests.offer(request)) {
      throw new AssertionError("a queue with room has none");
    }
    // The request is stored before the worker's state is read; take() and end() do the reverse.
    VarHandle.fullFence();
    if (end != null) {
      refuseAll();
      return;
    }
    Thread sleeping = sleeper;
    if (sleeping != null) {
      LockSupport.unpark(sleeping);
    }
  }

  /** Takes the next request, once there is one. */
  Request take() {
    Request next = requests.poll();
    if (next == null) {
      sleeper = Thread.currentThread();
      VarHandle.fullFence();
      while ((next = requests.poll()) == null) {
        LockSupport.park(this);
        // Nobody interrupts a worker for a reason; left pending it would make parking spin.
        Thread.interrupted();
      }
      sleeper = null;
    }
    room.release();
    return next;
  }

  /** The next request if there is one, without taking it. */
  @Nullable
  Request peek() {
    return requests.peek();
  }

  /** Refuses what waits and all that comes. The worker takes no more. */
  void end(Supplier<RuntimeException> reason) {
    end = reason;
    VarHandle.fullFence();
    refuseAll();
  }

  /** Stands in for the worker that is gone: one thread at a time. */
  private synchronized void refuseAll() {
    Supplier<RuntimeException> reason = end;
    Request next;
    while (reason != null && (next = requests.poll()) != null) {
      room.release();
      next.fail(reason.get());
    }
  }
}
