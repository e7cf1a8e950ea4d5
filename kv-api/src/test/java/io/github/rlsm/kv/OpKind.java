// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

/** The kinds of operation that random histories are made of. */
public enum OpKind {
  /** A small put. */
  PUT(200),
  /** A put of a value of up to the largest size asked for. */
  LARGE_PUT(30),
  /** A delete. */
  DELETE(80),
  /** A batch over several keyspaces. */
  BATCH(80),
  /** A compare-and-set that expects the right value, a wrong one or none. */
  COMPARE_AND_SET(50),
  /** A put if the key is absent. */
  PUT_IF_ABSENT(40),
  /** A point read. */
  GET(120),
  /** A read of several keys. */
  MULTI_GET(40),
  /** A scan from its first entry to its last. */
  SCAN(80),
  /** Opens a snapshot, to be kept across other operations. */
  SNAPSHOT(20),
  /** Point reads and a scan of an open snapshot. */
  SNAPSHOT_READ(40),
  /** Closes a snapshot. */
  SNAPSHOT_CLOSE(15),
  /** Opens an iterator, to be kept across other operations. */
  ITERATOR(30),
  /** Moves an open iterator on. */
  ITERATOR_NEXT(80),
  /** Closes an iterator. */
  ITERATOR_CLOSE(20),
  /** A flush. */
  FLUSH(10),
  /** A sync. */
  SYNC(10),
  /** Closes the store and opens it again; skipped if the store does not outlive that. */
  REOPEN(3),
  /** Kills the process and opens the store again; only in mixes that ask for it. */
  KILL(0),
  /** Cuts the power and opens the store again; only in mixes that ask for it. */
  POWER_LOSS(0),
  /** Gets a keyspace by its name and so makes it, if it is not there. */
  KEYSPACE(15),
  /** Drops a keyspace; handles and snapshots of it stay in use. */
  DROP_KEYSPACE(4),
  /** Compares everything there is: all keyspaces both ways, all keys, all open snapshots. */
  CHECK(8);

  private final int usualWeight;

  OpKind(int usualWeight) {
    this.usualWeight = usualWeight;
  }

  /** How often the operation comes up in about a thousand, unless a test says otherwise. */
  public int usualWeight() {
    return usualWeight;
  }
}
