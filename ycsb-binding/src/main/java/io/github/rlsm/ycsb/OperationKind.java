// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

/** The measured kinds of operations. A read-modify-write also counts as a read and an update. */
enum OperationKind {
  READ("read"),
  UPDATE("update"),
  INSERT("insert"),
  SCAN("scan"),
  DELETE("delete"),
  READ_MODIFY_WRITE("read-modify-write");

  private final String label;

  OperationKind(String label) {
    this.label = label;
  }

  /** The name shown in reports. */
  String label() {
    return label;
  }
}
