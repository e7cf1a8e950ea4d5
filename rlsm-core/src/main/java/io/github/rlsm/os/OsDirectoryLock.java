// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.StoreLockedException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The lock of a directory. It consists of an operating-system lock on the file {@code LOCK}, which
 * ends with the process, and of an entry in a table for the stores inside this process.
 *
 * <p>The table is checked first. A POSIX lock belongs to the process, and closing any descriptor of
 * the file releases it. So a second store of this process must not even open the file.
 *
 * <p>Threads: safe.
 */
final class OsDirectoryLock implements StoreDirectory.Lock {

  /** The directories that this process has locked, by real path. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /** Files that must never be closed; see {@link #tryLock}. */
  private static final Queue<RandomAccessFile> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  private static final int OWNER_BYTES = 32;

  private final Path directory;

  /** Also a reference for the JDK, which releases a lock that is no longer reachable. */
  private final FileLock lock;

  @GuardedBy("this")
  private boolean closed;

  private OsDirectoryLock(Path directory, FileLock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /** Takes the lock, or reports its owner. */
  static StoreDirectory.Lock acquire(Path directory) {
    Path lockPath = directory.resolve(StoreFileName.LOCK);
    try {
      Path realDirectory = directory.toRealPath();
      if (!HELD.add(realDirectory)) {
        throw new StoreLockedException(directory.toString(), "another store of this process");
      }
      StoreDirectory.Lock taken = null;
      try {
        taken = new OsDirectoryLock(realDirectory, lockFile(directory, lockPath));
        return taken;
      } finally {
        if (taken == null) {
          HELD.remove(realDirectory);
        }
      }
    } catch (IOException e) {
      throw IoFailure.of("lock", lockPath, e);
    }
  }

  private static FileLock lockFile(Path directory, Path lockPath) throws IOException {
    Optional<FileLock> lock;
    try {
      lock = Uninterrupted.run(() -> tryLock(lockPath));
    } catch (OverlappingFileLockException e) {
      throw new StoreLockedException(directory.toString(), "another store of this process");
    }
    if (lock.isEmpty()) {
      throw new StoreLockedException(directory.toString(), owner(lockPath));
    }
    return lock.get();
  }

  /**
   * Opens the file, locks it and writes the owner into it; empty if another process has the lock.
   */
  private static Optional<FileLock> tryLock(Path lockPath) throws IOException {
    RandomAccessFile file = new RandomAccessFile(lockPath.toFile(), "rw");
    boolean keep = false;
    try {
      FileLock lock = file.getChannel().tryLock();
      if (lock == null) {
        return Optional.empty();
      }
      // The text always has the same length, so that a store also opens on a full disk.
      String owner =
          String.format(Locale.ROOT, "%-" + (OWNER_BYTES - 1) + "s\n", "process " + pid());
      file.write(owner.getBytes(StandardCharsets.US_ASCII));
      keep = true;
      return Optional.of(lock);
    } catch (OverlappingFileLockException e) {
      // A copy of this class, loaded by another class loader, holds the lock. Closing this
      // descriptor would release that lock, so the descriptor remains open until the process ends.
      KEPT_OPEN.add(file);
      keep = true;
      throw e;
    } finally {
      if (!keep) {
        file.close();
      }
    }
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  /** Returns the owner that is written in the file, if it can be read. */
  private static String owner(Path lockPath) throws IOException {
    byte[] text;
    try (var in = Files.newInputStream(lockPath)) {
      text = in.readNBytes(OWNER_BYTES);
    }
    String owner = new String(text, StandardCharsets.US_ASCII).strip();
    return owner.isEmpty() ? "another process" : owner;
  }

  /** Releases the lock. The file stays: after a deletion, two processes could lock two files. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      lock.acquiredBy().close();
    } catch (IOException e) {
      throw IoFailure.of("unlock", directory.resolve(StoreFileName.LOCK), e);
    } finally {
      HELD.remove(directory);
    }
  }
}
