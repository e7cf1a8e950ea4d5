// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scanner that opens a separate reader when the scan reaches the file. HBase gives each scanner
 * of a long scan such a reader, which reads ahead. HBase's scanner opens its file and reads a block
 * at once, also of a file that the scan never reaches.
 *
 * <p>Until then this scanner behaves like {@link LateFileScanner}. From then on it passes every
 * call to HBase's scanner.
 *
 * <p>Threads: one at a time.
 */
final class LateStreamScanner extends LateFileScanner {

  private final Opening opening;
  private @Nullable StoreFileScanner stream;

  /** Opens HBase's scanner. */
  @FunctionalInterface
  interface Opening {
    /** Opens a scanner with a separate reader. */
    StoreFileScanner open() throws IOException;
  }

  /**
   * Creates a scanner of a file.
   *
   * @param reader the reader that all scanners of the file share
   * @param blocks a scanner of the shared reader, which is never used
   * @param beforeFirst a cell that sorts before the file's first row
   * @param order the scanner's order among others
   * @param opening opens HBase's scanner, with the same read point and order
   */
  LateStreamScanner(
      StoreFileReader reader,
      HFileScanner blocks,
      Cell beforeFirst,
      long readPoint,
      long order,
      Opening opening) {
    super(reader, blocks, beforeFirst, readPoint, order, false);
    this.opening = opening;
  }

  private StoreFileScanner opened() throws IOException {
    StoreFileScanner open = stream;
    if (open == null) {
      open = opening.open();
      stream = open;
    }
    return open;
  }

  @Override
  public @Nullable Cell peek() {
    return stream == null ? super.peek() : stream.peek();
  }

  @Override
  public boolean seek(Cell key) throws IOException {
    return (stream == null && defers(key)) || opened().seek(key);
  }

  @Override
  public boolean reseek(Cell key) throws IOException {
    return stream == null ? seek(key) : stream.reseek(key);
  }

  @Override
  public boolean requestSeek(Cell key, boolean forward, boolean useBloom) throws IOException {
    if (stream == null) {
      return defers(key) || opened().requestSeek(key, false, useBloom);
    }
    return stream.requestSeek(key, forward, useBloom);
  }

  @Override
  public boolean realSeekDone() {
    return stream == null ? super.realSeekDone() : stream.realSeekDone();
  }

  @Override
  public void enforceSeek() throws IOException {
    Cell key = deferred();
    if (stream == null && key != null) {
      opened().seek(key);
    } else {
      opened().enforceSeek();
    }
  }

  @Override
  public Cell next() throws IOException {
    if (stream == null) {
      enforceSeek();
    }
    return opened().next();
  }

  @Override
  public boolean backwardSeek(Cell key) throws IOException {
    return opened().backwardSeek(key);
  }

  @Override
  public boolean seekToLastRow() throws IOException {
    return opened().seekToLastRow();
  }

  @Override
  public boolean seekToPreviousRow(Cell key) throws IOException {
    return opened().seekToPreviousRow(key);
  }

  @Override
  public @Nullable Cell getNextIndexedKey() {
    return stream == null ? super.getNextIndexedKey() : stream.getNextIndexedKey();
  }

  @Override
  public void recordBlockSize(IntConsumer blockSizeConsumer) {
    if (stream != null) {
      stream.recordBlockSize(blockSizeConsumer);
    }
  }

  @Override
  public void shipped() throws IOException {
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
