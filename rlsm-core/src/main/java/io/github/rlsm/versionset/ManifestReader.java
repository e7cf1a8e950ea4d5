// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.RecordFrame;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.version.Version;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/**
 * Replays the records of a manifest, and decides what an incomplete record means. If no complete
 * record begins where the next one should, the first matching row applies (FORMAT.md, "Recovery of
 * the manifest"):
 *
 * <pre>
 * | case              | found                          | decision                                 |
 * | A clean end       | the end of the file, record 2  | done                                     |
 * |                   | or later to come               |                                          |
 * | B torn snapshot   | record 0 or 1 to come          | CorruptionException: both were forced    |
 * |                   |                                | before the current marker named the file |
 * | C torn end record | where an end record belongs,   | the end record is skipped: one force     |
 * |                   | and after it one whole edit    | covers it and the edit after it          |
 * |                   | and no more                    |                                          |
 * | D damaged record  | a whole record further on      | CorruptionException: an edit was forced  |
 * |                   |                                | before the record after it was written   |
 * | E torn tail       | anything else                  | dropped, and reported                    |
 * </pre>
 *
 * <p>Threads: one thread at a time.
 */
final class ManifestReader {

  /** The snapshot and its end record. */
  private static final int RECORDS_MIN = 2;

  /** From the snapshot on, every second record is an end record. */
  private static final int END_RECORD_BYTES = ManifestLayout.recordBytes(0);

  private final ByteBuffer file;
  private final String name;

  private Version version = Version.EMPTY;
  private long nextRecord;
  private int offset = FileHeader.BYTES;

  /**
   * Creates a reader of one manifest.
   *
   * @param file the manifest's bytes, with its header, which the caller checks
   * @param name the file's name, for messages
   */
  ManifestReader(ByteBuffer file, String name) {
    this.file = file.slice(0, file.limit()).order(ByteOrder.LITTLE_ENDIAN);
    this.name = name;
  }

  /**
   * Reads the version that the records produce.
   *
   * @throws CorruptionException if a record is damaged that was complete once
   * @throws FormatVersionException if a record has a format that this release does not read
   */
  Version read() {
    while (offset < file.limit()) {
      int bytes = ManifestLayout.RECORDS.bytesAt(file, offset);
      if (bytes == 0 && isTornEndRecord()) {
        bytes = END_RECORD_BYTES;
      } else if (bytes == 0) {
        break;
      } else {
        replay(bytes);
      }
      offset += bytes;
      nextRecord++;
    }
    checkEnd();
    return version;
  }

  /** The number of records read. */
  int records() {
    return (int) Math.min(Integer.MAX_VALUE, nextRecord);
  }

  /** Bytes after the last whole record. */
  int droppedBytes() {
    return file.limit() - offset;
  }

  /**
   * Whether the record here is a damaged end record that was never forced, followed by exactly one
   * complete edit. A power loss may keep the page of the edit and not the page of the end record.
   * The end record has no content, so it can be skipped, and the edit may count.
   */
  private boolean isTornEndRecord() {
    int edit = offset + END_RECORD_BYTES;
    if (nextRecord < RECORDS_MIN || nextRecord % 2 == 0 || edit >= file.limit()) {
      return false;
    }
    int bytes = ManifestLayout.RECORDS.bytesAt(file, edit);
    return bytes > 0
        && RecordFrame.numberAt(file, edit) == nextRecord + 1
        && ManifestLayout.RECORDS.laterRecord(file, edit + bytes - 1, nextRecord + 2) < 0;
  }

  private void replay(int bytes) {
    ManifestLayout.RECORDS.check(file, offset, nextRecord, name);
    int start = offset + ManifestLayout.CHANGES_OFFSET;
    int length = bytes - ManifestLayout.CHANGES_OFFSET;
    if (length == 0) {
      return;
    }
    try {
      version = version.apply(file.slice(start, length), name, start);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new CorruptionException(
          name, offset, "the edit does not fit the version: " + e.getMessage(), e);
    }
  }

  private void checkEnd() {
    if (nextRecord < RECORDS_MIN) {
      throw new CorruptionException(
          name, offset, "the manifest has no whole snapshot: record " + nextRecord + " is damaged");
    }
    int later = ManifestLayout.RECORDS.laterRecord(file, offset, nextRecord);
    if (later >= 0) {
      throw new CorruptionException(
          name,
          offset,
          String.format(
              Locale.ROOT,
              "record %d is damaged, but a whole record follows at offset %d",
              nextRecord,
              later));
    }
  }
}
