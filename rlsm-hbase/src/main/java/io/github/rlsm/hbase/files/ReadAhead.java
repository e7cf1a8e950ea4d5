// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.metrics.StoreMetrics;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;

/**
 * Reads a file for one scan. If the scan reads on where it read last, the next request to the file
 * system is for more than the scan asked for. Small blocks are good for a Get, which needs one
 * cell, but a scan would pay for a request for each of them.
 *
 * <p>A request after a jump has a smallest size that the caller sets. Each following one is
 * {@value #GROWTH} times as large as the one before it, up to a limit. With a small first request,
 * a scan of one row reads no more than it needs. With a large one, a scan of many rows has few
 * requests.
 *
 * <p>Why and how far: decisions 46 and 47. Larger blocks were rejected, because each Get would pay
 * for them.
 *
 * <p>Threads: the scan's thread.
 */
final class ReadAhead {

  private static final int GROWTH = 16;

  private final FSDataInputStreamWrapper file;
  private final long fileBytes;
  private final int bytesMin;
  private final int bytesMax;

  /** Bytes that were read last. An array is never written again, because cells may be in it. */
  private byte[] window = {};

  private long begin;
  private long end;

  /** Whether the file system has not verified the window, because the caller does. */
  private boolean isWindowUnverified;

  /** Whether the window is a block of the block cache. */
  private boolean isFromCache;

  /**
   * Creates a reader without bytes.
   *
   * @param bytesMin the smallest size of a request, unless the file ends before
   * @param bytesMax the largest size of a request that is larger than asked for
   */
  ReadAhead(FSDataInputStreamWrapper file, long fileBytes, int bytesMin, int bytesMax) {
    this.file = file;
    this.fileBytes = fileBytes;
    this.bytesMin = bytesMin;
    this.bytesMax = bytesMax;
  }

  /** The bytes that {@link #load} has read last; not to be changed. */
  byte[] window() {
    return window;
  }

  /** The index of a position of the file in {@link #window}. */
  int indexOf(long position) {
    return (int) (position - begin);
  }

  /** Makes bytes of the file the window, which were verified already. */
  void hold(long position, byte[] verified, int length) {
    window = verified;
    begin = position;
    end = position + length;
    isWindowUnverified = false;
    isFromCache = true;
  }

  /** Whether the window is a block of the block cache, which HBase has verified. */
  boolean isFromCache() {
    return isFromCache;
  }

  /** Whether bytes of the file are in the window. */
  boolean holds(long position, long bytes) {
    return held(position, file.shouldUseHBaseChecksum()) >= bytes;
  }

  /**
   * Brings bytes of the file into the window.
   *
   * @return false if the file ends before them, or HBase is replacing its stream
   */
  boolean load(long position, int bytes) throws IOException {
    return load(position, bytes, file.shouldUseHBaseChecksum());
  }

  /**
   * As {@link #load(long, int)}.
   *
   * @param callerVerifies whether the caller verifies checksums, so that the file system does not
   */
  private boolean load(long position, int bytes, boolean callerVerifies) throws IOException {
    if (position < 0 || bytes < 0 || position > fileBytes - bytes) {
      return false;
    }
    if (held(position, callerVerifies) >= bytes) {
      return true;
    }
    FSDataInputStream stream = file.getStream(callerVerifies);
    if (stream == null) {
      return false;
    }
    int size = Math.max(bytes, (int) Math.min(next(position), fileBytes - position));
    byte[] read = new byte[size];
    StoreMetrics.ofServer().requestedValues(size);
    stream.readFully(position, read, 0, size);
    window = read;
    begin = position;
    end = position + size;
    isWindowUnverified = callerVerifies;
    isFromCache = false;
    return true;
  }

  /**
   * The number of bytes in the window from a position on. Bytes without a checksum of the file
   * system do not serve a caller that no longer verifies its own. HBase changes over when a
   * checksum is wrong, for all scans of the file.
   */
  private int held(long position, boolean callerVerifies) {
    boolean isHeld = (callerVerifies || !isWindowUnverified) && position >= begin && position < end;
    return isHeld ? (int) (end - position) : 0;
  }

  /** The size of a request at a position, if the caller does not need more. */
  private int next(long position) {
    long larger = Math.min(bytesMax, GROWTH * (end - begin));
    return position > begin && position <= end + larger / 2 ? (int) larger : bytesMin;
  }

  /** Presents this reader to HBase as the stream of the file. */
  StreamsOfFile asFile() {
    return new AsFile();
  }

  private final class AsFile extends StreamsOfFile {
    AsFile() {
      super(file, new Positioned(true), new Positioned(false));
    }

    @Override
    public void prepareForBlockReader(boolean forceNoHBaseChecksum) {
      // The file is prepared.
    }

    @Override
    void forget() {
      window = new byte[0];
      begin = 0;
      end = 0;
    }

    @Override
    public void close() {
      forget();
    }
  }

  /** A stream of which HBase reads parts by position only, as for short scans. */
  abstract static class PositionedOnly extends FSInputStream {
    @Override
    public void seek(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getPos() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      throw new UnsupportedOperationException();
    }
  }

  private final class Positioned extends PositionedOnly
      implements ByteBufferPositionedReadable, StreamCapabilities {
    private final boolean callerVerifies;

    Positioned(boolean callerVerifies) {
      this.callerVerifies = callerVerifies;
    }

    /** Returns the number of bytes in the window at a position, at most those wanted. */
    private int loaded(long position, int bytes) throws IOException {
      int held = held(position, callerVerifies);
      if (held > 0) {
        return Math.min(bytes, held);
      }
      int most = (int) Math.min(bytes, fileBytes - position);
      if (most <= 0) {
        return -1;
      }
      if (!load(position, most, callerVerifies)) {
        throw new IOException("HBase is replacing the stream of the file; scan again");
      }
      return most;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      int bytes = loaded(position, length);
      if (bytes > 0) {
        System.arraycopy(window, indexOf(position), buffer, offset, bytes);
      }
      return bytes;
    }

    @Override
    public int read(long position, ByteBuffer buffer) throws IOException {
      int bytes = loaded(position, buffer.remaining());
      if (bytes > 0) {
        buffer.put(window, indexOf(position), bytes);
      }
      return bytes;
    }

    @Override
    public void readFully(long position, ByteBuffer buffer) throws IOException {
      long at = position;
      while (buffer.hasRemaining()) {
        int bytes = read(at, buffer);
        if (bytes < 0) {
          throw new EOFException("the file ends at " + fileBytes + ", before " + position);
        }
        at += bytes;
      }
    }

    @Override
    public boolean hasCapability(String capability) {
      return StreamCapabilities.PREADBYTEBUFFER.equals(capability);
    }
  }
}
