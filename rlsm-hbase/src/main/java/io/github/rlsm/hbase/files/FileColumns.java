// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.layout.StoredMark;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The columns of all cells of a file, stored in the file's own metadata if they are few. They tell
 * without a read which cells a row of the file may have. So a Get that has newer cells of these
 * columns need not read the file. The marker that deletes a row has an empty column, which counts
 * too.
 *
 * <table>
 *   <caption>Bytes of version 1, big-endian like all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>1</td><td>1</td><td>number of columns, 1 to 32; for each, in ascending order:</td></tr>
 *   <tr><td></td><td>2</td><td>length of its qualifier</td></tr>
 *   <tr><td></td><td>…</td><td>its qualifier</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 *
 * <p>Threads: immutable.
 */
public final class FileColumns {

  private static final byte VERSION = 1;

  /** With more columns, the search for one would cost more than a Get saves. */
  private static final int COLUMNS_MAX = 32;

  /** HBase keeps the file info of open files on the heap. */
  private static final int BYTES_MAX = 1 << 10;

  /** The time of HBase's last key of a column. */
  private static final long OLDEST = Long.MIN_VALUE;

  private static final int COUNT_BYTES = 1;
  private static final int LENGTH_BYTES = 2;

  private final byte[] family;
  private final byte[][] qualifiers;

  private FileColumns(byte[] family, byte[][] qualifiers) {
    this.family = family;
    this.qualifiers = qualifiers;
  }

  /**
   * Collects the columns of a file while it is written.
   *
   * <p>Threads: one at a time.
   */
  public static final class Collector {
    private final List<byte[]> qualifiers = new ArrayList<>();
    private int bytes = COUNT_BYTES;
    private int last;
    private boolean areMany;

    /** Adds the column of a cell. */
    public void add(Cell cell) {
      if (areMany || isAt(last, cell)) {
        return;
      }
      // The cells of a row have ascending columns.
      if (isAt(last + 1, cell)) {
        last++;
      } else if (isAt(0, cell)) {
        last = 0;
      } else {
        find(CellUtil.cloneQualifier(cell));
      }
    }

    private boolean isAt(int index, Cell cell) {
      return index < qualifiers.size() && CellUtil.matchingQualifier(cell, qualifiers.get(index));
    }

    private void find(byte[] qualifier) {
      int index = Collections.binarySearch(qualifiers, qualifier, Bytes.BYTES_COMPARATOR);
      last = index < 0 ? -1 - index : index;
      if (index < 0) {
        bytes += LENGTH_BYTES + qualifier.length;
        areMany = qualifiers.size() == COLUMNS_MAX || bytes > BYTES_MAX;
        if (areMany) {
          qualifiers.clear();
        } else {
          qualifiers.add(last, qualifier);
        }
      }
    }

    /** Encodes the columns and forgets them; empty if there are none, or too many. */
    public Optional<byte[]> end() {
      Optional<byte[]> encoded = qualifiers.isEmpty() ? Optional.empty() : Optional.of(encode());
      qualifiers.clear();
      bytes = COUNT_BYTES;
      areMany = false;
      return encoded;
    }

    private byte[] encode() {
      ByteBuffer out = StoredMark.begin(VERSION, bytes).put((byte) qualifiers.size());
      for (byte[] qualifier : qualifiers) {
        out.putShort((short) qualifier.length).put(qualifier);
      }
      return StoredMark.end(out);
    }
  }

  /**
   * Decodes columns; empty if the bytes are absent, damaged or of another version.
   *
   * @param family the family of all cells
   */
  public static Optional<FileColumns> decode(byte[] family, byte @Nullable [] bytes) {
    ByteBuffer in = StoredMark.content(bytes, VERSION, COUNT_BYTES + LENGTH_BYTES);
    if (in == null) {
      return Optional.empty();
    }
    int count = in.get();
    List<byte[]> qualifiers = new ArrayList<>();
    while (qualifiers.size() < count && in.remaining() >= LENGTH_BYTES) {
      int length = Short.toUnsignedInt(in.getShort());
      if (length > in.remaining()) {
        return Optional.empty();
      }
      byte[] qualifier = new byte[length];
      in.get(qualifier);
      if (!qualifiers.isEmpty()
          && Bytes.compareTo(qualifiers.get(qualifiers.size() - 1), qualifier) >= 0) {
        return Optional.empty();
      }
      qualifiers.add(qualifier);
    }
    return qualifiers.isEmpty() || qualifiers.size() != count || in.hasRemaining()
        ? Optional.empty()
        : Optional.of(new FileColumns(family, qualifiers.toArray(new byte[0][])));
  }

  /** Whether a row of the file may have a cell at or after this key of the same row. */
  public boolean mayFollow(Cell key) {
    return from(key) < qualifiers.length;
  }

  /**
   * A lower bound of the file's cells from a key on. It sorts neither before the key nor after the
   * first of these cells. Null if the row of the key has none in the file.
   *
   * @param newest the largest timestamp of the file's cells
   */
  public @Nullable Cell firstFrom(Cell key, long newest) {
    int index = from(key);
    if (index == qualifiers.length) {
      return null;
    }
    byte[] qualifier = qualifiers[index];
    boolean inColumn = key.getFamilyLength() > 0 && CellUtil.matchingQualifier(key, qualifier);
    return inColumn && key.getTimestamp() <= newest
        ? key
        : key(key, qualifier, newest, KeyValue.Type.Maximum);
  }

  /**
   * A cell after all cells of a column; null if the file has no later column. HBase's matcher seeks
   * the next column from a cell with this time. The cell sorts before the key of that seek, so the
   * seek moves the scanner that shows it.
   */
  public @Nullable Cell endOf(Cell column) {
    int index = search(column);
    return index == qualifiers.length - 1
        ? null
        : key(column, qualifiers[index], OLDEST, KeyValue.Type.Put);
  }

  /** The first column in which the file may have a cell at or after a key of the same row. */
  private int from(Cell key) {
    boolean isLast = ((ExtendedCell) key).getTypeByte() == KeyValue.Type.Minimum.getCode();
    if (key.getFamilyLength() == 0) {
      // HBase's first key of a row, or its last one.
      return isLast ? qualifiers.length : 0;
    }
    int index = search(key);
    if (index < 0) {
      return -1 - index;
    }
    // HBase's last key of a column.
    return isLast && key.getTimestamp() == OLDEST ? index + 1 : index;
  }

  /** A key of a column in the row of a cell. */
  private Cell key(Cell cell, byte[] qualifier, long timestamp, KeyValue.Type type) {
    return new KeyValue(
        cell.getRowArray(),
        cell.getRowOffset(),
        cell.getRowLength(),
        family,
        0,
        family.length,
        qualifier,
        0,
        qualifier.length,
        timestamp,
        type,
        null,
        0,
        0);
  }

  /** Searches as {@link Collections#binarySearch} does. */
  private int search(Cell cell) {
    return Bytes.binarySearch(
        qualifiers, cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
  }
}
