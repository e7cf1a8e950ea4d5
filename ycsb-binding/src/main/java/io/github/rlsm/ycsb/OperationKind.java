// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

/** What is measured. A read-modify-write is made of a read and an update, counted there too. */
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
