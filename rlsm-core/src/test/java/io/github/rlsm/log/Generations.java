// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.SimulatedDirectory;

/**
 * Creates generations without records. They share their files, because reserving does not touch the
 * files.
 */
final class Generations {

  private static final int SEGMENT_BYTES = 4096;

  /** The size of a segment's record area, in units. */
  static final int ROOM_UNITS = (SEGMENT_BYTES - SegmentLayout.BYTES) / RecordLayout.UNIT;

  private static final SimulatedDirectory DIRECTORY = new SimulatedDirectory();
  private static final MappedFile WAL = DIRECTORY.createMapped("wal-00000001.log", SEGMENT_BYTES);
  private static final MappedFile VALUES =
      DIRECTORY.createMapped("val-00000001.log", SEGMENT_BYTES);

  private Generations() {}

  static LogGeneration fresh() {
    return LogGeneration.fresh(new SegmentLayout(1, 0, 7, ManifestPosition.NONE), WAL, VALUES, 1);
  }
}
