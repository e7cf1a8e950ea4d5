// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

/** A value in the store is not a record written by {@link RecordCodec}. */
public final class MalformedRecordException extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * A damaged or foreign record.
   *
   * @param offset bytes from the start of the value to what is wrong
   * @param detail what was expected there and what was found
   */
  public MalformedRecordException(int offset, String detail) {
    super("not a record, at offset " + offset + ": " + detail);
  }
}
