// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import io.github.rlsm.io.MappedFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Keeps copies of mapped files with only the forced bytes. After a kill, the copies replace the
 * files. Then the files are in a state that a power loss may leave, although the kernel kept every
 * stored byte.
 *
 * <p>Threads: any, like the files.
 */
public final class ForcedContent {

  private final Path copies;

  /** Keeps the copies in the directory at that path. */
  ForcedContent(Path copies) {
    this.copies = copies;
    try {
      Files.createDirectories(copies);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Wraps a new file, without forced bytes. */
  MappedFile created(MappedFile file) {
    return new Tracked(file, copy(file, 0));
  }

  /** Wraps a file of a store that was closed, or restored by {@link #restore}: it is durable. */
  MappedFile opened(MappedFile file) {
    return new Tracked(file, copy(file, file.length()));
  }

  private FileChannel copy(MappedFile file, int forced) {
    Path copy = copies.resolve(file.name());
    try {
      Files.deleteIfExists(copy);
      try (RandomAccessFile made = new RandomAccessFile(copy.toFile(), "rw")) {
        made.setLength(file.length());
      }
      FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE);
      copyRange(channel, file, 0, forced);
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copyRange(FileChannel to, MappedFile file, int offset, int length)
      throws IOException {
    ByteBuffer bytes = file.memory().duplicate().limit(offset + length).position(offset);
    while (bytes.hasRemaining()) {
      to.write(bytes, bytes.position());
    }
  }

  /** Records that the file was deleted. */
  void deleted(String name) {
    try {
      Files.deleteIfExists(copies.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Gives the files of a store the content that was forced.
   *
   * @param copies the directory with the copies of a child
   * @param store the directory of the files
   * @return the number of files that lost bytes
   */
  public static int restore(Path copies, Path store) throws IOException {
    int changed = 0;
    if (Files.exists(copies)) {
      try (Stream<Path> files = Files.list(copies)) {
        for (Path copy : files.toList()) {
          Path file = store.resolve(copy.getFileName());
          if (Files.isDirectory(copy)) {
            changed += restore(copy, file);
          } else if (Files.exists(file) && Files.mismatch(copy, file) >= 0) {
            Files.write(file, Files.readAllBytes(copy));
            changed++;
          }
        }
      }
    }
    return changed;
  }

  /** A mapped file that copies each forced range. */
  private static final class Tracked implements MappedFile {

    private final MappedFile file;
    private final FileChannel copy;

    Tracked(MappedFile file, FileChannel copy) {
      this.file = file;
      this.copy = copy;
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
      file.force(offset, length);
      try {
        copyRange(copy, file, offset, length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void truncate(int length) {
      file.truncate(length);
      try {
        copy.truncate(length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
      try {
        copy.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
