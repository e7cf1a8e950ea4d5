// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;
import java.util.List;

/**
 * What recovery found in the log. Nothing on disk was changed to find it.
 *
 * @param generations those with records that are not in tables yet, oldest first, sealed
 * @param endSeqno end of the gap-free history: where the next record belongs
 * @param lastGeneration the largest generation number seen, 0 if none
 * @param freeWalSegments write-ahead segments whose records are no longer needed
 * @param freeValueSegments value segments that hold no record of the history
 * @param nextWalNumber a number above that of every write-ahead segment file
 * @param nextValueNumber a number above that of every value segment file
 * @param droppedBytes bytes of valid records that lie past the end of the history, un-acknowledged
 *     or lost together with something before them
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

  /** Closes every segment, for when opening fails later on. */
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
