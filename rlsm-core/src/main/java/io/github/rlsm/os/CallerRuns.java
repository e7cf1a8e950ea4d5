// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An executor that runs each task in the calling thread. It has nothing to shut down.
 *
 * <p>Threads: any.
 */
final class CallerRuns extends AbstractExecutorService {

  static final CallerRuns INSTANCE = new CallerRuns();

  private CallerRuns() {}

  @Override
  public void execute(Runnable work) {
    work.run();
  }

  @Override
  public void shutdown() {
    // No thread to stop.
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
