// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.thread;

import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.ResourceExhaustedException.Resource;

/** Explains the error of a JVM that cannot start a thread. */
public final class ThreadShortage {

  private ThreadShortage() {}

  /**
   * Returns the exception for a failed {@link Thread#start}. The JVM reports a lack of threads as
   * an {@link OutOfMemoryError}.
   *
   * @param name the owner of the thread, for the message
   */
  public static ResourceExhaustedException of(String name, OutOfMemoryError failure) {
    return new ResourceExhaustedException("start a thread", name, Resource.THREADS, failure);
  }
}
