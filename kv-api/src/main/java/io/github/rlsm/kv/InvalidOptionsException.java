// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.List;

/**
 * Options that are unknown, out of range, or at odds with the store on disk; all of them at once.
 */
public final class InvalidOptionsException extends KvException {

  private static final long serialVersionUID = 1L;

  /** An array, since what an exception holds must be serializable. */
  private final String[] problems;

  /**
   * What is wrong with the options.
   *
   * @param problems one sentence for each option that is wrong: its name, its value, what is legal
   */
  public InvalidOptionsException(List<String> problems) {
    super("invalid options: " + String.join("; ", problems), null);
    this.problems = problems.toArray(String[]::new);
  }

  /** One sentence for each option that is wrong. */
  public List<String> problems() {
    return List.of(problems);
  }
}
