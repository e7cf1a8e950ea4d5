// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

/** Thrown when a value in the store is not a record written by {@link RecordCodec}. */
public final class MalformedRecordException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for a damaged or foreign record.
   *
   * @param offset offset of the error in the value
   * @param detail the expected and the actual content
   */
  public MalformedRecordException(int offset, String detail) {
    super("not a record, at offset " + offset + ": " + detail);
  }
}
