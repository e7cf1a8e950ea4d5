// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory that a run loads into. It was empty before the run, so a run deletes only its own
 * files.
 *
 * <p>Threads: one thread at a time.
 */
final class DataDirectory {

  private static final int KIB = 1024;

  private final Path path;

  private DataDirectory(Path path) {
    this.path = path;
  }

  /**
   * Disk usage.
   *
   * @param fileBytes the lengths of all files
   * @param allocatedBytes bytes of allocated blocks, without holes; null if this system has no
   *     {@code du}
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Size(long fileBytes, @Nullable Long allocatedBytes) {

    /** The allocated bytes if known, else the lengths of all files. */
    long onDisk() {
      return allocatedBytes == null ? fileBytes : allocatedBytes;
    }
  }

  /**
   * Uses a directory that is absent or empty.
   *
   * @throws IOException if the directory is not empty or cannot be created
   */
  static DataDirectory at(Path path) throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new IOException(path + " is not a directory; --dir needs an empty or new directory");
    }
    if (Files.exists(path)) {
      try (Stream<Path> content = Files.list(path)) {
        if (content.findAny().isPresent()) {
          throw new IOException(path + " is not empty; --dir needs an empty or new directory");
        }
      }
    }
    Files.createDirectories(path);
    return new DataDirectory(path.toAbsolutePath().normalize());
  }

  /** Creates a directory with a unique name. */
  static DataDirectory under(Path parent) throws IOException {
    Files.createDirectories(parent);
    return new DataDirectory(
        Files.createTempDirectory(parent, "store-").toAbsolutePath().normalize());
  }

  /** The path of the directory. */
  Path path() {
    return path;
  }

  /** Deletes the content of the directory. */
  void empty() throws IOException {
    Files.walkFileTree(path, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
          throws IOException {
        if (failure != null) {
          throw failure;
        }
        if (!directory.equals(path)) {
          Files.delete(directory);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /** Deletes the directory and its content. */
  void delete() throws IOException {
    empty();
    Files.delete(path);
  }

  /** The current disk usage. Files that a store deletes during the call cause no error. */
  Size size() throws IOException, InterruptedException {
    long[] bytes = new long[1];
    Files.walkFileTree(path, new SimpleFileVisitor<>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        bytes[0] += attributes.size();
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException gone) {
        return FileVisitResult.CONTINUE;
      }
    });
    return new Size(bytes[0], allocatedBytes());
  }

  /** Runs POSIX's du, which reports blocks in KiB. Java has no API for the blocks of a file. */
  private @Nullable Long allocatedBytes() throws InterruptedException {
    try {
      Process du = new ProcessBuilder("du", "-sk", path.toString())
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      try (InputStream out = du.getInputStream()) {
        String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        du.waitFor();
        int end = text.indexOf('\t');
        return end < 0 ? null : Long.parseLong(text.substring(0, end).trim()) * KIB;
      }
    } catch (IOException noSuchProgram) {
      return null;
    }
  }
}
