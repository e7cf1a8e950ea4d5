// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.FilterDirectory;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreIoException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory that omits some calls of the engine, so that the engine behaves as if it had
 * forgotten them. A crash test that does not notice the omission is useless.
 */
final class ForgetfulDirectory extends FilterDirectory {

  /** The omitted calls. */
  enum Bug {
    /** No bug: the test must pass. */
    NONE,
    /** The directory is never forced. */
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
    /** Only the first half of a range of the log is forced. */
    HALF_LOG_FORCE,
    /** A force of the log is delayed until the next one. */
    LATE_LOG_FORCE,
    /** Segments are forced without their headers. */
    NO_HEAD_FORCE,
    /** The marker is not replaced atomically. */
    TWO_STEP_RENAME,
    /** Every other force of the manifest is omitted. */
    EVERY_OTHER_MANIFEST_FORCE,
    /** Every other force of the directory is omitted. */
    EVERY_OTHER_DIRECTORY_SYNC,
    /** A table's footer is written after the force. */
    LATE_FOOTER,
    /** Each edit of the manifest stays in the process until the next edit. */
    BUFFERED_MANIFEST,
    /** Only the first half of a range of the value log is forced. */
    HALF_VALUE_FORCE,
    /** A segment is forced once and never again. */
    ONE_FORCE_PER_SEGMENT,
    /** Forces of the log end at the last whole sector. */
    WHOLE_SECTORS_ONLY,
    /** Recovery does not find the segments of the log. */
    LOG_NOT_LISTED,
    /** Writes to the ring of a log device are omitted. */
    NO_DEVICE_WRITE,
    /** A write to the ring of a log device is delayed until the next one. */
    LATE_DEVICE_WRITE,
    /** Copies of log segments are not forced before they replace the originals. */
    NO_COPY_FORCE,
    /** A failed force is ignored. */
    FORCE_FAILURE_IGNORED,
    /** A failed force of the directory is ignored. */
    SYNC_FAILURE_IGNORED;

    /** Whether only a failing device reveals the bug, and no crash does. */
    boolean isOfFailures() {
      return this == FORCE_FAILURE_IGNORED || this == SYNC_FAILURE_IGNORED;
    }
  }

  private final StoreDirectory real;
  private final Bug bug;
  private boolean skipsSync;

  ForgetfulDirectory(StoreDirectory real, Bug bug) {
    super(real);
    this.real = real;
    this.bug = bug;
  }

  private static boolean is(String name, StoreFileName.Type type) {
    return StoreFileName.parse(name).filter(parsed -> parsed.type() == type).isPresent();
  }

  private void notice(Runnable call, Bug deaf) {
    try {
      call.run();
    } catch (StoreIoException e) {
      if (bug != deaf) {
        throw e;
      }
    }
  }

  private boolean forgetsForce(String name) {
    return switch (bug) {
      case NO_TABLE_FORCE -> is(name, StoreFileName.Type.TABLE);
      case NO_LOG_FORCE -> is(name, StoreFileName.Type.WRITE_AHEAD_LOG);
      case NO_VALUE_FORCE -> is(name, StoreFileName.Type.VALUE_LOG);
      case NO_MANIFEST_FORCE -> is(name, StoreFileName.Type.MANIFEST);
      case NO_COPY_FORCE -> is(name, StoreFileName.Type.SEGMENT_TEMPORARY);
      case NO_MARKER_FORCE -> is(name, StoreFileName.Type.CURRENT_TEMPORARY);
      default -> false;
    };
  }

  @Override
  public List<String> list() {
    return real.list().stream()
        .filter(name -> bug != Bug.LOG_NOT_LISTED || !is(name, StoreFileName.Type.WRITE_AHEAD_LOG))
        .toList();
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
  public void rename(String from, String to) {
    if (bug == Bug.TWO_STEP_RENAME && real.exists(to)) {
      real.delete(to);
    }
    real.rename(from, to);
  }

  @Override
  public void syncDirectory() {
    boolean forgets =
        bug == Bug.NO_DIRECTORY_SYNC || (bug == Bug.EVERY_OTHER_DIRECTORY_SYNC && !skipsSync);
    skipsSync = !skipsSync;
    if (!forgets) {
      notice(real::syncDirectory, Bug.SYNC_FAILURE_IGNORED);
    }
  }

  @Override
  public BlockDevice openDevice(String path) {
    BlockDevice device = real.openDevice(path);
    return bug == Bug.NO_DEVICE_WRITE || bug == Bug.LATE_DEVICE_WRITE
        ? new ForgetfulDevice(device)
        : device;
  }

  private final class ForgetfulDevice implements BlockDevice {

    private static final int SUPERBLOCKS = 2;

    private final BlockDevice device;
    private @Nullable ByteBuffer heldBack;
    private long heldBackFor;

    ForgetfulDevice(BlockDevice device) {
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
      if (block < SUPERBLOCKS) {
        device.write(block, buffer);
      } else if (bug == Bug.LATE_DEVICE_WRITE) {
        ByteBuffer before = heldBack;
        if (before != null) {
          device.write(heldBackFor, before);
        }
        heldBack = BlockDevice.buffer(buffer.capacity() / BLOCK_BYTES)
            .put(0, buffer, 0, buffer.capacity());
        heldBackFor = block;
      }
    }

    @Override
    public void close() {
      device.close();
    }
  }

  private final class ForgetfulAppendFile implements AppendFile {

    private final AppendFile file;
    private byte[] heldBack = {};
    private boolean skipsForce;

    ForgetfulAppendFile(AppendFile file) {
      this.file = file;
    }

    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long length() {
      return file.length() + heldBack.length;
    }

    private boolean holdsBack() {
      return (bug == Bug.LATE_FOOTER && is(name(), StoreFileName.Type.TABLE))
          || (bug == Bug.BUFFERED_MANIFEST && is(name(), StoreFileName.Type.MANIFEST));
    }

    @Override
    public void append(ByteBuffer bytes) {
      if (!holdsBack()) {
        file.append(bytes);
        return;
      }
      writeHeldBack();
      heldBack = new byte[bytes.remaining()];
      bytes.get(heldBack);
    }

    private void writeHeldBack() {
      if (heldBack.length > 0) {
        file.append(ByteBuffer.wrap(heldBack));
        heldBack = new byte[0];
      }
    }

    @Override
    public void force() {
      boolean late = bug == Bug.EVERY_OTHER_MANIFEST_FORCE
          && is(name(), StoreFileName.Type.MANIFEST)
          && !skipsForce;
      skipsForce = !skipsForce;
      if (!late && !forgetsForce(name())) {
        notice(file::force, Bug.FORCE_FAILURE_IGNORED);
      }
    }

    @Override
    public void close() {
      writeHeldBack();
      file.close();
    }
  }

  private final class ForgetfulMappedFile implements MappedFile {

    private static final int HEAD_BYTES = 64;
    private static final int SECTOR_BYTES = 512;

    private final MappedFile file;
    private int lateOffset;
    private int lateLength;
    private boolean forced;

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
    public boolean read(int offset, int length, ByteBuffer into) {
      return file.read(offset, length, into);
    }

    @Override
    public boolean write(int offset, int length, ByteBuffer from) {
      return file.write(offset, length, from);
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
        case HALF_VALUE_FORCE ->
          file.force(offset, is(name(), StoreFileName.Type.VALUE_LOG) ? length / 2 : length);
        case ONE_FORCE_PER_SEGMENT -> {
          if (!forced) {
            forced = true;
            file.force(offset, length);
          }
        }
        case WHOLE_SECTORS_ONLY ->
          file.force(offset, Math.max(0, wholeSectors(offset + length) - offset));
        default -> notice(() -> file.force(offset, length), Bug.FORCE_FAILURE_IGNORED);
      }
    }

    private int wholeSectors(int end) {
      return end - end % SECTOR_BYTES;
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
    public int residentBytes(int offset, int length) {
      return file.residentBytes(offset, length);
    }

    @Override
    public void forget() {
      file.forget();
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
