// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartHeader;
import io.github.rlsm.io.MappedFile;
import java.util.List;

/**
 * The result of reading the log at recovery.
 *
 * @param generations the generations with records that are not in tables yet, oldest first, sealed
 * @param endSeqno the end of the gap-free history, which is the seqno of the next record
 * @param lastGeneration the largest generation number seen, 0 if none
 * @param wal the write-ahead segments; a segment is free if its records are no longer needed
 * @param values the value segments; a segment is free if it holds no record of the history
 * @param droppedBytes bytes of valid records after the end of the history. They were never
 *     acknowledged, or were lost together with an earlier record
 */
public record RecoveredLog(
    List<LogGeneration> generations,
    long endSeqno,
    int lastGeneration,
    Stream wal,
    Stream values,
    long droppedBytes)
    implements AutoCloseable {

  /** Copies the list. */
  public RecoveredLog {
    generations = List.copyOf(generations);
  }

  /**
   * The segment files of one stream.
   *
   * @param free segments that belong to no generation
   * @param nextNumber a number greater than the number of every segment file
   */
  public record Stream(List<MappedFile> free, int nextNumber) {

    /** Copies the list. */
    public Stream {
      free = List.copyOf(free);
    }
  }

  /** Closes every segment, if a later step of the opening fails. */
  @Override
  public void close() {
    wal.free.forEach(MappedFile::close);
    values.free.forEach(MappedFile::close);
    for (LogGeneration generation : generations) {
      generation.file(false).close();
      generation.file(true).close();
    }
  }

  /** Receives the entries that recovery finds in the log, in the order of their seqnos. */
  public interface Visitor {

    /** Begins a generation. The entries that follow belong to it. */
    void generation(LogGeneration generation);

    /** Receives an entry of the current generation. */
    void entry(int location, long seqno);

    /** Announces that the entries from a seqno on are a part of a cross-shard batch. */
    default void part(PartHeader header, long seqno) {}
  }
}
