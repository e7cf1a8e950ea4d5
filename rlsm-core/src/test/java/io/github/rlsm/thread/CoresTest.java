// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the CPU affinity of the threads of a sharded store, as reported by the kernel. */
class CoresTest {

  private static final Path STATUS = Path.of("/proc/thread-self/status");

  private final String everywhere = Files.exists(STATUS) ? cores() : "";

  @BeforeEach
  void onLinux() {
    assumeTrue(Files.exists(STATUS), "the kernel does not report the cores of a thread");
  }

  /** Returns the cores of the calling thread, in the kernel's notation. */
  private static String cores() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String coresOf(Consumer<Runnable> thread) {
    CompletableFuture<String> cores = new CompletableFuture<>();
    thread.accept(() -> cores.complete(cores()));
    return cores.join();
  }

  @Test
  void workerIsPinnedToOneCoreButItsTasksAreNot() {
    ShardThreads threads = new ShardThreads("test", 1, 1);
    ThreadScheduler scheduler = new ThreadScheduler("test", 1);
    CompletableFuture<String> flushing = new CompletableFuture<>();
    CompletableFuture<String> completing = new CompletableFuture<>();
    String worker = coresOf(task -> threads
        .newThread(() -> {
          task.run();
          scheduler.flush(() -> flushing.complete(cores()));
          threads.execute(() -> completing.complete(cores()));
        })
        .start());
    assertThat(worker).matches("Cpus_allowed_list:\\s*[0-9]+");
    assertThat(flushing.join()).isEqualTo(everywhere);
    assertThat(completing.join()).isEqualTo(everywhere);
    scheduler.close();
  }

  @Test
  void workersAreNotPinnedIfThereAreTooFewCores() {
    ShardThreads threads = new ShardThreads("test", 1, 100_000);
    assertThat(coresOf(task -> threads.newThread(task).start())).isEqualTo(everywhere);
  }

  @Test
  void workersAreNotPinnedByDefault() {
    ShardThreads threads = new ShardThreads("test", 1);
    assertThat(coresOf(task -> threads.newThread(task).start())).isEqualTo(everywhere);
  }
}
