// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.background;

/** The activity that an error interrupted: one of the two inputs of {@link FailurePolicy}. */
public enum Activity {
  /** Storing a record into space that was reserved for it in the log. */
  WRITE("write"),
  /** Making the log durable. */
  FORCE("log force"),
  /** Writing a memory component to a table, and installing the table. */
  FLUSH("flush"),
  /** Compacting or cleaning, and installing the result. */
  COMPACT("compaction"),
  /**
   * Relocating live values out of segments with garbage. Other background work does not wait for
   * it.
   */
  COLLECT("collection of dead values"),
  /** Creating the log segments of the next memory component. */
  PREPARE("preparation of log segments"),
  /** Writing the manifest during a user's call. */
  INSTALL("manifest update"),
  /** Deleting files that no version needs. */
  DELETE("deletion of files"),
  /** Closing or reusing an object after its last reader has left. */
  RELEASE("release of memory");

  private final String label;

  Activity(String label) {
    this.label = label;
  }

  /** The name that operators see. */
  String label() {
    return label;
  }
}
