// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import io.github.rlsm.kv.DiskFullException;
import io.github.rlsm.kv.StoreIoException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A {@link MappedFile} of a simulated directory.
 *
 * <p>Threads: as the interface requires.
 */
final class SimulatedMappedFile extends SimulatedHandle implements MappedFile {

  private final boolean writable;
  private final ByteBuffer memory;
  private int length; // guarded by the directory's monitor

  SimulatedMappedFile(
      SimulatedDirectory directory, String name, SimulatedFile file, boolean writable) {
    super(directory, name, file, writable ? "mapped" : "mapped read-only");
    this.writable = writable;
    this.memory = writable ? file.mapWritable() : file.mapReadOnly();
    this.length = memory.capacity();
  }

  @Override
  public int length() {
    return directory.atomically(() -> length);
  }

  @Override
  public ByteBuffer memory() {
    checkOpen();
    return memory;
  }

  @Override
  public boolean read(int offset, int length, ByteBuffer into) {
    Objects.checkFromIndexSize(offset, length, length());
    checkOpen();
    if (!directory.pageCache().read(name(), offset, length)) {
      return false;
    }
    into.put(0, memory, offset, length);
    return true;
  }

  @Override
  public boolean write(int offset, int length, ByteBuffer from) {
    Objects.checkFromIndexSize(offset, length, length());
    try {
      perform(
          IoEvent.Kind.WRITE,
          () -> memory.put(offset, from, 0, length),
          () -> memory.put(offset, from, 0, length / 2));
    } catch (DiskFullException e) {
      // As in the real directory: the space was reserved.
      throw new StoreIoException("WRITE (simulated)", name(), e);
    }
    return true;
  }

  @Override
  public void force(int offset, int length) {
    Objects.checkFromIndexSize(offset, length, length());
    try {
      perform(
          IoEvent.Kind.FORCE,
          () -> {
            if (writable && length > 0) {
              file.force(offset, length);
            }
          },
          () -> {
            if (writable && length > 0) {
              file.failForce(offset, length);
            }
          });
    } catch (DiskFullException e) {
      // As in the real directory: a failed force of memory is never transient.
      throw new StoreIoException("FORCE (simulated)", name(), e);
    }
  }

  @Override
  public void truncate(int length) {
    Objects.checkIndex(length - 1, length());
    perform(
        IoEvent.Kind.TRUNCATE,
        () -> {
          if (!directory.hasOtherName(file)) {
            file.truncate(length);
            this.length = length;
          }
        },
        () -> {});
  }

  @Override
  public void advise(Advice advice, int offset, int length) {
    // Before all checks: its task takes the place of a thread that is faster than this call.
    if (advice == Advice.SINGLE_PAGES) {
      directory.pageCache().useSinglePages(name());
    }
    Objects.checkFromIndexSize(offset, length, memory.capacity());
    checkOpen();
    switch (advice) {
      case WILL_NEED -> directory.pageCache().willRead(name(), offset, length, length());
      case LARGE_PAGES -> directory.pageCache().inLargePages().add(name());
      default -> {}
    }
  }

  @Override
  public int residentBytes(int offset, int length) {
    Objects.checkFromIndexSize(offset, length, length());
    checkOpen();
    return directory.pageCache().holds(name()) ? length : 0;
  }

  @Override
  public void forget() {
    checkOpen();
    directory.pageCache().forget(name());
  }

  @Override
  void release() {
    if (writable) {
      file.unmapWritable();
    }
  }
}
