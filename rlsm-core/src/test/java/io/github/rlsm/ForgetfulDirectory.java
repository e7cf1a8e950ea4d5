// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.DirectoryLock;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A directory that leaves undone something that the engine asks of it: so the engine behaves as if
 * it had forgotten to ask, and a crash test that does not notice is no good.
 */
final class ForgetfulDirectory implements StoreDirectory {

  /** What is forgotten. */
  enum Bug {
    /** Nothing: with this one, nothing may be caught. */
    NONE,
    /** Names are never made safe. */
    NO_DIRECTORY_SYNC,
    /** Tables are not forced before the manifest names them. */
    NO_TABLE_FORCE,
    /** The write-ahead log is not forced. */
    NO_LOG_FORCE,
    /** The value log is not forced. */
    NO_VALUE_FORCE,
    /** The manifest is not forced. */
    NO_MANIFEST_FORCE,
    /** The marker is not forced before it is renamed. */
    NO_MARKER_FORCE,
    /** Of a range of the log only the first half is forced. */
    HALF_LOG_FORCE,
    /** A force of the log is done when the next one is asked for. */
    LATE_LOG_FORCE,
    /** Segments are forced without their heads. */
    NO_HEAD_FORCE,
    /** The marker is not replaced in one step. */
    TWO_STEP_RENAME
  }

  private final StoreDirectory real;
  private final Bug bug;

  ForgetfulDirectory(StoreDirectory real, Bug bug) {
    this.real = real;
    this.bug = bug;
  }

  private static boolean is(String name, StoreFileName.Type type) {
    return StoreFileName.parse(name).filter(parsed -> parsed.type() == type).isPresent();
  }

  private boolean forgetsForce(String name) {
    return switch (bug) {
      case NO_TABLE_FORCE -> is(name, StoreFileName.Type.TABLE);
      case NO_LOG_FORCE -> is(name, StoreFileName.Type.WRITE_AHEAD_LOG);
      case NO_VALUE_FORCE -> is(name, StoreFileName.Type.VALUE_LOG);
      case NO_MANIFEST_FORCE -> is(name, StoreFileName.Type.MANIFEST);
      case NO_MARKER_FORCE -> is(name, StoreFileName.Type.CURRENT_TEMPORARY);
      default -> false;
    };
  }

  @Override
  public String path() {
    return real.path();
  }

  @Override
  public List<String> list() {
    return real.list();
  }

  @Override
  public boolean exists(String name) {
    return real.exists(name);
  }

  @Override
  public long size(String name) {
    return real.size(name);
  }

  @Override
  public long usedBytes() {
    return real.usedBytes();
  }

  @Override
  public long freeBytes() {
    return real.freeBytes();
  }

  @Override
  public AppendFile create(String name) {
    return new ForgetfulAppendFile(real.create(name));
  }

  @Override
  public AppendFile openAppend(String name) {
    return new ForgetfulAppendFile(real.openAppend(name));
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    return new ForgetfulMappedFile(real.createMapped(name, length));
  }

  @Override
  public MappedFile openMapped(String name) {
    return new ForgetfulMappedFile(real.openMapped(name));
  }

  @Override
  public MappedFile openReadOnly(String name) {
    return real.openReadOnly(name);
  }

  @Override
  public void rename(String from, String to) {
    if (bug == Bug.TWO_STEP_RENAME && real.exists(to)) {
      real.delete(to);
    }
    real.rename(from, to);
  }

  @Override
  public void delete(String name) {
    real.delete(name);
  }

  @Override
  public void syncDirectory() {
    if (bug != Bug.NO_DIRECTORY_SYNC) {
      real.syncDirectory();
    }
  }

  @Override
  public DirectoryLock lock() {
    return real.lock();
  }

  @Override
  public void close() {
    real.close();
  }

  private final class ForgetfulAppendFile implements AppendFile {

    private final AppendFile file;

    ForgetfulAppendFile(AppendFile file) {
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
      file.append(bytes);
    }

    @Override
    public void force() {
      if (!forgetsForce(name())) {
        file.force();
      }
    }

    @Override
    public void close() {
      file.close();
    }
  }

  private final class ForgetfulMappedFile implements MappedFile {

    private static final int HEAD_BYTES = 64;

    private final MappedFile file;
    private int lateOffset;
    private int lateLength;

    ForgetfulMappedFile(MappedFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public int length() {
      return file.length();
    }

    @Override
    public ByteBuffer memory() {
      return file.memory();
    }

    @Override
    public void force(int offset, int length) {
      if (forgetsForce(name())) {
        return;
      }
      switch (bug) {
        case HALF_LOG_FORCE -> file.force(offset, length / 2);
        case NO_HEAD_FORCE -> {
          int skipped = Math.max(0, Math.min(length, HEAD_BYTES - offset));
          file.force(offset + skipped, length - skipped);
        }
        case LATE_LOG_FORCE -> {
          file.force(lateOffset, lateLength);
          lateOffset = offset;
          lateLength = length;
        }
        default -> file.force(offset, length);
      }
    }

    @Override
    public void truncate(int length) {
      file.truncate(length);
    }

    @Override
    public void advise(Advice advice, int offset, int length) {
      file.advise(advice, offset, length);
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
