// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.kv.StoreIoException;
import io.github.rlsm.kv.StoreLockedException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BlockDevice} of the operating system. It bypasses the page cache (O_DIRECT), and its
 * writes return when they are durable (O_DSYNC).
 *
 * <p>An {@link AsynchronousFileChannel} is the only channel of the JDK that an interrupt of its
 * thread does not close. {@link CallerRuns} makes the channel work in the calling thread.
 *
 * <p>The device is locked: against other processes by the operating system, and inside this process
 * by a table. The table is checked first, for the same reason as in {@link OsDirectoryLock}.
 *
 * <p>Threads: one thread at a time.
 */
final class OsBlockDevice implements BlockDevice {

  /** The devices that this process has open, by real path. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path name;
  private final AsynchronousFileChannel channel;
  private final long blocks;
  private @Nullable IOException failure;
  private boolean closed;

  private OsBlockDevice(Path path, Path name, AsynchronousFileChannel channel, long blocks) {
    this.path = path;
    this.name = name;
    this.channel = channel;
    this.blocks = blocks;
  }

  /**
   * Opens an existing device or file.
   *
   * @throws StoreLockedException if another store has it open
   * @throws StoreIoException if it does not exist or does not support direct access
   */
  static BlockDevice open(Path given) {
    try {
      Path real = given.toRealPath();
      if (!HELD.add(real)) {
        throw new StoreLockedException(given.toString(), "another store of this process");
      }
      OsBlockDevice opened = null;
      try {
        opened = openLocked(given, real);
        return opened;
      } finally {
        if (opened == null) {
          HELD.remove(real);
        }
      }
    } catch (IOException e) {
      throw IoFailure.of("open for direct access", given, e);
    } catch (UnsupportedOperationException e) {
      throw IoFailure.of(
          "open for direct access",
          given,
          new IOException("this system has no direct access to files; leave directLog unset", e));
    }
  }

  private static OsBlockDevice openLocked(Path given, Path real) throws IOException {
    AsynchronousFileChannel channel = AsynchronousFileChannel.open(
        real,
        Set.of(
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DSYNC,
            pastThePageCache()),
        CallerRuns.INSTANCE);
    boolean keep = false;
    try {
      if (channel.tryLock() == null) {
        throw new StoreLockedException(given.toString(), "another process");
      }
      OsBlockDevice device = new OsBlockDevice(
          real, new DeviceUse().stableName(given), channel, channel.size() / BLOCK_BYTES);
      keep = true;
      return device;
    } catch (OverlappingFileLockException e) {
      throw new StoreLockedException(given.toString(), "another store of this process");
    } finally {
      if (!keep) {
        channel.close();
      }
    }
  }

  /**
   * Returns {@code ExtendedOpenOption.DIRECT}, by reflection: compilers warn about every use of its
   * class, and this warning cannot be suppressed.
   */
  private static OpenOption pastThePageCache() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      for (Object option : options.getEnumConstants()) {
        if (option instanceof OpenOption found && found.toString().equals("DIRECT")) {
          return found;
        }
      }
      throw new UnsupportedOperationException("no DIRECT in " + options);
    } catch (ClassNotFoundException e) {
      throw new UnsupportedOperationException(e);
    }
  }

  @Override
  public String path() {
    return name.toString();
  }

  @Override
  public long blocks() {
    return blocks;
  }

  @Override
  public void read(long block, ByteBuffer buffer) {
    checkRange(block, buffer);
    ByteBuffer to = buffer.duplicate().clear();
    try {
      while (to.hasRemaining()) {
        if (done(channel.read(to, block * BLOCK_BYTES + to.position())) < 0) {
          throw new EOFException("the device became shorter after it was opened");
        }
      }
    } catch (IOException e) {
      throw IoFailure.of("read", name, e);
    }
  }

  @Override
  public void write(long block, ByteBuffer buffer) {
    checkRange(block, buffer);
    if (failure != null) {
      throw IoFailure.of("write", name, failure);
    }
    ByteBuffer from = buffer.duplicate().clear();
    try {
      while (from.hasRemaining()) {
        done(channel.write(from, block * BLOCK_BYTES + from.position()));
      }
    } catch (IOException e) {
      failure = e;
      throw IoFailure.of("write", name, e);
    }
  }

  /** Returns the result of an operation that {@link CallerRuns} has already completed. */
  private static int done(Future<Integer> work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      interrupted = true;
      throw new IOException("interrupted while reading the result of a completed operation", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void checkRange(long block, ByteBuffer buffer) {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
    Objects.checkFromIndexSize(block, buffer.capacity() / BLOCK_BYTES, blocks);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      throw IoFailure.of("close", name, e);
    } finally {
      HELD.remove(path);
    }
  }

  /**
   * An executor that runs each task in the calling thread. It has nothing to shut down.
   *
   * <p>Threads: any.
   */
  private static final class CallerRuns extends AbstractExecutorService {

    static final CallerRuns INSTANCE = new CallerRuns();

    private CallerRuns() {}

    @Override
    public void execute(Runnable work) {
      work.run();
    }

    @Override
    public void shutdown() {
      // No thread to stop.
    }

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
