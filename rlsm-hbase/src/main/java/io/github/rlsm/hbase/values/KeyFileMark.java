// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import io.github.rlsm.base.KeyRange;
import io.github.rlsm.hbase.layout.StoredMark;
import io.github.rlsm.hbase.layout.StoredRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The value files of a key file, stored in the key file's metadata. The mark says which value files
 * hold the values of its shadows, and in which row ranges the key file covers each value file. A
 * file without this mark, or with a damaged one, is read as HBase reads it: its shadows count as
 * nothing, and the complete files hold all data.
 *
 * <table>
 *   <caption>Bytes of version 2, big-endian like all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 2</td></tr>
 *   <tr><td>1</td><td>4</td><td>smallest length of a separated value, above 0</td></tr>
 *   <tr><td>5</td><td>4</td><td>number of value files, and for each:</td></tr>
 *   <tr><td></td><td>2</td><td>length of its name</td></tr>
 *   <tr><td></td><td>…</td><td>its name, ASCII</td></tr>
 *   <tr><td></td><td>8</td><td>bytes of values in it that shadows have; 0 for none</td></tr>
 *   <tr><td></td><td>4</td><td>number of row ranges that it covers, and for each:</td></tr>
 *   <tr><td></td><td>1</td><td>1 if the value file is retired there, else 0</td></tr>
 *   <tr><td></td><td>4</td><td>length of the first row, −1 for no bound</td></tr>
 *   <tr><td></td><td>…</td><td>that row</td></tr>
 *   <tr><td></td><td>4</td><td>length of the first row after the range, −1 for no bound</td></tr>
 *   <tr><td></td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 *
 * @param valueBytesMin the smallest length of a separated value, in bytes
 * @param files the value files; a shadow names a value file by its index in this list
 */
public record KeyFileMark(int valueBytesMin, List<ValueFile> files) {

  /** With version 1, shadows had another form. */
  private static final byte VERSION = 2;

  private static final int BYTES_MIN = 4 + 4;
  private static final int FILE_BYTES_MIN = StoredName.BYTES_MIN + 8 + 4;
  private static final int COVER_BYTES_MIN = 1 + StoredRange.BYTES_MIN;

  /**
   * One value file.
   *
   * @param name the name that HBase gave the file when it was written; links keep the name
   * @param bytes bytes of values in the file that shadows of this key file refer to
   * @param covers the rows for which this key file covers the value file
   */
  public record ValueFile(String name, long bytes, List<Cover> covers) {
    /** Copies the list of covers. */
    public ValueFile {
      covers = List.copyOf(covers);
    }
  }

  /**
   * A row range in which a key file covers a value file: the key file holds each relevant cell of
   * the range, as a shadow or in full.
   *
   * @param rows the rows
   * @param retired whether other complete files also hold each of these cells, including deletes,
   *     so that the value file itself is no longer needed
   */
  public record Cover(KeyRange rows, boolean retired) {}

  /** Copies the list of files. */
  public KeyFileMark {
    files = List.copyOf(files);
  }

  /** The total size of the values that the key file's shadows refer to. */
  public long bytes() {
    return files.stream().mapToLong(ValueFile::bytes).sum();
  }

  /** Encodes the mark. */
  public byte[] encode() {
    int size = BYTES_MIN;
    for (ValueFile file : files) {
      size += StoredName.bytes(file.name()) + 8 + 4;
      for (Cover cover : file.covers()) {
        size += 1 + StoredRange.bytes(cover.rows());
      }
    }
    ByteBuffer out = StoredMark.begin(VERSION, size);
    out.putInt(valueBytesMin).putInt(files.size());
    for (ValueFile file : files) {
      StoredName.put(out, file.name());
      out.putLong(file.bytes()).putInt(file.covers().size());
      for (Cover cover : file.covers()) {
        out.put((byte) (cover.retired() ? 1 : 0));
        StoredRange.put(out, cover.rows());
      }
    }
    return StoredMark.end(out);
  }

  /** Decodes a mark; empty if the bytes are absent, damaged or of another version. */
  public static Optional<KeyFileMark> decode(byte @Nullable [] bytes) {
    ByteBuffer in = StoredMark.content(bytes, VERSION, BYTES_MIN);
    if (in == null) {
      return Optional.empty();
    }
    int valueBytesMin = in.getInt();
    int count = in.getInt();
    if (valueBytesMin <= 0 || count < 0 || count > in.remaining() / FILE_BYTES_MIN) {
      return Optional.empty();
    }
    List<ValueFile> files = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ValueFile file = file(in);
      if (file == null) {
        return Optional.empty();
      }
      files.add(file);
    }
    return in.hasRemaining()
        ? Optional.empty()
        : Optional.of(new KeyFileMark(valueBytesMin, files));
  }

  private static @Nullable ValueFile file(ByteBuffer in) {
    String name = StoredName.get(in);
    if (name == null || in.remaining() < 8 + 4) {
      return null;
    }
    long bytes = in.getLong();
    int count = in.getInt();
    if (bytes < 0 || count < 0 || count > in.remaining() / COVER_BYTES_MIN) {
      return null;
    }
    List<Cover> covers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Cover cover = cover(in);
      if (cover == null) {
        return null;
      }
      covers.add(cover);
    }
    return new ValueFile(name, bytes, covers);
  }

  private static @Nullable Cover cover(ByteBuffer in) {
    if (in.remaining() < COVER_BYTES_MIN) {
      return null;
    }
    byte retired = in.get();
    if (retired < 0 || retired > 1) {
      return null;
    }
    KeyRange rows = StoredRange.get(in);
    return rows == null ? null : new Cover(rows, retired == 1);
  }
}
