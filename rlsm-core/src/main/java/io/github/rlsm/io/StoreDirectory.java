// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreIoException;
import java.util.List;

/**
 * A flat directory of files that one store uses.
 *
 * <p>Durability: the content of a file survives power loss once the file is forced. A create,
 * rename or delete survives power loss once {@link #syncDirectory()} has returned after it. The
 * death of the process alone loses no byte that was appended or written to mapped memory.
 *
 * <p>Errors: every method throws {@link io.github.rlsm.kv.StoreIoException} with the operation and
 * the file, or its subclass {@link io.github.rlsm.kv.DiskFullException} if the device is full.
 *
 * <p>Threads: safe for use by many threads. An interrupt of the calling thread neither cuts a call
 * short nor is lost.
 */
public interface StoreDirectory extends AutoCloseable {

  /** Bytes of the largest file that can be mapped: 2 GiB less a few bytes that the JDK reserves. */
  int MAPPED_BYTES_MAX = Integer.MAX_VALUE - 8;

  /** The directory's path, for messages. */
  String path();

  /** The names of all files, in no order. */
  List<String> list();

  /** Whether a file with this name exists. */
  boolean exists(String name);

  /** A file's length in bytes. */
  long size(String name);

  /**
   * Bytes that all files occupy on the device. May include or omit a file that is created or
   * deleted during the call. Where the system does not report holes, a file counts with its length.
   */
  long usedBytes();

  /**
   * Whether a hard link gives a file a second name, for example in a copy of the store. Such a file
   * must not be written, truncated or punched, because that would change the copy. Also true where
   * the system cannot tell.
   */
  boolean isLinked(String name);

  /** Bytes that a file occupies on the device: about its length less its {@link #punch}ed holes. */
  long usedBytes(String name);

  /**
   * The block size of holes: a hole begins and ends at a multiple of this size. 0 where files
   * cannot have holes.
   */
  int holeBytes();

  /**
   * Punches one hole into each of several ranges of a file, which frees their space on the device.
   * From then on the ranges read as zeros, in mappings too. After a power loss a range is a hole or
   * has its old bytes. The other bytes of the file stay. Does nothing where a file cannot have
   * holes after all, or where it {@linkplain #isLinked is linked}.
   *
   * @param ranges each element has the start offset in its high half and the end offset, exclusive,
   *     in its low half; all offsets are multiples of {@link #holeBytes()}
   * @return whether the ranges are holes now
   */
  boolean punch(String name, long[] ranges);

  /** Free bytes on the device for this directory. */
  long freeBytes();

  /**
   * Bytes of unused memory, less a reserve. Memory of processes and of the page cache counts as
   * used. In a container, the container's limit applies.
   *
   * @return 0 if it is unknown
   */
  default long freeMemoryBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Bytes of memory that this process may use, page cache included. In a container, the container's
   * limit.
   *
   * @return {@link Long#MAX_VALUE} if it is unknown
   */
  default long memoryBytes() {
    return Long.MAX_VALUE;
  }

  /** The most files that this process should have mapped. */
  default long mappingsMax() {
    return Long.MAX_VALUE;
  }

  /** How many more files this process should map; negative if it has mapped too many. */
  default long mappingsLeft() {
    return Long.MAX_VALUE;
  }

  /** Creates a file to be written from start to end. Fails if the name exists. */
  AppendFile create(String name);

  /** Opens an existing file to append at its end. */
  AppendFile openAppend(String name);

  /**
   * Creates a file of {@code length} zero bytes that is written through memory. Reserves the space
   * on the device before it returns, so that a write to the memory never faults for lack of space.
   * Fails if the name exists. A failed call leaves no file.
   *
   * @param length bytes, 1 to {@link #MAPPED_BYTES_MAX}
   */
  MappedFile createMapped(String name, int length);

  /** Maps an existing file for reading and writing through memory. */
  MappedFile openMapped(String name);

  /** Maps an existing file for reading. A write to its memory throws. */
  MappedFile openReadOnly(String name);

  /** Renames a file. Replaces an existing file with the new name, in one atomic step. */
  void rename(String from, String to);

  /**
   * Replaces a file by a copy of itself with one atomic rename. The bytes of the copy are durable,
   * even if an earlier force of the original failed. The copy has no other name, so it may be
   * written.
   *
   * <p>The rename is durable after the next {@link #syncDirectory()}. A crash before that leaves
   * the original or the copy, and maybe an unfinished copy under the temporary name.
   *
   * @param temporary a name that no other file uses
   */
  default void replaceByCopy(String name, String temporary) {
    try (MappedFile original = openReadOnly(name)) {
      replaceByCopy(original, original.length(), temporary);
    }
  }

  /**
   * As {@link #replaceByCopy(String, String)}, with a copy of only the first bytes.
   *
   * @param original remains open, with its old bytes
   * @param length bytes to copy, 1 or more
   */
  default void replaceByCopy(MappedFile original, int length, String temporary) {
    if (exists(temporary)) {
      delete(temporary);
    }
    try (AppendFile copy = create(temporary)) {
      copy.append(original.memory().duplicate().position(0).limit(length));
      copy.force();
    }
    rename(temporary, original.name());
  }

  /** Deletes a file. Open or mapped files remain usable until they are closed. */
  void delete(String name);

  /**
   * Deletes a file that no thread has open. May truncate a long file piece by piece, so that each
   * piece is freed before the next one. Some devices serve no other request while they discard the
   * blocks of a file. A crash may leave the beginning of the file under its name. A file that
   * {@linkplain #isLinked is linked} only loses the name.
   */
  default void deleteClosed(String name) {
    delete(name);
  }

  /**
   * Makes all earlier creates, renames and deletes survive power loss. After this method has
   * failed, it is unknown which of them are durable, and every later call fails too.
   *
   * @throws ResourceExhaustedException if the directory could not be opened for the force. Nothing
   *     was forced, and a later call can succeed.
   * @throws StoreIoException for any other failure, which is final
   */
  void syncDirectory();

  /**
   * Opens a device, or a file of fixed length that replaces one, for exclusive use by this store.
   *
   * @param path absolute, or relative to this directory
   * @throws io.github.rlsm.kv.StoreLockedException if another process, or another store in this
   *     process, has the device open
   */
  BlockDevice openDevice(String path);

  /**
   * Locks the directory for exclusive use by this store.
   *
   * @throws io.github.rlsm.kv.StoreLockedException if another process, or another store in this
   *     process, has the lock
   */
  Lock lock();

  /** Releases the resources of the directory itself. Each open file is closed by its owner. */
  @Override
  void close();

  /** An exclusive lock on a directory, held until it is closed or the process dies. */
  interface Lock extends AutoCloseable {

    /** Releases the lock. Closing twice does nothing. */
    @Override
    void close();
  }
}
