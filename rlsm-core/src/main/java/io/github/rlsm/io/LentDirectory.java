// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.List;
import java.util.Set;

/**
 * A directory as its owner lends it to another store that is to live in it: whoever has the right
 * to it keeps that and the directory, and some files do not show.
 *
 * <p>Threads: as the interface says.
 */
public final class LentDirectory implements StoreDirectory {

  private final StoreDirectory owned;
  private final Set<String> hidden;

  /**
   * Lends a directory.
   *
   * @param owned locked and open for as long as this one is used
   * @param hidden names of files that are not there for the borrower
   */
  public LentDirectory(StoreDirectory owned, Set<String> hidden) {
    this.owned = owned;
    this.hidden = Set.copyOf(hidden);
  }

  @Override
  public String path() {
    return owned.path();
  }

  @Override
  public List<String> list() {
    return owned.list().stream().filter(name -> !hidden.contains(name)).toList();
  }

  @Override
  public boolean exists(String name) {
    return !hidden.contains(name) && owned.exists(name);
  }

  @Override
  public long size(String name) {
    return owned.size(name);
  }

  @Override
  public long usedBytes() {
    return owned.usedBytes();
  }

  @Override
  public long usedBytes(String name) {
    return owned.usedBytes(name);
  }

  @Override
  public int holeBytes() {
    return owned.holeBytes();
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    return owned.punch(name, ranges);
  }

  @Override
  public long freeBytes() {
    return owned.freeBytes();
  }

  @Override
  public AppendFile create(String name) {
    return owned.create(name);
  }

  @Override
  public AppendFile openAppend(String name) {
    return owned.openAppend(name);
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    return owned.createMapped(name, length);
  }

  @Override
  public MappedFile openMapped(String name) {
    return owned.openMapped(name);
  }

  @Override
  public MappedFile openReadOnly(String name) {
    return owned.openReadOnly(name);
  }

  @Override
  public void rename(String from, String to) {
    owned.rename(from, to);
  }

  @Override
  public void delete(String name) {
    owned.delete(name);
  }

  @Override
  public void deleteClosed(String name) {
    owned.deleteClosed(name);
  }

  @Override
  public void syncDirectory() {
    owned.syncDirectory();
  }

  @Override
  public BlockDevice openDevice(String path) {
    return owned.openDevice(path);
  }

  /** The owner has it. */
  @Override
  public DirectoryLock lock() {
    return () -> {};
  }

  /** The owner closes it. */
  @Override
  public void close() {
    // Nothing is held here.
  }
}
