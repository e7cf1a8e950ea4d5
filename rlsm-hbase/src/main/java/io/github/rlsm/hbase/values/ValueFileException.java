// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;

/** Thrown if a value file does not provide a value that a key file refers to. */
public final class ValueFileException extends IOException {
  private static final long serialVersionUID = 1;

  private static final String WHAT_TO_DO =
      ". Other cells of the file can still be read. Restore the file from a snapshot or a backup."
          + " Or drop both files by a major compaction with HBase's own engine, which reads only"
          + " complete files";

  /** Reports a value file with wrong content. */
  public ValueFileException(String keyFile, String valueFile, String problem) {
    super(text(keyFile, valueFile, problem));
  }

  /** Reports a value file that cannot be read. */
  public ValueFileException(String keyFile, String valueFile, String problem, IOException cause) {
    super(text(keyFile, valueFile, problem), cause);
  }

  private static String text(String keyFile, String valueFile, String problem) {
    return "Value file " + valueFile + " of key file " + keyFile + " " + problem + WHAT_TO_DO;
  }
}
