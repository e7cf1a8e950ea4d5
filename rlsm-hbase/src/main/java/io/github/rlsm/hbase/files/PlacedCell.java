// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.files;

import io.github.rlsm.hbase.values.ValueReferenceTag;
import io.github.rlsm.hbase.values.ValueReferenceTag.Pointer;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.CellComparatorImpl;
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
        && context.getEncryptionContext().getCipher() == null;
  }

  /**
   * Reads a cell without tags.
   *
   * @return null if the cell has tags, or is not at the offset
   */
  static @Nullable KeyValue read(ReadAhead file, ExtendedCell shadow, Pointer pointer)
      throws IOException {
    int keyLength = KeyValueUtil.keyLength(shadow);
    int length = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyLength + pointer.valueLength();
    boolean hasTags = shadow.getTagsLength() > ValueReferenceTag.BYTES;
    if (hasTags
        || pointer.valueLength() < 0
        || length < 0
        || !file.load(pointer.offset(), length)) {
      return null;
    }
    byte[] bytes = file.window();
    int at = file.indexOf(pointer.offset());
    if (Bytes.toInt(bytes, at) != keyLength
        || Bytes.toInt(bytes, at + Integer.BYTES) != pointer.valueLength()) {
      return null;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, at + length - pointer.valueLength(), pointer.valueLength());
    if ((int) crc.getValue() != pointer.checksum()) {
      return null;
    }
    KeyValue cell = new KeyValue(bytes, at, length);
    if (PrivateCellUtil.compareKeyIgnoresMvcc(CellComparatorImpl.COMPARATOR, cell, shadow) != 0) {
      return null;
    }
    cell.setSequenceId(pointer.sequenceId());
    return cell;
  }
}
