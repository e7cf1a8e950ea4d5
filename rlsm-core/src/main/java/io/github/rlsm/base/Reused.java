// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.base;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Objects that one call after another reuses, such as buffers. So a call allocates only its result.
 * A call takes an object and gives it back at its end. If it does not, a later call allocates a new
 * one.
 *
 * <p>A platform thread keeps an object for its next call. Virtual threads share a few objects,
 * because there may be millions of them and most make only a few calls. Rejected: an object for
 * each virtual thread. Direct memory that the thread leaves behind stays allocated until the next
 * garbage collection.
 *
 * <p>Threads: any. An object may be given back by another thread than the one that took it.
 */
public final class Reused<T> {

  /** Virtual threads rarely take more at once, unless they wait inside a call. */
  static final int SHARED_MAX = 64;

  /** {@code Thread.isVirtual()}, which Java 17 does not have. */
  private static final @Nullable MethodHandle IS_VIRTUAL = isVirtualOrNull();

  private final Supplier<? extends T> creator;
  private final BooleanSupplier isVirtual;
  private final ThreadLocal<Slot<T>> own = ThreadLocal.withInitial(Slot::new);
  private final Queue<T> shared = new MpmcVarHandleArrayQueue<>(SHARED_MAX);

  /** Creates an empty set of objects. Calls {@code creator} whenever none is left. */
  public Reused(Supplier<? extends T> creator) {
    this(creator, Reused::isInVirtualThread);
  }

  /** Creates an empty set of objects. Asks whether a call runs in a virtual thread. */
  Reused(Supplier<? extends T> creator, BooleanSupplier isVirtual) {
    this.creator = creator;
    this.isVirtual = isVirtual;
  }

  private static @Nullable MethodHandle isVirtualOrNull() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException e) {
      return null; // this Java has no virtual threads
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static boolean isInVirtualThread() {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Thread.isVirtual failed", e);
    }
  }

  /** Returns an object that no other call uses until it is given back. */
  public T take() {
    T free;
    if (isVirtual.getAsBoolean()) {
      free = shared.poll();
    } else {
      Slot<T> slot = own.get();
      free = slot.object;
      slot.object = null;
    }
    return free == null ? creator.get() : free;
  }

  /** Keeps an object for a later call. The caller must not use it any more. */
  public void giveBack(T object) {
    if (isVirtual.getAsBoolean()) {
      shared.offer(object); // or drops it: so many are rarely in use
    } else {
      own.get().object = object;
    }
  }

  /** The object that a platform thread keeps. */
  private static final class Slot<T> {

    private @Nullable T object;
  }
}
