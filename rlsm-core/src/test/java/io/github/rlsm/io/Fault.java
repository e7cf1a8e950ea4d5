// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/** A way in which a call to the operating system fails. */
public enum Fault {
  /**
   * No room: the call throws {@link io.github.rlsm.kv.DiskFullException} and, but for half of the
   * bytes of an append, does nothing. Only calls that may need room can fail so.
   */
  NO_SPACE,
  /**
   * An I/O error: the call throws {@link io.github.rlsm.kv.StoreIoException} and, but for half of
   * the bytes of an append, does nothing.
   */
  IO_ERROR,
  /**
   * No file descriptors: a call that opens a file throws
   * {@link io.github.rlsm.kv.ResourceExhaustedException} and does nothing.
   */
  NO_DESCRIPTORS,
  /**
   * No mappings: a call that maps a file throws
   * {@link io.github.rlsm.kv.ResourceExhaustedException}, and leaves the file that it has created,
   * if any.
   */
  NO_MAPPINGS,
  /** An I/O error that is reported although the call has done all of its work. */
  IO_ERROR_AFTER;

  /** Whether a call of that kind can fail in this way. */
  public boolean appliesTo(IoEvent.Kind kind) {
    return switch (this) {
      case NO_SPACE -> kind.mayNeedRoom();
      case NO_DESCRIPTORS -> kind.opensFile();
      case NO_MAPPINGS -> kind.mapsFile();
      case IO_ERROR, IO_ERROR_AFTER -> true;
    };
  }
}
