// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.kv.EntryLimits;
import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.KvStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * Encodes a YCSB record with all its fields as one value. Varints are unsigned LEB128 of at most
 * five bytes, in their shortest form, and below 2<sup>31</sup>.
 *
 * <table>
 *   <caption>Layout</caption>
 *   <tr><th>size</th><th>type</th><th>name</th><th>meaning, valid range</th></tr>
 *   <tr><td>1</td><td>u8</td><td>version</td><td>1; other versions are refused</td></tr>
 *   <tr><td>1–5</td><td>varint</td><td>fieldCount</td><td>0 or more</td></tr>
 *   <tr><td>…</td><td>fieldCount ×</td><td>directory</td>
 *       <td>varint nameLength, varint valueLength, the name in UTF-8; strictly ascending by the
 *       name's unsigned bytes</td></tr>
 *   <tr><td>…</td><td>bytes</td><td>values</td>
 *       <td>one after another in the directory's order; they end with the record</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 *
 * <p>The directory comes first, so a read of a few fields does not touch the other values. Its
 * lengths add up to the record's length, so one pass over it checks every bound.
 *
 * <p>Threads: no state.
 */
final class RecordCodec {

  private static final int VERSION = 1;
  private static final int DIRECTORY_OFFSET_MIN = 2;
  private static final int DIRECTORY_ENTRY_BYTES_MIN = 2;

  private RecordCodec() {}

  /** A field to encode. The value is a slice that is copied during encoding only. */
  private static final class Field implements Comparable<Field> {
    final byte[] name;
    final byte[] bytes;
    final int offset;
    final int length;

    Field(byte[] name, byte[] bytes, int offset, int length) {
      this.name = name;
      this.bytes = bytes;
      this.offset = offset;
      this.length = length;
    }

    @Override
    public int compareTo(Field other) {
      return Arrays.compareUnsigned(name, other.name);
    }

    int directoryBytes() {
      return varintBytes(name.length) + varintBytes(length) + name.length;
    }
  }

  /**
   * Encodes a record with these fields.
   *
   * @throws InvalidEntryException if the record is too large for a value, or two names are equal in
   *     UTF-8
   */
  static byte[] encode(Map<String, byte[]> fields) {
    return write(sorted(fields));
  }

  /**
   * Replaces fields of a record, and adds fields that it lacks.
   *
   * @throws InvalidEntryException like {@link #encode}
   */
  static byte[] merge(byte[] record, Map<String, byte[]> changes) throws MalformedRecordException {
    Directory old = Directory.parse(record);
    List<Field> changed = sorted(changes);
    List<Field> merged = new ArrayList<>(old.count + changed.size());
    int next = 0;
    for (int i = 0; i < old.count; i++) {
      Field field = old.field(i);
      while (next < changed.size() && changed.get(next).compareTo(field) < 0) {
        merged.add(changed.get(next++));
      }
      boolean replaced = next < changed.size() && changed.get(next).compareTo(field) == 0;
      merged.add(replaced ? changed.get(next++) : field);
    }
    merged.addAll(changed.subList(next, changed.size()));
    return write(merged);
  }

  /**
   * Puts the record's fields into a map, as slices of {@code record}.
   *
   * @param wanted names of the fields to read, null for all; missing fields are omitted
   */
  static void decode(
      byte[] record, @Nullable Set<String> wanted, Map<String, ByteIterator> destination)
      throws MalformedRecordException {
    Directory directory = Directory.parse(record);
    for (int i = 0; i < directory.count; i++) {
      String name = directory.name(i);
      if (wanted == null || wanted.contains(name)) {
        destination.put(
            name,
            new ByteArrayByteIterator(record, directory.valueOffset(i), directory.valueLength(i)));
      }
    }
  }

  private static List<Field> sorted(Map<String, byte[]> fields) {
    List<Field> sorted = new ArrayList<>(fields.size());
    fields.forEach(
        (name, value) -> sorted.add(new Field(name.getBytes(UTF_8), value, 0, value.length)));
    sorted.sort(null);
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).compareTo(sorted.get(i)) == 0) {
        throw new InvalidEntryException(
            "two fields have the same name in UTF-8", sorted.get(i).name);
      }
    }
    return sorted;
  }

  private static byte[] write(List<Field> fields) {
    long length = 1L + varintBytes(fields.size());
    for (Field field : fields) {
      length += field.directoryBytes() + (long) field.length;
    }
    EntryLimits.checkValueLength((int) Math.min(length, KvStore.MAX_VALUE_BYTES + 1L));
    byte[] record = new byte[(int) length];
    record[0] = VERSION;
    int at = writeVarint(record, 1, fields.size());
    for (Field field : fields) {
      at = writeVarint(record, at, field.name.length);
      at = writeVarint(record, at, field.length);
      System.arraycopy(field.name, 0, record, at, field.name.length);
      at += field.name.length;
    }
    for (Field field : fields) {
      System.arraycopy(field.bytes, field.offset, record, at, field.length);
      at += field.length;
    }
    return record;
  }

  private static int varintBytes(int value) {
    return 1 + (31 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  private static int writeVarint(byte[] to, int offset, int value) {
    int at = offset;
    int rest = value;
    while (rest > 0x7F) {
      to[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[at++] = (byte) rest;
    return at;
  }

  /**
   * The places of the names and values in a record, checked against the record's bounds.
   *
   * <p>Threads: one thread at a time while parsing; immutable afterwards.
   */
  private static final class Directory {

    private static final int BOUNDS_PER_FIELD = 4;

    private final byte[] record;
    private final int count;

    /** For each field: name offset, name length, value offset, value length. */
    private final int[] bounds;

    /** The next byte to parse. */
    private int at;

    private Directory(byte[] record) throws MalformedRecordException {
      this.record = record;
      if (record.length < DIRECTORY_OFFSET_MIN) {
        throw new MalformedRecordException(0, "only " + record.length + " bytes");
      }
      if (record[0] != VERSION) {
        throw new MalformedRecordException(
            0, "version " + (record[0] & 0xFF) + ", expected " + VERSION);
      }
      this.at = 1;
      this.count = readVarint();
      // Also bounds the allocation for a record with a wrong count.
      if (count > (record.length - at) / DIRECTORY_ENTRY_BYTES_MIN) {
        throw new MalformedRecordException(
            1, count + " fields do not fit in " + record.length + " bytes");
      }
      this.bounds = new int[count * BOUNDS_PER_FIELD];
    }

    static Directory parse(byte[] record) throws MalformedRecordException {
      Directory directory = new Directory(record);
      long valueBytes = 0;
      for (int i = 0; i < directory.count; i++) {
        valueBytes += directory.parseEntry(i);
      }
      if (valueBytes != record.length - directory.at) {
        throw new MalformedRecordException(
            directory.at,
            valueBytes + " bytes of values expected, " + (record.length - directory.at) + " found");
      }
      directory.placeValues();
      return directory;
    }

    private int parseEntry(int i) throws MalformedRecordException {
      int start = at;
      int nameLength = readVarint();
      int valueLength = readVarint();
      if (nameLength > record.length - at) {
        throw new MalformedRecordException(start, "a name of " + nameLength + " bytes");
      }
      int b = i * BOUNDS_PER_FIELD;
      bounds[b] = at;
      bounds[b + 1] = nameLength;
      bounds[b + 3] = valueLength;
      at += nameLength;
      if (i > 0 && compareNames(i - 1, i) >= 0) {
        throw new MalformedRecordException(start, "names are not in ascending order");
      }
      return valueLength;
    }

    private void placeValues() {
      int valueOffset = at;
      for (int i = 0; i < count; i++) {
        bounds[i * BOUNDS_PER_FIELD + 2] = valueOffset;
        valueOffset += valueLength(i);
      }
    }

    private int readVarint() throws MalformedRecordException {
      int start = at;
      long value = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        if (at == record.length) {
          throw new MalformedRecordException(start, "a number runs past the end of the record");
        }
        byte next = record[at++];
        value |= (long) (next & 0x7F) << shift;
        if (next >= 0) {
          if (value > Integer.MAX_VALUE || (next == 0 && shift > 0)) {
            break;
          }
          return (int) value;
        }
      }
      throw new MalformedRecordException(
          start, "a number is too large or not in its shortest form");
    }

    private int compareNames(int a, int b) {
      return Arrays.compareUnsigned(
          record,
          nameOffset(a),
          nameOffset(a) + nameLength(a),
          record,
          nameOffset(b),
          nameOffset(b) + nameLength(b));
    }

    private int nameOffset(int i) {
      return bounds[i * BOUNDS_PER_FIELD];
    }

    private int nameLength(int i) {
      return bounds[i * BOUNDS_PER_FIELD + 1];
    }

    int valueOffset(int i) {
      return bounds[i * BOUNDS_PER_FIELD + 2];
    }

    int valueLength(int i) {
      return bounds[i * BOUNDS_PER_FIELD + 3];
    }

    String name(int i) {
      return new String(record, nameOffset(i), nameLength(i), UTF_8);
    }

    Field field(int i) {
      byte[] name = Arrays.copyOfRange(record, nameOffset(i), nameOffset(i) + nameLength(i));
      return new Field(name, record, valueOffset(i), valueLength(i));
    }
  }
}
