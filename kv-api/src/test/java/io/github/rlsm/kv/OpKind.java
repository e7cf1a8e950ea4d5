// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The kinds of operations in random histories. */
public enum OpKind {
  /** A small put. */
  PUT(200),
  /** A put of a value of up to the configured largest size. */
  LARGE_PUT(30),
  /** A delete. */
  DELETE(80),
  /** A batch over several keyspaces. */
  BATCH(80),
  /** A compare-and-set that expects the right value, a wrong value or no value. */
  COMPARE_AND_SET(50),
  /** A put if the key is absent. */
  PUT_IF_ABSENT(40),
  /** A point read. */
  GET(120),
  /** A read of several keys. */
  MULTI_GET(40),
  /** A scan from its first entry to its last. */
  SCAN(80),
  /** Opens a snapshot and keeps it open across other operations. */
  SNAPSHOT(20),
  /** Point reads and a scan of an open snapshot. */
  SNAPSHOT_READ(40),
  /** Closes a snapshot. */
  SNAPSHOT_CLOSE(15),
  /** Opens an iterator and keeps it open across other operations. */
  ITERATOR(30),
  /** Advances an open iterator. */
  ITERATOR_NEXT(80),
  /** Closes an iterator. */
  ITERATOR_CLOSE(20),
  /** A flush. */
  FLUSH(10),
  /** A sync. */
  SYNC(10),
  /** Closes the store and opens it again; skipped if the store is not persistent. */
  REOPEN(3),
  /** Kills the process and opens the store again; only in mixes that request it. */
  KILL(0),
  /** Cuts the power and opens the store again; only in mixes that request it. */
  POWER_LOSS(0),
  /** Gets a keyspace by its name, which creates it if it is missing. */
  KEYSPACE(15),
  /** Drops a keyspace; its handles and snapshots stay in use. */
  DROP_KEYSPACE(4),
  /** Compares the whole content: all keyspaces both ways, all keys, all open snapshots. */
  CHECK(8);

  private final int usualWeight;

  OpKind(int usualWeight) {
    this.usualWeight = usualWeight;
  }

  /** The usual frequency of the operation, per thousand operations. */
  public int usualWeight() {
    return usualWeight;
  }
}
