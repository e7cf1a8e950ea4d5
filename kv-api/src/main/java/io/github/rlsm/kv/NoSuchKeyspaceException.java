// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The keyspace does not exist: it was never created, or it was dropped. */
public final class NoSuchKeyspaceException extends KvException {

  private static final long serialVersionUID = 1L;

  private final String name;

  /** Creates the error for a keyspace name. */
  public NoSuchKeyspaceException(String name) {
    super(
        "no keyspace \"" + name + "\": it was never created, or it was dropped;"
            + " KvStore.keyspace(name) creates it",
        null);
    this.name = name;
  }

  /** The name of the missing keyspace. */
  public String name() {
    return name;
  }
}
