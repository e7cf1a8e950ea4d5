// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bounded FIFO queue of requests for one worker. No thread spins: a caller that finds the queue
 * full parks until it has room, and the worker parks while it is empty.
 *
 * <p>Threads: {@link #add} and {@link #end} any; {@link #take} and {@link #peek} the worker.
 */
final class RequestQueue {

  private final MpscVarHandleArrayQueue<Request> requests;

  /** One permit for each free place. */
  private final Semaphore room;

  /** The worker while it sleeps or is about to sleep. */
  private volatile @Nullable Thread sleeper;

  /** Creates the exception that refuses a request; null until the worker has ended. */
  private volatile @Nullable Supplier<RuntimeException> end;

  RequestQueue(int capacity) {
    this.requests = new MpscVarHandleArrayQueue<>(capacity);
    this.room = new Semaphore(capacity);
  }

  /** Adds a request, once there is room. Refuses it at once if the worker has ended. */
  void add(Request request) {
    room.acquireUninterruptibly();
    if (!requests.offer(request)) {
      throw new AssertionError("the queue is full although it had a free place");
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

  /** Takes the next request, and waits for one if the queue is empty. */
  Request take() {
    Request next = requests.poll();
    if (next == null) {
      sleeper = Thread.currentThread();
      VarHandle.fullFence();
      while ((next = requests.poll()) == null) {
        LockSupport.park(this);
        // No code interrupts a worker on purpose. A pending interrupt would make parking spin.
        Thread.interrupted();
      }
      sleeper = null;
    }
    room.release();
    return next;
  }

  /** Returns the next request without taking it, or null. */
  @Nullable
  Request peek() {
    return requests.peek();
  }

  /** Refuses all waiting and all later requests. The worker takes no further request. */
  void end(Supplier<RuntimeException> reason) {
    end = reason;
    VarHandle.fullFence();
    refuseAll();
  }

  /** Takes the place of the ended worker; one thread at a time. */
  private synchronized void refuseAll() {
    Supplier<RuntimeException> reason = end;
    Request next;
    while (reason != null && (next = requests.poll()) != null) {
      room.release();
      next.fail(reason.get());
    }
  }
}
