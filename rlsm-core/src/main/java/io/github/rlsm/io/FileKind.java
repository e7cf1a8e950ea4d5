// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** What a file of a store is. The codes are part of the disk format: never change one. */
public enum FileKind {
  /** Records whose values stand beside their keys; one log segment. */
  WRITE_AHEAD_LOG(1, "write-ahead log"),
  /** Records with large values; one log segment. */
  VALUE_LOG(2, "value log"),
  /** Sorted, immutable entries. */
  TABLE(3, "table"),
  /** The log of changes to the set of live files. */
  MANIFEST(4, "manifest"),
  /** The marker that names the manifest in force. */
  CURRENT(5, "current marker"),
  /** How many shards a store has, and the batches that concern several of them. */
  SHARDS(6, "shard file"),
  /** A device that holds the direct log, or the note in a store that it has one. */
  LOG_DEVICE(7, "log device");

  private final int code;
  private final String title;

  FileKind(int code, String title) {
    this.code = code;
    this.title = title;
  }

  /** The code in the file header. */
  int code() {
    return code;
  }

  /** What a person calls it, for messages. */
  @Override
  public String toString() {
    return title;
  }
}
