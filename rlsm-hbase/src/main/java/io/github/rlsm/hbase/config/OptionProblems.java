// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.config;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs problems with options. A JVM logs each problem once, however many stores and servers have
 * it.
 *
 * <p>Threads: any.
 */
public final class OptionProblems {

  private static final Logger LOG = LoggerFactory.getLogger(OptionProblems.class);
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private OptionProblems() {}

  /** Logs a problem unless it was logged before. */
  public static void report(String problem) {
    if (REPORTED.add(problem)) {
      LOG.error("{}", problem);
    }
  }
}
