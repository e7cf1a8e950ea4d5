// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the calls that change files, and halts the process just before one of them.
 *
 * <p>Threads: any, as the directory behind it.
 */
final class HaltingDirectory implements StoreDirectory {

  /** What a process that was killed by SIGKILL ends with. */
  private static final int KILLED = 137;

  private final StoreDirectory files;
  private final AtomicLong callsLeft;

  /**
   * A directory.
   *
   * @param callsLeft counts down the calls, also those of other directories
   */
  HaltingDirectory(StoreDirectory files, AtomicLong callsLeft) {
    this.files = files;
    this.callsLeft = callsLeft;
  }

  private void call() {
    if (callsLeft.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(KILLED);
    }
  }

  @Override
  public String path() {
    return files.path();
  }

  @Override
  public List<String> list() {
    return files.list();
  }

  @Override
  public boolean exists(String name) {
    return files.exists(name);
  }

  @Override
  public long size(String name) {
    return files.size(name);
  }

  @Override
  public long usedBytes() {
    return files.usedBytes();
  }

  @Override
  public long usedBytes(String name) {
    return files.usedBytes(name);
  }

  @Override
  public int holeBytes() {
    return files.holeBytes();
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    call();
    return files.punch(name, ranges);
  }

  @Override
  public long freeBytes() {
    return files.freeBytes();
  }

  @Override
  public AppendFile create(String name) {
    call();
    return new HaltingFile(files.create(name));
  }

  @Override
  public AppendFile openAppend(String name) {
    return new HaltingFile(files.openAppend(name));
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    call();
    return files.createMapped(name, length);
  }

  @Override
  public MappedFile openMapped(String name) {
    return files.openMapped(name);
  }

  @Override
  public MappedFile openReadOnly(String name) {
    return files.openReadOnly(name);
  }

  @Override
  public void rename(String from, String to) {
    call();
    files.rename(from, to);
  }

  @Override
  public void delete(String name) {
    call();
    files.delete(name);
  }

  @Override
  public void deleteClosed(String name) {
    call();
    files.deleteClosed(name);
  }

  @Override
  public void syncDirectory() {
    call();
    files.syncDirectory();
  }

  @Override
  public BlockDevice openDevice(String path) {
    return new HaltingDevice(files.openDevice(path));
  }

  @Override
  public DirectoryLock lock() {
    return files.lock();
  }

  @Override
  public void close() {
    files.close();
  }

  /** Counts the writes to a device. */
  private final class HaltingDevice implements BlockDevice {

    private final BlockDevice device;

    HaltingDevice(BlockDevice device) {
      this.device = device;
    }

    @Override
    public String path() {
      return device.path();
    }

    @Override
    public long blocks() {
      return device.blocks();
    }

    @Override
    public void read(long block, ByteBuffer buffer) {
      device.read(block, buffer);
    }

    @Override
    public void write(long block, ByteBuffer buffer) {
      call();
      device.write(block, buffer);
    }

    @Override
    public void close() {
      device.close();
    }
  }

  /** Counts the calls that change one file. */
  private final class HaltingFile implements AppendFile {

    private final AppendFile file;

    HaltingFile(AppendFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public void append(ByteBuffer bytes) {
      call();
      file.append(bytes);
    }

    @Override
    public void force() {
      call();
      file.force();
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
