// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.BlockDevice;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link StoreDirectory} in the file system of the operating system.
 *
 * <p>An interrupt of the caller never cuts an operation short and is never lost: the thread is
 * still interrupted afterwards.
 *
 * <p>Threads: safe. Forces of the directory are serialized. The system reports an error to one
 * force only, and the next one must not succeed.
 */
public final class OsDirectory implements StoreDirectory {

  /** Whether this is Windows, which cannot force directories or truncate mapped files. */
  static final boolean WINDOWS =
      System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

  /** How much of a long file is truncated at once. */
  private static final int PIECE_BYTES = 4 << 20;

  private static final int ZEROS_BYTES = 64 << 10;

  private final Path root;
  private final @Nullable NativeCalls natives;
  private final ReentrantLock syncing = new ReentrantLock();

  /** The first failed force of the directory; see {@link OsAppendFile} for why it is final. */
  @GuardedBy("syncing")
  private @Nullable IOException syncFailure;

  /** Creates a directory object for an existing path, with or without native calls. */
  OsDirectory(Path root, @Nullable NativeCalls natives) {
    this.root = root;
    this.natives = natives;
  }

  /**
   * Opens an existing directory.
   *
   * @throws StoreIoException if there is no directory at the path
   */
  public static OsDirectory open(Path path) {
    Path root = path.toAbsolutePath().normalize();
    try {
      if (!Files.readAttributes(root, BasicFileAttributes.class).isDirectory()) {
        throw new NotDirectoryException(root.toString());
      }
    } catch (IOException e) {
      throw IoFailure.of("open directory", root, e);
    }
    return new OsDirectory(root, NativeCalls.get().orElse(null));
  }

  /**
   * Opens a directory. Creates it and its parents if they are missing. Created directories survive
   * power loss once this method has returned.
   *
   * @throws StoreIoException if a directory cannot be created, for example because part of the path
   *     is a file or because of missing permission
   */
  public static OsDirectory create(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    try {
      List<Path> missing = new ArrayList<>();
      for (Path path = root; path != null && Files.notExists(path); path = path.getParent()) {
        missing.add(path);
      }
      Files.createDirectories(root);
      for (Path made : missing) {
        Path parent = made.getParent();
        if (parent != null) {
          forceDirectory(parent);
        }
      }
    } catch (IOException e) {
      throw IoFailure.of("create directory", root, e);
    }
    return open(root);
  }

  @Override
  public String path() {
    return root.toString();
  }

  @Override
  public List<String> list() {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root)) {
      for (Path file : files) {
        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          names.add(file.getFileName().toString());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw IoFailure.of("list", root, Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw IoFailure.of("list", root, e);
    }
    return names;
  }

  @Override
  public boolean exists(String name) {
    Path file = resolve(name);
    try {
      Files.size(file);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw IoFailure.of("look up", file, e);
    }
  }

  @Override
  public long size(String name) {
    Path file = resolve(name);
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw IoFailure.of("look up", file, e);
    }
  }

  @Override
  public boolean isLinked(String name) {
    return isLinked(resolve(name));
  }

  /** See {@link StoreDirectory#isLinked}. */
  static boolean isLinked(Path file) {
    try {
      return !Integer.valueOf(1).equals(Files.getAttribute(file, "unix:nlink"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return true;
    }
  }

  @Override
  public long usedBytes() {
    long bytes = 0;
    for (String name : list()) {
      Path file = resolve(name);
      try {
        bytes += usedBytes(file);
      } catch (NoSuchFileException e) {
        // Deleted after it was listed, so it occupies no space.
      } catch (IOException e) {
        throw IoFailure.of("look up", file, e);
      }
    }
    return bytes;
  }

  @Override
  public long usedBytes(String name) {
    Path file = resolve(name);
    try {
      return usedBytes(file);
    } catch (IOException e) {
      throw IoFailure.of("look up", file, e);
    }
  }

  /**
   * Returns the size of the file's blocks, at most its length: the last block may be partly used.
   */
  private long usedBytes(Path file) throws IOException {
    long length = Files.size(file);
    long used = natives == null ? -1 : natives.usedBytes(file);
    return used < 0 ? length : Math.min(used, length);
  }

  @Override
  public int holeBytes() {
    return natives == null ? 0 : natives.holeBytes();
  }

  @Override
  public boolean punch(String name, long[] ranges) {
    Path file = resolve(name);
    try {
      return natives != null && !isLinked(file) && natives.punch(file, ranges);
    } catch (IOException e) {
      throw IoFailure.of("punch holes into", file, e);
    }
  }

  @Override
  public long freeBytes() {
    try {
      return Files.getFileStore(root).getUsableSpace();
    } catch (IOException e) {
      throw IoFailure.of("measure free space", root, e);
    }
  }

  @Override
  public long freeMemoryBytes() {
    return FreeMemory.bytes();
  }

  @Override
  public long memoryBytes() {
    return FreeMemory.totalBytes();
  }

  @Override
  public long mappingsMax() {
    return Mapping.Limit.filesMax();
  }

  @Override
  public long mappingsLeft() {
    return Mapping.Limit.left();
  }

  @Override
  public AppendFile create(String name) {
    Path file = resolve(name);
    return made("create", file, () -> OsAppendFile.open(file, natives));
  }

  @Override
  public AppendFile openAppend(String name) {
    Path file = resolve(name);
    try {
      Files.size(file); // throws if the file is missing; the next line would create it
      return OsAppendFile.open(file, natives);
    } catch (IOException e) {
      throw IoFailure.of("open", file, e);
    }
  }

  @Override
  public MappedFile createMapped(String name, int length) {
    if (length <= 0 || length > MAPPED_BYTES_MAX) {
      throw new IllegalArgumentException("cannot map a file of " + length + " bytes");
    }
    Path file = resolve(name);
    return made("create", file, () -> {
      if (natives == null || !natives.reserve(file, length)) {
        writeZeros(file, length);
      }
      return OsMappedFile.openNew(file, natives);
    });
  }

  @Override
  public MappedFile openMapped(String name) {
    Path file = resolve(name);
    try {
      long length = Files.size(file);
      if (natives != null && length > 0) {
        natives.reserve(file, length); // a copied file may have lost its reservation
      }
      return OsMappedFile.openWritable(file, natives);
    } catch (IOException e) {
      throw IoFailure.of("map", file, e);
    }
  }

  @Override
  public MappedFile openReadOnly(String name) {
    Path file = resolve(name);
    try {
      return OsMappedFile.openReadOnly(file, natives);
    } catch (IOException e) {
      throw IoFailure.of("map", file, e);
    }
  }

  @Override
  public void rename(String from, String to) {
    Path source = resolve(from);
    Path target = resolve(to);
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw IoFailure.of("rename to " + to, source, e);
    }
  }

  @Override
  public void delete(String name) {
    Path file = resolve(name);
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw IoFailure.of("delete", file, e);
    }
  }

  @Override
  public void deleteClosed(String name) {
    Path file = resolve(name);
    if (isLinked(file)) {
      delete(name);
      return;
    }
    try {
      Uninterrupted.run(() -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          for (long length = channel.size(); length > PIECE_BYTES; length -= PIECE_BYTES) {
            channel.truncate(length - PIECE_BYTES);
          }
          return channel;
        }
      });
    } catch (IOException e) {
      throw IoFailure.of("truncate", file, e);
    }
    delete(name);
  }

  @Override
  public void syncDirectory() {
    if (WINDOWS) {
      return; // directories cannot be opened there, and the file system logs its changes
    }
    syncing.lock();
    try (AsynchronousFileChannel channel = openDirectory(root)) {
      force(channel);
    } catch (IOException e) {
      throw IoFailure.of("close directory", root, e);
    } finally {
      syncing.unlock();
    }
  }

  /**
   * Forces the directory. A failed force is final: every later call fails. A failed open is not,
   * because nothing was forced yet.
   */
  @GuardedBy("syncing")
  private void force(AsynchronousFileChannel channel) {
    try {
      if (syncFailure == null) {
        channel.force(true);
      }
    } catch (IOException e) {
      syncFailure = e;
    }
    if (syncFailure != null) {
      throw IoFailure.ofWrite("force directory", root, syncFailure);
    }
  }

  private static AsynchronousFileChannel openDirectory(Path directory) {
    try {
      return AsynchronousFileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      throw IoFailure.of("open directory", directory, e);
    }
  }

  @Override
  public BlockDevice openDevice(String path) {
    return OsBlockDevice.open(root.resolve(path));
  }

  @Override
  public StoreDirectory.Lock lock() {
    return OsDirectoryLock.acquire(root);
  }

  @Override
  public void close() {
    // Holds no resources: each file and the lock have owners that close them.
  }

  @Override
  public String toString() {
    return path();
  }

  /**
   * Creates a file that can replace a block device. Every block is written with zeros, so that a
   * later write changes no metadata. An existing file keeps its length and loses its content.
   *
   * @param bytes the length of a file that does not exist yet
   */
  public static void writeDeviceFile(Path path, long bytes) {
    Path file = path.toAbsolutePath().normalize();
    try {
      boolean isNew = Files.notExists(file);
      long length = isNew ? bytes : Files.size(file);
      writeZeros(file, length);
      try (AsynchronousFileChannel channel =
          AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Path parent = file.getParent();
      if (isNew && parent != null) {
        forceDirectory(parent);
      }
    } catch (IOException e) {
      throw IoFailure.of("write", file, e);
    }
  }

  /** Creates a file and opens it. Deletes the file again if the open fails. */
  private static <T> T made(String operation, Path file, Uninterrupted.Work<T> open) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw IoFailure.of(operation, file, e);
    }
    try {
      return open.run();
    } catch (IOException e) {
      StoreIoException failure = IoFailure.of(operation, file, e);
      try {
        Files.deleteIfExists(file);
      } catch (IOException suppressed) {
        failure.addSuppressed(suppressed);
      }
      throw failure;
    }
  }

  private static void writeZeros(Path file, long length) throws IOException {
    byte[] zeros = new byte[(int) Math.min(length, ZEROS_BYTES)];
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      for (long written = 0; written < length; ) {
        int count = (int) Math.min(length - written, zeros.length);
        out.write(zeros, 0, count);
        written += count;
      }
    }
  }

  /**
   * Forces a directory through an asynchronous channel. Its force runs in the calling thread. It is
   * the only channel of the JDK that an interrupt does not close, so an interrupt cannot hide an
   * error.
   */
  private static void forceDirectory(Path directory) throws IOException {
    if (WINDOWS) {
      return; // directories cannot be opened there, and the file system logs its changes
    }
    try (AsynchronousFileChannel channel =
        AsynchronousFileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private Path resolve(String name) {
    Path file = root.resolve(name);
    if (!root.equals(file.getParent())) {
      throw new IllegalArgumentException("not a file name: " + name);
    }
    return file;
  }
}
