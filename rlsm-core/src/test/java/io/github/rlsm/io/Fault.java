// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.io.IoEvent.Kind;
import java.util.Set;

/** A way in which a call to the operating system fails. */
public enum Fault {
  /**
   * No space: the call throws {@link io.github.rlsm.kv.DiskFullException} and has no effect, except
   * that an append or write writes half of its bytes. Only calls that may need space can fail in
   * this way.
   */
  NO_SPACE,
  /**
   * An I/O error: the call throws {@link io.github.rlsm.kv.StoreIoException} and has no effect,
   * except that an append or write writes half of its bytes.
   */
  IO_ERROR,
  /**
   * No file descriptors: a call that opens a file throws
   * {@link io.github.rlsm.kv.ResourceExhaustedException} and has no effect.
   */
  NO_DESCRIPTORS,
  /**
   * No mappings: a call that maps a file throws
   * {@link io.github.rlsm.kv.ResourceExhaustedException}. A file that the call has created stays.
   */
  NO_MAPPINGS,
  /** An I/O error reported although the call has done all of its work. */
  IO_ERROR_AFTER,
  /** An I/O error of a call that reads a file, a device or the directory. */
  READ_ERROR(Kind.LIST, Kind.LOOK_UP, Kind.READ_DEVICE),
  /** An I/O error of a call that writes, cuts or punches. */
  WRITE_ERROR(Kind.APPEND, Kind.WRITE, Kind.TRUNCATE, Kind.PUNCH, Kind.WRITE_DEVICE),
  /** A failed force, of a file or of the directory; see {@link SimulatedDirectory}. */
  FORCE_ERROR(Kind.FORCE, Kind.SYNC_DIRECTORY),
  /** Half of the bytes are read or written, and the call throws. */
  SHORT_TRANSFER(Kind.APPEND, Kind.WRITE, Kind.READ_DEVICE, Kind.WRITE_DEVICE),
  /** A file, a device or the lock cannot be created or opened. */
  OPEN_ERROR(
      Kind.CREATE,
      Kind.CREATE_MAPPED,
      Kind.OPEN_APPEND,
      Kind.OPEN_MAPPED,
      Kind.OPEN_READ_ONLY,
      Kind.OPEN_DEVICE,
      Kind.LOCK),
  /** A file cannot be renamed. */
  RENAME_ERROR(Kind.RENAME),
  /** A file cannot be deleted. */
  DELETE_ERROR(Kind.DELETE);

  @SuppressWarnings("ImmutableEnumChecker") // Set.of creates an immutable set
  private final Set<Kind> kinds;

  /** Creates a fault of these kinds of calls; of all kinds if none is given. */
  Fault(Kind... kinds) {
    this.kinds = Set.of(kinds);
  }

  /** Whether a call of that kind can fail in this way. */
  public boolean appliesTo(IoEvent.Kind kind) {
    return switch (this) {
      case NO_SPACE -> kind.mayNeedRoom();
      case NO_DESCRIPTORS -> kind.opensFile();
      case NO_MAPPINGS -> kind.mapsFile();
      case IO_ERROR, IO_ERROR_AFTER -> true;
      default -> kinds.contains(kind);
    };
  }
}
