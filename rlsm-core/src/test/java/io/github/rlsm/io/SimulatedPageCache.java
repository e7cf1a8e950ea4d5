// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Which files of a {@link SimulatedDirectory} are in memory. By default all of them are.
 *
 * <p>Threads: any.
 */
public final class SimulatedPageCache {

  /** The share of a file that a request for read-ahead must cover to bring the file into memory. */
  private static final double LOADED_MIN = 0.9;

  private final Collection<ReadAhead> readAhead = new ConcurrentLinkedQueue<>();
  private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
  private final Set<String> loaded = ConcurrentHashMap.newKeySet();
  private final Set<String> inLargePages = ConcurrentHashMap.newKeySet();
  private final Map<StoreFileName.Type, Runnable> onSinglePages = new ConcurrentHashMap<>();
  private final Collection<Read> reads = new ConcurrentLinkedQueue<>();
  private volatile boolean holdsAll = true;
  private volatile boolean readable = true;
  private volatile long freeBytes = Long.MAX_VALUE;
  private volatile Runnable onReadAhead = () -> {};

  SimulatedPageCache() {}

  /** A request for read-ahead of a file's range. */
  public record ReadAhead(String name, int offset, int length) {}

  /** A read of a file's range by a system call. */
  public record Read(String name, int offset, int length) {}

  /** Sets whether mapped files can be read by system calls. By default they can. */
  public void readable(boolean supported) {
    readable = supported;
  }

  /** The reads by system calls, in their order. */
  public Collection<Read> reads() {
    return reads;
  }

  boolean read(String name, int offset, int length) {
    return readable && reads.add(new Read(name, offset, length));
  }

  /**
   * Sets whether all files are in memory. Otherwise those are that were read ahead, until their
   * memory is released.
   */
  public void holdsAll(boolean all) {
    holdsAll = all;
  }

  /**
   * Sets the memory that nothing uses. By default it is unlimited. Files that are loaded use it.
   */
  public synchronized void freeBytes(long bytes) {
    freeBytes = bytes;
  }

  long freeBytes() {
    return freeBytes;
  }

  /** Whether a file is in memory. */
  public boolean holds(String name) {
    return holdsAll || loaded.contains(name);
  }

  /** The requests for read-ahead, in their order. */
  public Collection<ReadAhead> readAhead() {
    return readAhead;
  }

  /** Sets a task that runs after each request for read-ahead. */
  public void onReadAhead(Runnable task) {
    onReadAhead = task;
  }

  /** The names of all files whose memory was released. */
  public Set<String> forgotten() {
    return forgotten;
  }

  /** The names of the files that are kept in large pages. */
  public Set<String> inLargePages() {
    return inLargePages;
  }

  /** Sets a task that runs once, when a file of this type is next advised to single pages. */
  public void onSinglePages(StoreFileName.Type type, Runnable task) {
    onSinglePages.put(type, task);
  }

  void useSinglePages(String name) {
    StoreFileName.parse(name)
        .map(file -> onSinglePages.remove(file.type()))
        .ifPresent(Runnable::run);
    inLargePages.remove(name);
  }

  synchronized void willRead(String name, int offset, int length, int fileLength) {
    readAhead.add(new ReadAhead(name, offset, length));
    if (length >= LOADED_MIN * fileLength && loaded.add(name) && freeBytes < Long.MAX_VALUE) {
      freeBytes = Math.max(0, freeBytes - fileLength);
    }
    onReadAhead.run();
  }

  /** Releases the memory of a file. */
  public void forget(String name) {
    forgotten.add(name);
    loaded.remove(name);
  }
}
