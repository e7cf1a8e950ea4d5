// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MappedFile} of the operating system.
 *
 * <p>Threads: see {@link MappedFile}. {@link #force}, {@link #advise} and {@link #residentBytes}
 * hold the read lock, {@link #truncate} and {@link #close} the write lock. The former pass
 * addresses to the system. After a truncation such an address has no file behind it, and after an
 * unmap it may belong to other memory. Forces are serialized: the system reports an error to one
 * force only, and the next one must not succeed.
 */
final class OsMappedFile implements MappedFile, MappedFaults.Suspect {

  /**
   * From this length on, the pages of a range are removed from the mapping before a force.
   * Otherwise the kernel write-protects each modified page separately, and interrupts all cores of
   * the process for each. Removing all pages at once costs one such interruption. The next access
   * to a removed page faults and finds it in the page cache. A write to a write-protected page
   * would have faulted too.
   */
  private static final int TAKEN_OUT_BYTES = 256 << 10;

  private final Path path;
  private final boolean writable;
  private final Mapping mapping;
  private final ByteBuffer memory;
  private final @Nullable NativeCalls natives;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final ReentrantLock forcing = new ReentrantLock();

  /** Written under the write lock. */
  private volatile boolean closed;

  /** Written under the write lock. */
  private volatile int length;

  private final CallDescriptor descriptor = new CallDescriptor();

  /** The first failed force or write; see {@link OsAppendFile} for why it is final. */
  @GuardedBy("forcing")
  private @Nullable IOException failure;

  private OsMappedFile(
      Path path, boolean writable, Mapping mapping, @Nullable NativeCalls natives) {
    this.path = path;
    this.writable = writable;
    this.mapping = mapping;
    this.memory = mapping.buffer().order(ByteOrder.LITTLE_ENDIAN);
    this.length = memory.capacity();
    this.natives = natives;
  }

  /**
   * Maps a whole new file for reading and writing. Opens the descriptor for {@link #write} too,
   * since a write to the log may not allocate.
   */
  static OsMappedFile openNew(Path path, @Nullable NativeCalls natives) throws IOException {
    OsMappedFile file = openWritable(path, natives);
    if (natives != null) {
      file.descriptor.open(natives);
    }
    return file;
  }

  /** Maps a whole existing file for reading and writing. */
  static OsMappedFile openWritable(Path path, @Nullable NativeCalls natives) throws IOException {
    return open(
        path,
        MapMode.READ_WRITE,
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE),
        natives);
  }

  /** Maps a whole existing file for reading. */
  static OsMappedFile openReadOnly(Path path, @Nullable NativeCalls natives) throws IOException {
    return open(path, MapMode.READ_ONLY, Set.of(StandardOpenOption.READ), natives);
  }

  private static OsMappedFile open(
      Path path, MapMode mode, Set<StandardOpenOption> options, @Nullable NativeCalls natives)
      throws IOException {
    Mapping mapping = Uninterrupted.run(() -> {
      try (FileChannel channel = FileChannel.open(path, options)) {
        long length = channel.size();
        if (length > StoreDirectory.MAPPED_BYTES_MAX) {
          throw new IOException("too long to be mapped: " + length + " bytes");
        }
        return Mapping.of(channel, mode, length);
      }
    });
    OsMappedFile file = new OsMappedFile(path, mode.equals(MapMode.READ_WRITE), mapping, natives);
    MappedFaults.opened(file);
    return file;
  }

  @Override
  public Optional<String> cutPath() {
    return wasCut() ? Optional.of(path.toString()) : Optional.empty();
  }

  private boolean wasCut() {
    try {
      return !closed && Files.size(path) < length;
    } catch (IOException e) {
      return false; // a deleted file keeps its bytes while it is mapped
    }
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public ByteBuffer memory() {
    checkOpen();
    return memory;
  }

  @Override
  public void force(int offset, int length) {
    checkRange(offset, length);
    forcing.lock();
    lock.readLock().lock();
    try {
      checkOpen();
      if (failure != null) {
        throw IoFailure.ofWrite("force", path, failure);
      }
      if (natives != null && length >= TAKEN_OUT_BYTES) {
        natives.advise(memory, Advice.DONT_NEED, offset, length);
      }
      if (length > 0) {
        mapping.buffer().force(offset, length);
      }
    } catch (UncheckedIOException e) {
      IOException cause = Objects.requireNonNull(e.getCause());
      failure = cause;
      throw IoFailure.ofWrite("force", path, cause);
    } finally {
      lock.readLock().unlock();
      forcing.unlock();
    }
  }

  @Override
  public boolean read(int offset, int length, ByteBuffer into) {
    checkRange(offset, length);
    return natives != null && descriptor.read(natives, offset, length, into);
  }

  @Override
  public boolean write(int offset, int length, ByteBuffer from) {
    checkRange(offset, length);
    try {
      return natives != null && descriptor.write(natives, offset, length, from);
    } catch (IOException e) {
      forcing.lock();
      try {
        failure = failure == null ? e : failure;
      } finally {
        forcing.unlock();
      }
      throw IoFailure.ofWrite("write", path, e);
    }
  }

  /**
   * The file's descriptor for reads and writes. A mapping needs no descriptor, so an existing file
   * opens one at the first call. All mapped files together open a quarter of the descriptors that
   * the process may have. A file beyond that is read and written through its mapping.
   *
   * <p>Threads: any. Opening holds the monitor, and not the file's lock: that would wait for a
   * force.
   */
  private final class CallDescriptor {

    private static final int NOT_OPENED = -1;
    private static final int UNAVAILABLE = -2;
    private static final int SHARE = 4;
    private static final AtomicLong COUNT = new AtomicLong();

    /** The descriptor, or a negative constant. Written under the monitor. */
    private volatile int number = NOT_OPENED;

    boolean write(NativeCalls calls, int offset, int length, ByteBuffer from) throws IOException {
      int opened = opened(calls);
      if (opened >= 0) {
        calls.write(opened, offset, length, from);
      }
      return opened >= 0;
    }

    private int opened(NativeCalls calls) {
      int found = number;
      return found == NOT_OPENED ? open(calls) : found;
    }

    boolean read(NativeCalls calls, int offset, int length, ByteBuffer into) {
      int opened = opened(calls);
      return opened >= 0 && calls.read(opened, offset, length, into) == length;
    }

    private synchronized int open(NativeCalls calls) {
      if (number == NOT_OPENED) {
        checkOpen();
        boolean isWithinShare = COUNT.incrementAndGet() <= calls.descriptorsMax() / SHARE;
        int opened = isWithinShare ? calls.open(path, writable) : UNAVAILABLE;
        if (opened < 0) {
          COUNT.decrementAndGet();
        }
        number = opened < 0 ? UNAVAILABLE : opened;
      }
      return number;
    }

    synchronized void close(NativeCalls calls) {
      if (number >= 0) {
        calls.close(number);
        COUNT.decrementAndGet();
      }
      number = UNAVAILABLE;
    }
  }

  @Override
  public void truncate(int length) {
    Objects.checkIndex(length - 1, length());
    lock.writeLock().lock();
    try {
      checkOpen();
      boolean stays = OsDirectory.WINDOWS || OsDirectory.isLinked(path);
      if (!stays && length < this.length) {
        Uninterrupted.run(() -> {
          try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            return channel.truncate(length);
          }
        });
        this.length = length;
      }
    } catch (IOException e) {
      throw IoFailure.of("truncate", path, e);
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void advise(Advice advice, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, memory.capacity());
    lock.readLock().lock();
    try {
      checkOpen();
      if (natives != null && length > 0) {
        natives.advise(memory, advice, offset, length);
      }
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public int residentBytes(int offset, int length) {
    checkRange(offset, length);
    lock.readLock().lock();
    try {
      checkOpen();
      return natives == null || length == 0
          ? length
          : natives.residentBytes(memory, offset, length);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void forget() {
    checkOpen();
    if (natives != null) {
      natives.forget(path, length());
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        MappedFaults.closing(this);
        mapping.unmap();
        if (natives != null) {
          descriptor.close(natives);
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
  }

  private void checkRange(int offset, int length) {
    Objects.checkFromIndexSize(offset, length, length());
  }
}
