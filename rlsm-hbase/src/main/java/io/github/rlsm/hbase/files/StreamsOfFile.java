// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;

/**
 * Presents streams that keep bytes of a file to HBase, in place of the file's own.
 *
 * <p>HBase uses one of two streams: one whose checksums it verifies itself, and one that the file
 * system verifies. It changes over when a checksum is wrong, and back later. The file decides.
 *
 * <p>Threads: as the streams.
 */
abstract class StreamsOfFile extends FSDataInputStreamWrapper {

  private final FSDataInputStreamWrapper file;
  private final FSDataInputStream callerVerifies;
  private final FSDataInputStream systemVerifies;

  /**
   * Creates the streams of a file.
   *
   * @param callerVerifies the stream whose bytes HBase verifies
   * @param systemVerifies the stream whose bytes the file system verifies
   */
  StreamsOfFile(
      FSDataInputStreamWrapper file, FSInputStream callerVerifies, FSInputStream systemVerifies) {
    super((FSDataInputStream) null);
    this.file = file;
    this.callerVerifies = new FSDataInputStream(callerVerifies);
    this.systemVerifies = new FSDataInputStream(systemVerifies);
  }

  /** Returns a reader's context, with these streams in place of the file's. */
  final ReaderContext in(ReaderContext opened) {
    return new ReaderContext(
        opened.getFilePath(),
        this,
        opened.getFileSize(),
        opened.getFileSystem(),
        opened.isPrimaryReplicaReader(),
        opened.getReaderType());
  }

  /** Drops the bytes that the streams keep. */
  abstract void forget();

  @Override
  public boolean shouldUseHBaseChecksum() {
    return file.shouldUseHBaseChecksum();
  }

  @Override
  public FSDataInputStream getStream(boolean useHBaseChecksum) {
    return useHBaseChecksum ? callerVerifies : systemVerifies;
  }

  @Override
  public FSDataInputStream fallbackToFsChecksum(int offCount) throws IOException {
    file.fallbackToFsChecksum(offCount);
    return systemVerifies;
  }

  @Override
  public void checksumOk() {
    file.checksumOk();
  }

  @Override
  public void unbuffer() {
    forget();
  }
}
