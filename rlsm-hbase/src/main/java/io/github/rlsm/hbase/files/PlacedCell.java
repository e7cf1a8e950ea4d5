// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Reads single cells of a value file at their offsets, without the block around them.
 *
 * <p>HBase's checksum of the block is not verified. So the shadow holds a checksum of the value,
 * and the key must be the shadow's. If anything differs, the caller reads the block, and HBase
 * reports the error.
 */
final class PlacedCell {

  private PlacedCell() {}

  /** Whether a file holds cells as they are, so that they can be read at their offsets. */
  static boolean isIn(StoreFileReader reader) {
    HFileContext context = reader.getHFileReader().getFileContext();
    return context.getCompression() == Compression.Algorithm.NONE
        && reader.getHFileReader().getDataBlockEncoding() == DataBlockEncoding.NONE
        && context.getEncryptionContext().getCipher() == null
        && context.isIncludesMvcc();
  }

  /** The size of the cell of a shadow. */
  static int bytes(ExtendedCell shadow, Pointer pointer) {
    int key =
        shadow instanceof KeyValue stored ? stored.getKeyLength() : KeyValueUtil.keyLength(shadow);
    int tags = ownTags(shadow);
    return KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE
        + key
        + pointer.valueLength()
        + (tags > 0 ? KeyValue.TAGS_LENGTH_SIZE + tags : 0);
  }

  /** The size of the tags that a shadow has besides those of every shadow. */
  private static int ownTags(ExtendedCell shadow) {
    return shadow.getTagsLength() - ValueReferenceTag.BYTES;
  }

  /**
   * Reads a cell without tags.
   *
   * @return null if the cell has tags, or is not at the offset
   */
  static @Nullable KeyValue read(ReadAhead file, ExtendedCell shadow, Pointer pointer)
      throws IOException {
    int bytes = bytes(shadow, pointer);
    if (ownTags(shadow) > 0
        || pointer.valueLength() < 0
        || bytes < 0
        || !file.load(pointer.offset(), bytes)) {
      return null;
    }
    int at = file.indexOf(pointer.offset());
    return hasKey(file.window(), at, shadow) ? verified(file, at, bytes, pointer) : null;
  }

  /**
   * Whether a cell in an array has the key of a shadow. Compares bytes, since the lengths inside of
   * the cell may be damaged.
   *
   * @param at the index of the cell, of which the array has all bytes that its first number names
   */
  static boolean hasKey(byte[] bytes, int at, ExtendedCell shadow) {
    byte[] key;
    int from;
    int length;
    if (shadow instanceof KeyValue stored) {
      key = stored.getBuffer();
      from = stored.getKeyOffset();
      length = stored.getKeyLength();
    } else {
      key = PrivateCellUtil.getCellKeySerializedAsKeyValueKey(shadow);
      from = 0;
      length = key.length;
    }
    int stored = at + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
    return Bytes.toInt(bytes, at) == length
        && Arrays.equals(bytes, stored, stored + length, key, from, from + length);
  }

  /** Whether the tags that end at an index are those of a shadow's cell, or it has none. */
  static boolean hasTags(byte[] bytes, int end, ExtendedCell shadow) {
    int own = ownTags(shadow);
    int from = shadow.getTagsOffset() + ValueReferenceTag.BYTES;
    return own <= 0
        || Arrays.equals(bytes, end - own, end, shadow.getTagsArray(), from, from + own);
  }

  /**
   * Returns a cell in the window of a reader if the value has the length and the checksum of a
   * pointer; otherwise null. The checksum of a value in a cached block is not computed, because
   * HBase has verified the block.
   */
  static @Nullable KeyValue verified(ReadAhead file, int at, int length, Pointer pointer) {
    byte[] bytes = file.window();
    int value = at + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + Bytes.toInt(bytes, at);
    if (Bytes.toInt(bytes, at + Integer.BYTES) != pointer.valueLength()
        || (!file.isFromCache() && checksum(bytes, value, pointer) != pointer.checksum())) {
      return null;
    }
    KeyValue cell = of(bytes, at, length);
    if (cell != null) {
      cell.setSequenceId(pointer.sequenceId());
    }
    return cell;
  }

  private static int checksum(byte[] bytes, int value, Pointer pointer) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, value, pointer.valueLength());
    return (int) crc.getValue();
  }

  /** Returns a cell in an array; null if its parts are longer than it is. */
  static @Nullable KeyValue of(byte[] bytes, int at, int length) {
    try {
      return new KeyValue(bytes, at, length);
    } catch (IllegalArgumentException e) {
      return null; // HBase has checked the lengths
    }
  }
}
