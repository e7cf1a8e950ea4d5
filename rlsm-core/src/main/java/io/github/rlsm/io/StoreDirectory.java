// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.List;

/**
 * One flat directory of files, as a store sees it.
 *
 * <p>Durability: what a file holds survives power loss once it was forced; that the file exists
 * under its name survives once {@link #syncDirectory()} has returned after the create, rename or
 * delete. What survives the death of the process alone is everything that was appended or stored
 * into mapped memory.
 *
 * <p>Errors: every method throws {@link io.github.rlsm.kv.StoreIoException} naming the operation
 * and the file, or its kind {@link io.github.rlsm.kv.DiskFullException} when the device has no
 * room.
 *
 * <p>Threads: safe for use by many threads. The interrupt of a calling thread neither cuts a call
 * short nor gets lost.
 */
public interface StoreDirectory extends AutoCloseable {

  /** Bytes of the largest file that can be mapped: 2 GiB less what the JDK takes off. */
  int MAPPED_BYTES_MAX = Integer.MAX_VALUE - 8;

  /** The directory's path, for messages. */
  String path();

  /** The names of the files there are, in no order. */
  List<String> list();

  /** Whether a file of that name exists. */
  boolean exists(String name);

  /** A file's length in bytes. */
  long size(String name);

  /**
   * Bytes that all files take on the device; one that is being created or deleted meanwhile counts
   * or does not. Where the system does not say what holes a file has, it counts by its length.
   */
  long usedBytes();

  /**
   * Whether a file has another name besides this one, which a hard link gives it: for example in a
   * copy of the store. Such a file must not be written, cut or punched, because that would change
   * the copy. True also where the system cannot tell.
   */
  boolean isLinked(String name);

  /** Bytes that a file takes on the device: about its length less what was {@link #punch}ed. */
  long usedBytes(String name);

  /**
   * The unit of holes: a file can lose blocks of so many bytes, counted from its beginning. 0 where
   * files cannot have holes.
   */
  int holeBytes();

  /**
   * Gives back the room that ranges of a file take, one hole in each. They read as zeros from then
   * on, in mappings too, and survive as holes or as what they were; what is beside them stays.
   * Where a file cannot have holes after all, or {@linkplain #isLinked is linked}, nothing happens.
   *
   * @param ranges in each element an offset in the high half and the offset behind the last byte in
   *     the low half; all of them multiples of {@link #holeBytes()}
   * @return whether there are holes now
   */
  boolean punch(String name, long[] ranges);

  /** Bytes the device has left for this directory. */
  long freeBytes();

  /** How many files this process should have mapped at most. */
  default long mappingsMax() {
    return Long.MAX_VALUE;
  }

  /** How many more files this process should map; negative if too many are mapped already. */
  default long mappingsLeft() {
    return Long.MAX_VALUE;
  }

  /** Creates a file to be written from start to end. It is an error if the name is taken. */
  AppendFile create(String name);

  /** Opens an existing file to append at its end. */
  AppendFile openAppend(String name);

  /**
   * Creates a file of {@code length} zero bytes that is written through memory. Room on the device
   * is reserved before this returns, so that storing into the memory never faults for want of it.
   * It is an error if the name is taken. If it fails no file is left.
   *
   * @param length bytes, 1 to {@link #MAPPED_BYTES_MAX}
   */
  MappedFile createMapped(String name, int length);

  /** Maps an existing file for reading and writing through memory. */
  MappedFile openMapped(String name);

  /** Maps an existing file for reading; storing into its memory throws. */
  MappedFile openReadOnly(String name);

  /** Gives a file another name, replacing, in one atomic step, any file that has it. */
  void rename(String from, String to);

  /** Removes a file. Files that are open or mapped stay usable until they are closed. */
  void delete(String name);

  /**
   * Removes a file that no thread has open. A long file may be cut piece by piece, and each piece
   * is freed before the next one. Some devices serve no other request while they discard the blocks
   * of a file. A crash may leave the beginning of the file under its name. A file that
   * {@linkplain #isLinked is linked} only loses the name.
   */
  default void deleteClosed(String name) {
    delete(name);
  }

  /**
   * Makes creates, renames and deletes so far survive power loss. After it has thrown, it is
   * unknown which of them do, and every later call throws, too.
   */
  void syncDirectory();

  /**
   * Opens a device, or a file of fixed length in the place of one, for this store alone.
   *
   * @param path absolute, or from this directory
   * @throws io.github.rlsm.kv.StoreLockedException if another process, or another store in this
   *     one, has it
   */
  BlockDevice openDevice(String path);

  /**
   * Takes the directory for this store alone.
   *
   * @throws io.github.rlsm.kv.StoreLockedException if another process, or another store in this
   *     one, has it
   */
  DirectoryLock lock();

  /** Releases what the directory itself holds; open files are closed by their owners. */
  @Override
  void close();
}
