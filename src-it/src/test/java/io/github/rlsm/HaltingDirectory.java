// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls that change files, and halts the process just before one of them. On request it
 * also keeps copies of mapped files with only the forced bytes.
 *
 * <p>Threads: any, like the wrapped directory.
 */
final class HaltingDirectory extends FilterDirectory {

  /** The exit code of a process that was killed by SIGKILL. */
  private static final int KILLED = 137;

  private final AtomicLong callsLeft;
  private final @Nullable ForcedContent forced;

  /**
   * Creates the directory.
   *
   * @param callsLeft counts down the calls of all directories that share it
   * @param forced receives the forced bytes of mapped files; null for no copies
   */
  HaltingDirectory(StoreDirectory files, AtomicLong callsLeft, @Nullable ForcedContent forced) {
    super(files);
    this.callsLeft = callsLeft;
    this.forced = forced;
  }

  private void call() {
    if (callsLeft.decrementAndGet() == 0) {
      Runtime.getRuntime().halt(KILLED);
    }
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    call();
    return super.punch(name, ranges);
  }

  @Override
  public AppendFile create(String name) {
    call();
    return new HaltingFile(super.create(name));
  }

  @Override
  public AppendFile openAppend(String name) {
    return new HaltingFile(super.openAppend(name));
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    call();
    MappedFile file = super.createMapped(name, length);
    return forced == null ? file : forced.created(file);
  }

  @Override
  public MappedFile openMapped(String name) {
    MappedFile file = super.openMapped(name);
    return forced == null ? file : forced.opened(file);
  }

  @Override
  public void rename(String from, String to) {
    call();
    super.rename(from, to);
  }

  @Override
  public void delete(String name) {
    call();
    super.delete(name);
    forget(name);
  }

  @Override
  public void deleteClosed(String name) {
    call();
    super.deleteClosed(name);
    forget(name);
  }

  private void forget(String name) {
    if (forced != null) {
      forced.deleted(name);
    }
  }

  @Override
  public void syncDirectory() {
    call();
    super.syncDirectory();
  }

  @Override
  public BlockDevice openDevice(String path) {
    return new HaltingDevice(super.openDevice(path));
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
