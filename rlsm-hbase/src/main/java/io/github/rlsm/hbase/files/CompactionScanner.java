// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileStreamReader;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.jspecify.annotations.Nullable;

/**
 * A compaction's scanner of a file. It reads the file from front to back through a stream of its
 * own, as HBase's scanner does, but into memory that it uses again (decision 59).
 *
 * <p>HBase reads each block into a new array, or into a buffer of a pool outside the heap. A pooled
 * buffer needs a temporary array for its checksums, and another one if the file system reads only
 * into arrays. Blocks of less than 11 KiB are never pooled. So a compaction of files with small
 * blocks allocated two bytes for each byte that it read.
 *
 * <p>HBase's loop of compactions calls {@link #shipped} once it does not use earlier cells any
 * longer, so that pooled buffers can be used again. This scanner relies on the same rule.
 *
 * <p>Threads: the compaction's thread.
 */
final class CompactionScanner extends LateFileScanner {

  /** Bytes of a request to the file system: a block of the default size. */
  private static final int REQUEST_BYTES = 64 << 10;

  private final HFile.Reader blocks;
  private final Buffers buffers;
  private boolean closed;

  private CompactionScanner(
      StoreFileReader reader,
      HFile.Reader blocks,
      Buffers buffers,
      Configuration conf,
      Scope scope) {
    super(reader, blocks.getScanner(conf, false, false, true), null, scope);
    this.blocks = blocks;
    this.buffers = buffers;
  }

  /**
   * Opens a scanner.
   *
   * @param reader the open reader of the whole file, whose blocks have no encoding
   * @param caching the use of the block cache
   * @param dropsBehind whether the operating system need not keep what was read in memory
   */
  static CompactionScanner open(
      StoreFileReader reader,
      CacheConfig caching,
      boolean dropsBehind,
      Configuration conf,
      Scope scope)
      throws IOException {
    HFile.Reader opened = reader.getHFileReader();
    ReaderContext context = opened.getContext();
    FSDataInputStreamWrapper file = new FSDataInputStreamWrapper(
        context.getFileSystem(), context.getFilePath(), dropsBehind, -1);
    try {
      Buffers buffers = new Buffers();
      HFile.Reader blocks = new HFileStreamReader(
          new ReaderContext(
              context.getFilePath(),
              new OwnStreams(file, context.getFileSize()),
              context.getFileSize(),
              context.getFileSystem(),
              context.isPrimaryReplicaReader(),
              ReaderContext.ReaderType.STREAM),
          opened.getHFileInfo(),
          new Uncached(caching, buffers),
          conf);
      return new CompactionScanner(reader, blocks, buffers, conf, scope);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Seeks at once, so that the scanner's next cell lies in its current block. */
  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    return forward ? reseek(key) : seek(key);
  }

  @Override
  public void shipped() throws IOException {
    super.shipped();
    Cell next = peek();
    buffers.reuse(next == null ? null : next.getRowArray());
  }

  @Override
  public void close() {
    super.close();
    if (closed) {
      return;
    }
    closed = true;
    try {
      blocks.close(false);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close " + blocks.getPath(), e);
    }
  }

  /**
   * Buffers for the blocks of one scanner. They are arrays, because cells in arrays are compared
   * and copied faster.
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
      boolean isKept = false;
      for (byte[] array : used) {
        if (array == except) {
          isKept = true;
        } else if (array.length == capacity) {
          free.push(array);
        }
      }
      used.clear();
      if (isKept && except != null) {
        used.add(except);
      }
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

  /** The streams of the scanner. */
  private static final class OwnStreams extends StreamsOfFile {
    private final FSDataInputStreamWrapper file;
    private final Forward callerVerifies;
    private final Forward systemVerifies;

    OwnStreams(FSDataInputStreamWrapper file, long fileBytes) {
      this(file, new Forward(file, fileBytes, true), new Forward(file, fileBytes, false));
    }

    private OwnStreams(
        FSDataInputStreamWrapper file, Forward callerVerifies, Forward systemVerifies) {
      super(file, callerVerifies, systemVerifies);
      this.file = file;
      this.callerVerifies = callerVerifies;
      this.systemVerifies = systemVerifies;
    }

    @Override
    public void prepareForBlockReader(boolean forceNoHBaseChecksum) throws IOException {
      file.prepareForBlockReader(forceNoHBaseChecksum);
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
      file.close();
    }
  }

  /** A stream that requests more than HBase reads, into an array that it uses again. */
  static final class Forward extends FSInputStream
      implements ByteBufferReadable, StreamCapabilities {
    private final FSDataInputStreamWrapper file;
    private final long fileBytes;
    private final boolean callerVerifies;
    private byte[] window = {};
    private long begin;
    private int length;
    private long position;

    Forward(FSDataInputStreamWrapper file, long fileBytes, boolean callerVerifies) {
      this.file = file;
      this.fileBytes = fileBytes;
      this.callerVerifies = callerVerifies;
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
      if (stream.getPos() != position) {
        stream.seek(position);
      }
      stream.readFully(window, 0, wanted);
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
