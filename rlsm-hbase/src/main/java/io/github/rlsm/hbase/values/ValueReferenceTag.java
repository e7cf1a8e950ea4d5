// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.values;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The tags that make a cell a <em>shadow</em>. A shadow is a cell of a key file. It has the key of
 * a cell in a value file, but not the value. Two tags precede the cell's own tags:
 *
 * <table>
 *   <caption>Bytes of version 3, big-endian like all of HBase's tags</caption>
 *   <tr><th>offset</th><th>size</th><th>meaning</th></tr>
 *   <tr><td>0</td><td>2</td><td>length of the rest of the first tag, 9</td></tr>
 *   <tr><td>2</td><td>1</td><td>HBase's type of tag for a lifetime, 8</td></tr>
 *   <tr><td>3</td><td>8</td><td>the lifetime in milliseconds, −2⁶³</td></tr>
 *   <tr><td>11</td><td>2</td><td>length of the rest of the second tag, 25</td></tr>
 *   <tr><td>13</td><td>1</td><td>type of tag, 82</td></tr>
 *   <tr><td>14</td><td>1</td><td>version, 3</td></tr>
 *   <tr><td>15</td><td>2</td><td>index in the key file's list of value files, unsigned</td></tr>
 *   <tr><td>17</td><td>4</td><td>length of the value</td></tr>
 *   <tr><td>21</td><td>8</td><td>sequence id of the cell in the value file</td></tr>
 *   <tr><td>29</td><td>5</td><td>offset of the cell in the value file, 2⁴⁰−1 if unknown</td></tr>
 *   <tr><td>34</td><td>4</td><td>CRC32C of the value, 0 if the offset is unknown</td></tr>
 *   <tr><td>38</td><td>…</td><td>the cell's own tags</td></tr>
 * </table>
 *
 * <p>DO NOT CHANGE: these bytes are in stored files. A new layout gets a new version.
 *
 * <p>The first tag protects all other readers. To HBase's scanners, in compactions too, such a cell
 * expired before it was written, with any timestamp. So no other engine can return the cell. This
 * engine removes both tags before HBase sees the cell. The tags have no checksum, because HFile
 * blocks have checksums.
 *
 * <p>The offset is a hint: a reader that finds another cell there searches the value file by key.
 * So a merge of value files need not rewrite key files.
 *
 * <p>The shadow's own sequence id is {@value #OWN_SEQUENCE_ID}, which no written cell has. So a
 * tool that sorts the raw cells of all files and keeps one of equal cells keeps the cell with the
 * value. The restore of a full backup does so.
 */
public final class ValueReferenceTag {

  /** The size of both tags. */
  public static final int BYTES = 38;

  /** The largest number of value files that the shadows of one key file may name. */
  public static final int FILES_MAX = 1 << 16;

  /** The sequence id of every shadow in a file. HBase gives written cells larger ones, or 0. */
  public static final long OWN_SEQUENCE_ID = 1;

  /**
   * The largest size of all tags of a cell. HBase's reader of HFiles takes their length as a signed
   * number of two bytes, although {@link ExtendedCell#MAX_TAGS_LENGTH} is larger.
   */
  private static final int TAGS_MAX = Short.MAX_VALUE;

  /** Stands for an offset that is unknown or does not fit into the tag. */
  public static final long UNKNOWN_OFFSET = (1L << 40) - 1;

  private static final byte TYPE = 82;
  private static final byte VERSION = 3;
  private static final short TTL_LENGTH = 9;
  private static final short LENGTH = 25;

  /** The first eight bytes, and the eight bytes from offset 7 on, which every shadow has. */
  private static final long BEGIN =
      ((long) TTL_LENGTH << 48) | ((long) TagType.TTL_TAG_TYPE << 40) | (Long.MIN_VALUE >>> 24);

  private static final long MIDDLE = ((long) LENGTH << 16) | (TYPE << 8) | VERSION;

  private ValueReferenceTag() {}

  /**
   * The location of a shadow's value.
   *
   * @param file the index in the key file's list of value files
   * @param valueLength the length of the value in bytes
   * @param sequenceId the sequence id of the cell with the value
   * @param offset the offset of this cell in the file that the shadow names, or
   *     {@link #UNKNOWN_OFFSET}
   * @param checksum the CRC32C of the value; 0 if the offset is unknown
   */
  public record Pointer(int file, int valueLength, long sequenceId, long offset, int checksum) {

    /** Whether the shadow names the offset of its cell. */
    public boolean hasOffset() {
      return offset != UNKNOWN_OFFSET;
    }
  }

  /**
   * Whether a cell may become a shadow. The first tag expires a cell only if the timestamp is not
   * negative, and both tags need room beside the cell's own.
   */
  public static boolean fits(Cell any) {
    return any instanceof ExtendedCell cell
        && cell.getTypeByte() == KeyValue.Type.Put.getCode()
        && cell.getTimestamp() >= 0
        && cell.getTagsLength() + BYTES <= TAGS_MAX;
  }

  /** Creates the shadow of a cell in an array, without reading the cell's value. */
  public static Cell shadowOf(Cell any, Pointer pointer) {
    ExtendedCell cell = (ExtendedCell) any;
    int keyLength = PrivateCellUtil.estimatedSerializedSizeOfKey(cell);
    int tagsLength = BYTES + cell.getTagsLength();
    ByteBuffer bytes = ByteBuffer.allocate(
        KeyValue.KEYVALUE_WITH_TAGS_INFRASTRUCTURE_SIZE + keyLength + tagsLength);
    bytes.putInt(keyLength).putInt(0);
    bytes.position(KeyValueUtil.appendKeyTo(cell, bytes.array(), bytes.position()));
    bytes.putShort((short) tagsLength);
    bytes.putShort(TTL_LENGTH).put(TagType.TTL_TAG_TYPE).putLong(Long.MIN_VALUE);
    bytes.putShort(LENGTH).put(TYPE).put(VERSION);
    bytes.putShort((short) pointer.file()).putInt(pointer.valueLength());
    bytes.putLong(pointer.sequenceId());
    bytes.put((byte) (pointer.offset() >>> 32)).putInt((int) pointer.offset());
    bytes.putInt(pointer.checksum());
    PrivateCellUtil.copyTagsTo(cell, bytes.array(), bytes.position());
    KeyValue shadow = new KeyValue(bytes.array(), 0, bytes.capacity());
    shadow.setSequenceId(OWN_SEQUENCE_ID);
    return shadow;
  }

  /** Returns the location of a shadow's value; null if the cell is not a shadow. */
  public static @Nullable Pointer of(Cell any) {
    if (!(any instanceof ExtendedCell cell)
        || cell.getTagsLength() < BYTES
        || cell.getValueLength() != 0) {
      return null;
    }
    byte[] tags;
    int at;
    if (cell instanceof ByteBufferExtendedCell buffered) {
      tags = new byte[BYTES];
      at = 0;
      buffered.getTagsByteBuffer().get(buffered.getTagsPosition(), tags);
    } else {
      tags = cell.getTagsArray();
      at = cell.getTagsOffset();
    }
    return isShadow(tags, at)
        ? new Pointer(
            Bytes.toShort(tags, at + 15) & 0xffff,
            Bytes.toInt(tags, at + 17),
            Bytes.toLong(tags, at + 21),
            ((tags[at + 29] & 0xffL) << 32) | (Bytes.toInt(tags, at + 30) & 0xffffffffL),
            Bytes.toInt(tags, at + 34))
        : null;
  }

  private static boolean isShadow(byte[] tags, int at) {
    return Bytes.toLong(tags, at) == BEGIN && Bytes.toLong(tags, at + 7) == MIDDLE;
  }
}
