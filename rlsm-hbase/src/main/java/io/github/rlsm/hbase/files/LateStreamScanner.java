// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scanner of a long scan that opens a separate reader once the scan has read some blocks of the
 * file. Such a reader reads ahead. HBase opens one for every file of a scan at once, when the scan
 * has passed four blocks in all files together. This takes as long as reading some blocks of each
 * file. A scan of few rows in many files would pay for readers that it hardly uses.
 *
 * <p>Until then this scanner is a {@link LateFileScanner}. From then on it passes every call to
 * HBase's scanner.
 *
 * <p>Threads: one at a time.
 */
final class LateStreamScanner extends LateFileScanner {

  private final CellComparator comparator;
  private final Stream later;
  private long bytesPassed;
  private @Nullable StoreFileScanner stream;

  /** Opens HBase's scanner. */
  @FunctionalInterface
  interface Opening {
    /** Opens a scanner with a separate reader. */
    StoreFileScanner open() throws IOException;
  }

  /**
   * The separate reader.
   *
   * @param opening opens HBase's scanner, with the same read point and order
   * @param fromBytes the bytes of the file's cells that the scan passes before
   */
  record Stream(Opening opening, long fromBytes) {}

  /**
   * Creates a scanner of a file.
   *
   * @param reader the reader that all scanners of the file share
   * @param blocks a scanner of the shared reader
   * @param known what allows it to defer a seek
   */
  LateStreamScanner(
      StoreFileReader reader, HFileScanner blocks, Known known, Scope scope, Stream later) {
    super(reader, blocks, known, scope);
    this.comparator = reader.getComparator();
    this.later = later;
  }

  @Override
  public @Nullable Cell peek() {
    return stream == null ? super.peek() : stream.peek();
  }

  @Override
  public @Nullable Cell next() throws IOException {
    if (stream != null) {
      count();
      return stream.next();
    }
    Cell passed = super.next();
    if (passed != null) {
      bytesPassed += passed.getSerializedSize();
      if (bytesPassed >= later.fromBytes()) {
        openAt(super.peek());
      }
    }
    return passed;
  }

  /** A seek ignores sequence ids, so cells with the same key are passed by one by one. */
  private void openAt(@Nullable Cell next) throws IOException {
    if (next == null) {
      return;
    }
    // It is closed with this scanner, even if the seek fails.
    StoreFileScanner opened = later.opening().open();
    stream = opened;
    opened.seek(next);
    while (opened.peek() != null && comparator.compare(opened.peek(), next) < 0) {
      opened.next();
    }
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return stream == null ? super.seek(key) : stream.seek(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    if (stream == null) {
      return super.reseek(key);
    }
    count();
    return stream.reseek(key);
  }

  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (stream == null) {
      return super.requestSeek(key, forward, useBloom);
    }
    count();
    return stream.requestSeek(key, forward, useBloom);
  }

  @Override
  public boolean realSeekDone() {
    return stream == null ? super.realSeekDone() : stream.realSeekDone();
  }

  @Override
  public void enforceSeek() throws IOException {
    if (stream == null) {
      super.enforceSeek();
    } else {
      stream.enforceSeek();
    }
  }

  @Override
  public boolean backwardSeek(Cell key) throws IOException {
    return stream == null ? super.backwardSeek(key) : stream.backwardSeek(key);
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    return stream == null ? super.seekToLastRow() : stream.seekToLastRow();
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    return stream == null ? super.seekToPreviousRow(key) : stream.seekToPreviousRow(key);
  }

  @Override
  public @Nullable Cell getNextIndexedKey() {
    return stream == null ? super.getNextIndexedKey() : stream.getNextIndexedKey();
  }

  @Override
  public void recordBlockSize(IntConsumer blockSizeConsumer) {
    if (stream == null) {
      super.recordBlockSize(blockSizeConsumer);
    } else {
      stream.recordBlockSize(blockSizeConsumer);
    }
  }

  /** The response that was shipped may hold cells of both scanners. */
  @Override
  public void shipped() throws IOException {
    super.shipped();
    if (stream != null) {
      stream.shipped();
    }
  }

  @Override
  public void close() {
    super.close();
    if (stream != null) {
      stream.close();
    }
  }
}
