// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static io.github.rlsm.it.ShortageChild.check;
import static io.github.rlsm.it.ShortageChild.key;
import static io.github.rlsm.it.ShortageChild.options;
import static io.github.rlsm.it.ShortageChild.value;

import io.github.rlsm.Rlsm;
import io.github.rlsm.kv.Durability;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;
import io.github.rlsm.kv.StoreHealth.State;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Opens and uses stores in a process that can start few threads or no thread. The process must have
 * a limit of its address space, and stacks of 64 MiB. Reports the number of refused stores.
 */
final class ThreadsChild {

  private static final int WRITES = 3000;

  /** A quarter of the stack size of the store's threads, so that some memory is left. */
  private static final long FILLER_STACK_BYTES = 16 << 20;

  private static final Deque<CountDownLatch> FILLERS = new ArrayDeque<>();

  private ThreadsChild() {}

  /** Runs with a directory as the only argument. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    prepare(directory.resolve("first"));
    long refused = 0;
    fill();
    KvStore store = null;
    while (store == null) {
      try {
        store = Rlsm.open(directory.resolve("single"), options(0));
      } catch (ResourceExhaustedException e) {
        check(e.resource() == Resource.THREADS, "another resource: " + e);
        refused++;
        free();
      }
    }
    fill();
    try (KvStore open = store) {
      use(open);
    }
    KvStore sharded = null;
    while (sharded == null) {
      try {
        sharded = Rlsm.open(directory.resolve("sharded"), options(2));
      } catch (ResourceExhaustedException e) {
        check(e.resource() == Resource.THREADS, "another resource: " + e);
        refused++;
        free();
      }
    }
    fill();
    try (KvStore open = sharded) {
      useAsync(open);
    }
    new DataOutputStream(new FileOutputStream(FileDescriptor.out)).writeLong(refused);
  }

  /** Loads every class and starts the JVM's own threads. */
  private static void prepare(Path directory) throws Exception {
    try (KvStore store = Rlsm.open(directory, options(0))) {
      use(store);
    }
  }

  private static void use(KvStore store) {
    for (int i = 0; i < WRITES; i++) {
      int number = i;
      Durability durability = i % 500 == 0 ? Durability.SYNC : Durability.OS;
      withAddressSpace(() -> store.put(key(number), value(number), durability));
    }
    withAddressSpace(store::settle);
    check(store.health().state() != State.READ_ONLY, "read-only: " + store.health());
    for (int i = 0; i < WRITES; i++) {
      int number = i;
      withAddressSpace(() -> checkValue(number, store.get(key(number))));
    }
  }

  private static void useAsync(KvStore store) {
    for (int i = 0; i < WRITES; i++) {
      int number = i;
      withAddressSpace(() ->
          store.async().put(key(number), value(number), Durability.OS).durable().join());
    }
    for (int i = 0; i < WRITES; i++) {
      int number = i;
      withAddressSpace(() -> checkValue(number, store.async().get(key(number)).join()));
    }
  }

  private static void checkValue(int number, byte @Nullable [] found) {
    check(Arrays.equals(found, value(number)), "key " + number + " is lost");
  }

  /** The threads may have taken the address space that the mapping of a file needs. */
  private static void withAddressSpace(Runnable call) {
    while (true) {
      try {
        call.run();
        return;
      } catch (ResourceExhaustedException e) {
        check(e.resource() == Resource.MAPPINGS, "another resource: " + e);
      } catch (CompletionException e) {
        check(
            e.getCause() instanceof ResourceExhaustedException lack
                && lack.resource() == Resource.MAPPINGS,
            "another cause: " + e);
      }
      free();
    }
  }

  /** Starts threads until no thread with a stack of the usual size can start. */
  private static void fill() {
    while (starts(new Thread(() -> {}, "probe")) && startsFiller()) {
      // start another thread
    }
  }

  private static boolean startsFiller() {
    CountDownLatch end = new CountDownLatch(1);
    if (!starts(new Thread(null, () -> await(end), "filler", FILLER_STACK_BYTES))) {
      return false;
    }
    FILLERS.push(end);
    return true;
  }

  private static boolean starts(Thread thread) {
    thread.setDaemon(true);
    try {
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private static void free() {
    FILLERS.pop().countDown();
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
