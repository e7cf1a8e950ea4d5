// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.List;

/**
 * A directory that forwards every call to another directory. Its subclasses change some calls.
 *
 * <p>Threads: see {@link StoreDirectory}.
 */
public abstract class FilterDirectory implements StoreDirectory {

  private final StoreDirectory delegate;

  /** Creates a directory that forwards to {@code delegate}. */
  protected FilterDirectory(StoreDirectory delegate) {
    this.delegate = delegate;
  }

  @Override
  public String path() {
    return delegate.path();
  }

  @Override
  public List<String> list() {
    return delegate.list();
  }

  @Override
  public boolean exists(String name) {
    return delegate.exists(name);
  }

  @Override
  public long size(String name) {
    return delegate.size(name);
  }

  @Override
  public boolean isLinked(String name) {
    return delegate.isLinked(name);
  }

  @Override
  public long usedBytes() {
    return delegate.usedBytes();
  }

  @Override
  public long usedBytes(String name) {
    return delegate.usedBytes(name);
  }

  @Override
  public int holeBytes() {
    return delegate.holeBytes();
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    return delegate.punch(name, ranges);
  }

  @Override
  public long freeBytes() {
    return delegate.freeBytes();
  }

  @Override
  public long freeMemoryBytes() {
    return delegate.freeMemoryBytes();
  }

  @Override
  public long memoryBytes() {
    return delegate.memoryBytes();
  }

  @Override
  public long mappingsMax() {
    return delegate.mappingsMax();
  }

  @Override
  public long mappingsLeft() {
    return delegate.mappingsLeft();
  }

  @Override
  public AppendFile create(String name) {
    return delegate.create(name);
  }

  @Override
  public AppendFile openAppend(String name) {
    return delegate.openAppend(name);
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    return delegate.createMapped(name, length);
  }

  @Override
  public MappedFile openMapped(String name) {
    return delegate.openMapped(name);
  }

  @Override
  public MappedFile openReadOnly(String name) {
    return delegate.openReadOnly(name);
  }

  @Override
  public void rename(String from, String to) {
    delegate.rename(from, to);
  }

  @Override
  public void delete(String name) {
    delegate.delete(name);
  }

  @Override
  public void deleteClosed(String name) {
    delegate.deleteClosed(name);
  }

  @Override
  public void syncDirectory() {
    delegate.syncDirectory();
  }

  @Override
  public BlockDevice openDevice(String path) {
    return delegate.openDevice(path);
  }

  @Override
  public StoreDirectory.Lock lock() {
    return delegate.lock();
  }

  @Override
  public void close() {
    delegate.close();
  }
}
