// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

/**
 * A call to a {@link SimulatedDirectory}, reported before and after its execution.
 *
 * @param kind the operation
 * @param file the file of the call; the directory's path for calls on the directory
 * @param index the call's number, from 0, the same before and after
 * @param phase whether the call is still to be executed
 */
public record IoEvent(Kind kind, String file, long index, Phase phase) {

  /** The time of a report. */
  public enum Phase {
    /** The call has had no effect yet. */
    BEFORE,
    /**
     * The call has been executed, or has failed by an injected fault. The caller does not know yet.
     */
    AFTER
  }

  /** The operation of a call. */
  public enum Kind {
    /** Lists the directory. */
    LIST(false, false),
    /** Looks for a file, its size, or the free space. */
    LOOK_UP(false, false),
    /** Creates a file to append to. */
    CREATE(true, true),
    /** Creates a mapped file. */
    CREATE_MAPPED(true, true),
    /** Opens a file to append to. */
    OPEN_APPEND(false, false),
    /** Maps a file for writing. */
    OPEN_MAPPED(false, true),
    /** Maps a file for reading. */
    OPEN_READ_ONLY(false, false),
    /** Appends to a file. */
    APPEND(true, true),
    /** Cuts off the end of a mapped file. */
    TRUNCATE(true, false),
    /** Punches holes into a file. */
    PUNCH(true, true),
    /** Writes a range of a mapped file by a system call. */
    WRITE(true, true),
    /** Forces a file, or a range of a mapped one. */
    FORCE(true, true),
    /** Renames a file; the event names the old name. */
    RENAME(true, true),
    /** Deletes a file. */
    DELETE(true, false),
    /** Forces the directory. */
    SYNC_DIRECTORY(true, true),
    /** Locks the directory. */
    LOCK(true, true),
    /** Opens a device. */
    OPEN_DEVICE(false, false),
    /** Reads blocks of a device. */
    READ_DEVICE(false, false),
    /** Writes blocks of a device. */
    WRITE_DEVICE(true, false);

    private final boolean changing;
    private final boolean needingRoom;

    Kind(boolean changing, boolean needingRoom) {
      this.changing = changing;
      this.needingRoom = needingRoom;
    }

    /**
     * Whether such a call changes the files that survive a crash. A crash at any other call has no
     * new outcome.
     */
    public boolean changesState() {
      return changing;
    }

    boolean mayNeedRoom() {
      return needingRoom;
    }

    /** Whether the operating system needs a file descriptor for such a call. */
    boolean opensFile() {
      return switch (this) {
        case LIST, CREATE, OPEN_APPEND, TRUNCATE, SYNC_DIRECTORY, OPEN_DEVICE -> true;
        case CREATE_MAPPED, OPEN_MAPPED, OPEN_READ_ONLY -> true;
        case LOOK_UP, APPEND, PUNCH, WRITE, FORCE, RENAME, DELETE -> false;
        case LOCK, READ_DEVICE, WRITE_DEVICE -> false;
      };
    }

    /** Whether such a call maps a file. */
    boolean mapsFile() {
      return this == CREATE_MAPPED || this == OPEN_MAPPED || this == OPEN_READ_ONLY;
    }
  }

  /** Whether the call is still to be executed. */
  public boolean isBefore() {
    return phase == Phase.BEFORE;
  }
}
