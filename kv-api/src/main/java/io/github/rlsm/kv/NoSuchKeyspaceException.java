// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The keyspace does not exist, or no longer. */
public final class NoSuchKeyspaceException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String name;

  /** For the keyspace of that name. */
  public NoSuchKeyspaceException(String name) {
    super("no keyspace \"" + name + "\": it was never created, or it was dropped", null);
    this.name = name;
  }

  /** The name that was asked for. */
  public String name() {
    return name;
  }
}
