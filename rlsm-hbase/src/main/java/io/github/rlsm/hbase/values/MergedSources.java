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
 * The value files that a merged value file was made of, stored in the merged file's metadata. Key
 * files still name the former files. The merged file holds every cell of them and is read in their
 * place. If this entry is missing or damaged, the key files that name a former file are ignored,
 * and the merged file is read like any other file.
 *
 * <table>
 *   <caption>Bytes of version 1, big-endian like all of HBase's file info</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>1</td><td>4</td><td>number of files, and for each:</td></tr>
 *   <tr><td></td><td>2</td><td>length of its name</td></tr>
 *   <tr><td></td><td>…</td><td>its name, ASCII</td></tr>
 *   <tr><td></td><td>1</td><td>1 if its rows follow, else 0</td></tr>
 *   <tr><td></td><td>4</td><td>length of its first row, −1 for no bound</td></tr>
 *   <tr><td></td><td>…</td><td>that row</td></tr>
 *   <tr><td></td><td>4</td><td>length of the first row after its last, −1 for no bound</td></tr>
 *   <tr><td></td><td>…</td><td>that row</td></tr>
 *   <tr><td>…</td><td>4</td><td>CRC32C of all bytes before</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 *
 * @param files the former files
 */
public record MergedSources(List<Former> files) {

  private static final byte VERSION = 1;
  private static final int BYTES_MIN = 4;
  private static final int FILE_BYTES_MIN = StoredName.BYTES_MIN + 1;

  /**
   * A file that was merged and no longer exists.
   *
   * @param name the name that HBase gave the file when it was written
   * @param rows its rows; scans skip the merged file only if key files cover all of them. Null for
   *     a file without rows, and for a file that was itself merged.
   */
  public record Former(String name, @Nullable KeyRange rows) {}

  /** Copies the list of files. */
  public MergedSources {
    files = List.copyOf(files);
  }

  /** Encodes the entry. */
  public byte[] encode() {
    int size = BYTES_MIN;
    for (Former file : files) {
      KeyRange rows = file.rows();
      size += StoredName.bytes(file.name()) + 1 + (rows == null ? 0 : StoredRange.bytes(rows));
    }
    ByteBuffer out = StoredMark.begin(VERSION, size);
    out.putInt(files.size());
    for (Former file : files) {
      StoredName.put(out, file.name());
      KeyRange rows = file.rows();
      out.put((byte) (rows == null ? 0 : 1));
      if (rows != null) {
        StoredRange.put(out, rows);
      }
    }
    return StoredMark.end(out);
  }

  /**
   * Decodes an entry; empty if the bytes are absent, damaged or of another version, or name no file
   * with rows.
   */
  public static Optional<MergedSources> decode(byte @Nullable [] bytes) {
    ByteBuffer in = StoredMark.content(bytes, VERSION, BYTES_MIN);
    if (in == null) {
      return Optional.empty();
    }
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / FILE_BYTES_MIN) {
      return Optional.empty();
    }
    List<Former> files = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Former file = file(in);
      if (file == null) {
        return Optional.empty();
      }
      files.add(file);
    }
    // Without any known rows, nothing would keep the merged file in scans.
    return in.hasRemaining() || files.stream().allMatch(file -> file.rows() == null)
        ? Optional.empty()
        : Optional.of(new MergedSources(files));
  }

  private static @Nullable Former file(ByteBuffer in) {
    String name = StoredName.get(in);
    if (name == null || !in.hasRemaining()) {
      return null;
    }
    byte hasRows = in.get();
    if (hasRows == 0) {
      return new Former(name, null);
    }
    KeyRange rows = hasRows == 1 ? StoredRange.get(in) : null;
    return rows == null ? null : new Former(name, rows);
  }
}
