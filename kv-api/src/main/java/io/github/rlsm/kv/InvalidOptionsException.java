// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.List;

/**
 * One or more options are unknown, out of range, or in conflict with the store on disk. The
 * exception lists all of them.
 */
public final class InvalidOptionsException extends KvException {

  private static final long serialVersionUID = 1L;

  /** An array, because the fields of an exception must be serializable. */
  private final String[] problems;

  /**
   * Creates the error for a list of problems.
   *
   * @param problems one sentence for each wrong option: its name, its value, the legal values
   */
  public InvalidOptionsException(List<String> problems) {
    super("invalid options: " + String.join("; ", problems), null);
    this.problems = problems.toArray(String[]::new);
  }

  /** One sentence for each wrong option. */
  public List<String> problems() {
    return List.of(problems);
  }
}
