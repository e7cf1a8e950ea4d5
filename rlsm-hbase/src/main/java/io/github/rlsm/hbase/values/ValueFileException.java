// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.io.IOException;

/** A value file does not give the value that a key file says it has. */
public final class ValueFileException extends IOException {
  private static final long serialVersionUID = 1;

  private static final String WHAT_TO_DO =
      "; its other cells can still be read. Restore the file from a snapshot or a backup, or leave"
          + " both out by a major compaction with HBase's own engine, which reads complete files"
          + " only";

  /** A value file is not as it must be. */
  public ValueFileException(String keyFile, String valueFile, String problem) {
    super(text(keyFile, valueFile, problem));
  }

  /** A value file cannot be read. */
  public ValueFileException(String keyFile, String valueFile, String problem, IOException cause) {
    super(text(keyFile, valueFile, problem), cause);
  }

  private static String text(String keyFile, String valueFile, String problem) {
    return "Value file " + valueFile + " of key file " + keyFile + " " + problem + WHAT_TO_DO;
  }
}
