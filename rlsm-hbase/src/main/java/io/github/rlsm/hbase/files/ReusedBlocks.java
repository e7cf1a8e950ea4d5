// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.HFileStreamReader;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file's blocks for a compaction, from front to back, into memory that is used again
 * (decision 59).
 *
 * <p>HBase reads each block into a new array, or into a buffer of a pool outside the heap. A pooled
 * buffer needs a temporary array for its checksums, and another one if the file system reads only
 * into arrays. Blocks of less than 11 KiB are never pooled. So a compaction of files with small
 * blocks allocated two bytes for each byte that it read.
 *
 * <p>Threads: the compaction's thread.
 */
final class ReusedBlocks extends HFileStreamReader {

  /** Bytes of a request to the file system: a block of the default size. */
  private static final int REQUEST_BYTES = 64 << 10;

  private final Buffers buffers;

  private ReusedBlocks(
      HFile.Reader opened,
      OwnStreams streams,
      CacheConfig caching,
      Buffers buffers,
      Configuration conf)
      throws IOException {
    super(
        streams.in(opened.getContext()),
        opened.getHFileInfo(),
        new Uncached(caching, buffers),
        conf);
    this.buffers = buffers;
  }

  /**
   * Opens a scanner that reads by position, through the stream that all readers of a file share.
   *
   * @param opened the open reader of the whole file, whose blocks have no encoding
   * @param caching the use of the block cache
   */
  static HFileScanner byPosition(HFile.Reader opened, CacheConfig caching, Configuration conf)
      throws IOException {
    ReaderContext context = opened.getContext();
    OwnStreams streams =
        new OwnStreams(context.getInputStreamWrapper(), context.getFileSize(), false);
    return open(opened, streams, caching, conf);
  }

  /**
   * Opens a scanner as {@link #byPosition} does, with a stream of its own.
   *
   * @param dropsBehind whether the operating system need not keep what was read in memory
   */
  static HFileScanner byStream(
      HFile.Reader opened, CacheConfig caching, boolean dropsBehind, Configuration conf)
      throws IOException {
    ReaderContext context = opened.getContext();
    OwnStreams streams = new OwnStreams(
        new FSDataInputStreamWrapper(
            context.getFileSystem(), context.getFilePath(), dropsBehind, -1),
        context.getFileSize(),
        true);
    try {
      return open(opened, streams, caching, conf);
    } catch (IOException | RuntimeException e) {
      streams.close();
      throw e;
    }
  }

  private static HFileScanner open(
      HFile.Reader opened, OwnStreams streams, CacheConfig caching, Configuration conf)
      throws IOException {
    return new ReusedBlocks(opened, streams, caching, new Buffers(), conf).new Scanner();
  }

  /** The only scanner of the reader, which is closed with it. */
  private final class Scanner extends HFileScannerImpl {
    private boolean closed;

    Scanner() {
      super(ReusedBlocks.this, false, false, true);
    }

    /**
     * HBase's loop of compactions calls this once it does not use earlier cells any longer, so that
     * pooled buffers can be used again.
     */
    @Override
    public void shipped() throws IOException {
      super.shipped();
      ByteBuff current = curBlock == null ? null : curBlock.getBufferReadOnly();
      buffers.reuse(current != null && current.hasArray() ? current.array() : null);
    }

    @Override
    public void close() {
      super.close();
      if (closed) {
        return;
      }
      closed = true;
      try {
        ReusedBlocks.this.close(false);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close " + getPath(), e);
      }
    }
  }

  /**
   * Buffers for the blocks of one reader. They are arrays, because cells in arrays are compared and
   * copied faster.
   */
  static final class Buffers extends ByteBuffAllocator {

    /** Smaller buffers are new: they are few, or as short-lived as a block's header. */
    private static final int BYTES_MIN = 1 << 10;

    private final List<byte[]> used = new ArrayList<>();
    private final Deque<byte[]> free = new ArrayDeque<>();

    /** The length of free arrays, sufficient for all buffers up to now. */
    private int capacity;

    Buffers() {
      super(false, 0, 0, 0);
    }

    @Override
    public ByteBuff allocate(int size) {
      if (size < BYTES_MIN) {
        return ByteBuff.wrap(ByteBuffer.allocate(size));
      }
      if (size > capacity) {
        capacity = (size / BYTES_MIN + 1) * BYTES_MIN;
        free.clear();
      }
      byte[] array = free.isEmpty() ? new byte[capacity] : free.pop();
      used.add(array);
      return ByteBuff.wrap(ByteBuffer.wrap(array, 0, size).slice());
    }

    /** Uses all buffers again except one. */
    @SuppressWarnings("ReferenceEquality") // it is about the array, not about its bytes
    void reuse(byte @Nullable [] except) {
      for (byte[] array : used) {
        if (array != except && array.length == capacity) {
          assert isCleared(array);
          free.push(array);
        }
      }
      used.removeIf(array -> array != except);
    }

    /** Overwrites an array, so that tests notice a cell that is used too late. */
    private static boolean isCleared(byte[] array) {
      Arrays.fill(array, (byte) -1);
      return true;
    }
  }

  /** A file's use of the block cache, with buffers of its own. */
  private static final class Uncached extends CacheConfig {
    private final CacheConfig ofFile;
    private final ByteBuffAllocator buffers;

    Uncached(CacheConfig ofFile, ByteBuffAllocator buffers) {
      super(ofFile);
      this.ofFile = ofFile;
      this.buffers = buffers;
    }

    @Override
    public Optional<BlockCache> getBlockCache() {
      return ofFile.getBlockCache();
    }

    @Override
    public ByteBuffAllocator getByteBuffAllocator() {
      return buffers;
    }
  }

  /** The streams of the reader. */
  private static final class OwnStreams extends StreamsOfFile {
    private final FSDataInputStreamWrapper file;
    private final boolean isOwn;
    private final Forward callerVerifies;
    private final Forward systemVerifies;

    OwnStreams(FSDataInputStreamWrapper file, long fileBytes, boolean isOwn) {
      this(
          file,
          isOwn,
          new Forward(file, fileBytes, true, isOwn),
          new Forward(file, fileBytes, false, isOwn));
    }

    private OwnStreams(
        FSDataInputStreamWrapper file,
        boolean isOwn,
        Forward callerVerifies,
        Forward systemVerifies) {
      super(file, callerVerifies, systemVerifies);
      this.file = file;
      this.isOwn = isOwn;
      this.callerVerifies = callerVerifies;
      this.systemVerifies = systemVerifies;
    }

    @Override
    public void prepareForBlockReader(boolean forceNoHBaseChecksum) throws IOException {
      if (isOwn) {
        file.prepareForBlockReader(forceNoHBaseChecksum);
      }
    }

    @Override
    public FSDataInputStream fallbackToFsChecksum(int offCount) throws IOException {
      forget();
      return super.fallbackToFsChecksum(offCount);
    }

    @Override
    void forget() {
      callerVerifies.forget();
      systemVerifies.forget();
    }

    @Override
    public void close() {
      if (isOwn) {
        file.close();
      }
    }
  }

  /** A stream that requests more than HBase reads, into an array that it uses again. */
  static final class Forward extends FSInputStream
      implements ByteBufferReadable, StreamCapabilities {
    private final FSDataInputStreamWrapper file;
    private final long fileBytes;
    private final boolean callerVerifies;
    private final boolean isOwn;
    private byte[] window = {};
    private long begin;
    private int length;
    private long position;

    /**
     * Creates a stream without bytes.
     *
     * @param callerVerifies whether the file system need not verify checksums
     * @param isOwn whether the file's stream has no other readers, so that it can be moved
     */
    Forward(FSDataInputStreamWrapper file, long fileBytes, boolean callerVerifies, boolean isOwn) {
      this.file = file;
      this.fileBytes = fileBytes;
      this.callerVerifies = callerVerifies;
      this.isOwn = isOwn;
    }

    void forget() {
      length = 0;
    }

    @Override
    public void seek(long to) {
      position = to;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    /** Returns the number of bytes from the position on that are in the window, -1 at the end. */
    private int loaded() throws IOException {
      if (position >= fileBytes) {
        return -1;
      }
      if (position < begin || position >= begin + length) {
        load();
      }
      return (int) (begin + length - position);
    }

    private void load() throws IOException {
      FSDataInputStream stream = file.getStream(callerVerifies);
      if (stream == null) {
        throw new EOFException("HBase has replaced the stream of the file; compact again");
      }
      if (window.length == 0) {
        window = new byte[(int) Math.min(REQUEST_BYTES, fileBytes)];
      }
      length = 0;
      begin = position;
      int wanted = (int) Math.min(window.length, fileBytes - position);
      if (isOwn) {
        if (stream.getPos() != position) {
          stream.seek(position);
        }
        stream.readFully(window, 0, wanted);
      } else {
        stream.readFully(position, window, 0, wanted);
      }
      length = wanted;
    }

    @Override
    public int read() throws IOException {
      if (loaded() < 0) {
        return -1;
      }
      int read = window[(int) (position - begin)] & 0xff;
      position++;
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int wanted) throws IOException {
      return read(ByteBuffer.wrap(buffer, offset, wanted));
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
      int bytes = Math.min(buffer.remaining(), loaded());
      if (bytes > 0) {
        buffer.put(window, (int) (position - begin), bytes);
        position += bytes;
      }
      return bytes;
    }

    @Override
    public boolean hasCapability(String capability) {
      return StreamCapabilities.READBYTEBUFFER.equals(capability);
    }
  }
}
