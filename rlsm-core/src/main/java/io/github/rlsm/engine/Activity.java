// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

/**
 * The activity of the engine when an error occurred: one of the two inputs of
 * {@link FailurePolicy}.
 */
enum Activity {
  /** Storing a record into space that was reserved for it in the log. */
  WRITE("write"),
  /** Making the log durable. */
  FORCE("force of the log"),
  /** Writing a memory component to a table, and installing the table. */
  FLUSH("flush"),
  /** Compacting or cleaning, and installing the result. */
  COMPACT("compaction"),
  /** Moving live values out of segments with dead ones. Other background work goes on without. */
  COLLECT("collection of dead values"),
  /** Making the log segments that the next memory component needs. */
  PREPARE("preparation of log segments"),
  /** Writing the manifest for a call of the user. */
  INSTALL("manifest"),
  /** Deleting files that no version needs. */
  DELETE("deletion of files"),
  /** Closing or reusing an object after its last reader has gone. */
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
