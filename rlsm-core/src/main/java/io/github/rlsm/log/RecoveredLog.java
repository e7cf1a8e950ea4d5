// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;
import java.util.List;

/**
 * The result of reading the log at recovery.
 *
 * @param generations the generations with records that are not in tables yet, oldest first, sealed
 * @param endSeqno the end of the gap-free history, which is the seqno of the next record
 * @param lastGeneration the largest generation number seen, 0 if none
 * @param freeWalSegments write-ahead segments whose records are no longer needed
 * @param freeValueSegments value segments that hold no record of the history
 * @param nextWalNumber a number above those of all write-ahead segment files
 * @param nextValueNumber a number above those of all value segment files
 * @param droppedBytes bytes of valid records after the end of the history. They were never
 *     acknowledged, or were lost together with an earlier record
 */
public record RecoveredLog(
    List<LogGeneration> generations,
    long endSeqno,
    int lastGeneration,
    List<MappedFile> freeWalSegments,
    List<MappedFile> freeValueSegments,
    int nextWalNumber,
    int nextValueNumber,
    long droppedBytes)
    implements AutoCloseable {

  /** Copies the lists. */
  public RecoveredLog {
    generations = List.copyOf(generations);
    freeWalSegments = List.copyOf(freeWalSegments);
    freeValueSegments = List.copyOf(freeValueSegments);
  }

  /** Closes every segment, if a later step of the opening fails. */
  @Override
  public void close() {
    freeWalSegments.forEach(MappedFile::close);
    freeValueSegments.forEach(MappedFile::close);
    for (LogGeneration generation : generations) {
      generation.file(false).close();
      generation.file(true).close();
    }
  }
}
