// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** The kinds of file in a store. The codes are part of the disk format: never change one. */
public enum FileKind {
  /** A log segment of records that contain their values. */
  WRITE_AHEAD_LOG(1, "write-ahead log"),
  /** A log segment of records with large values. */
  VALUE_LOG(2, "value log"),
  /** Sorted, immutable entries. */
  TABLE(3, "table"),
  /** The log of changes to the set of live files. */
  MANIFEST(4, "manifest"),
  /** The marker that names the manifest in force. */
  CURRENT(5, "current marker"),
  /** The number of shards of a store, and the batches that span several shards. */
  SHARDS(6, "shard file"),
  /** A device that holds the direct log, or the file in a store that names this device. */
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

  /** The name of the kind, for messages. */
  @Override
  public String toString() {
    return title;
  }
}
