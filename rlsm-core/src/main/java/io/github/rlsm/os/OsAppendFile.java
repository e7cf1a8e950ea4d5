// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.os;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.kv.StoreIoException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AppendFile} of the operating system.
 *
 * <p>It writes through {@link RandomAccessFile}, because the interrupt of a writing thread would
 * close a {@code FileChannel}. This costs one more copy of the bytes, in pieces that fit into the
 * processor's cache. It forces through an {@link AsynchronousFileChannel}, whose force runs in the
 * calling thread. An interrupt does not close this channel either. Unlike the sync of a file
 * descriptor, its force reports the cause of a failure.
 *
 * <p>Threads: one thread at a time.
 */
final class OsAppendFile implements AppendFile {

  private static final int CHUNK_BYTES = 64 << 10;

  private final Path path;
  private final RandomAccessFile file;
  private final AsynchronousFileChannel forcer;
  private final @Nullable NativeCalls natives;
  private byte @Nullable [] chunk;
  private long length;
  private @Nullable IOException failure;
  private boolean closed;

  private OsAppendFile(
      Path path,
      RandomAccessFile file,
      AsynchronousFileChannel forcer,
      long length,
      @Nullable NativeCalls natives) {
    this.path = path;
    this.file = file;
    this.forcer = forcer;
    this.length = length;
    this.natives = natives;
  }

  /** Opens an existing file at its end. */
  static OsAppendFile open(Path path, @Nullable NativeCalls natives) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      long length = file.length();
      file.seek(length);
      AsynchronousFileChannel forcer = AsynchronousFileChannel.open(path, StandardOpenOption.WRITE);
      return new OsAppendFile(path, file, forcer, length, natives);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void append(ByteBuffer bytes) {
    checkUsable("append");
    int count = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        writeChunk(bytes);
      }
    } catch (IOException e) {
      throw failed("append", e);
    }
    length += count;
  }

  private void writeChunk(ByteBuffer bytes) throws IOException {
    int count = Math.min(bytes.remaining(), CHUNK_BYTES);
    if (bytes.hasArray()) {
      file.write(bytes.array(), bytes.arrayOffset() + bytes.position(), count);
      bytes.position(bytes.position() + count);
    } else {
      if (chunk == null) {
        chunk = new byte[CHUNK_BYTES];
      }
      bytes.get(chunk, 0, count);
      file.write(chunk, 0, count);
    }
  }

  @Override
  public void force() {
    checkUsable("force");
    try {
      forcer.force(false);
    } catch (IOException e) {
      throw failed("force", e);
    }
  }

  @Override
  public void forget(long bytes) {
    checkUsable("forget");
    if (natives != null && bytes > 0) {
      natives.forget(path, bytes);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (forcer) {
      file.close();
    } catch (IOException e) {
      throw IoFailure.of("close", path, e);
    }
  }

  /**
   * Records the first failure, which is final. The kernel reports a failed write-back once and then
   * marks the lost pages clean, so a second force would succeed although the bytes are lost.
   */
  private StoreIoException failed(String operation, IOException cause) {
    failure = cause;
    return IoFailure.of(operation, path, cause);
  }

  private void checkUsable(String operation) {
    if (closed) {
      throw new IllegalStateException(path + " is closed");
    }
    if (failure != null) {
      throw IoFailure.of(operation, path, failure);
    }
  }
}
