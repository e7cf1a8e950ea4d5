// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of the header of a part; see {@link RecordLayout}.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Record".
 */
final class PartHeaderLayout {

  private static final int COUNT_OFFSET = 8;
  private static final int STORES_OFFSET = 10;

  private PartHeaderLayout() {}

  /** Encoded length. */
  static int length(PartHeader header) {
    return STORES_OFFSET + Short.BYTES * header.stores().size();
  }

  /** Writes a header, little-endian. */
  static void encode(PartHeader header, ByteBuffer to, int offset) {
    to.putLong(offset, header.gsn());
    to.putShort(offset + COUNT_OFFSET, (short) header.stores().size());
    for (int i = 0; i < header.stores().size(); i++) {
      int store = header.stores().get(i);
      to.putShort(offset + STORES_OFFSET + Short.BYTES * i, (short) store);
    }
  }

  /**
   * Returns whether the bytes encode a header of the given length, which must lie within the
   * buffer.
   */
  static boolean isSound(ByteBuffer from, int offset, int length) {
    if (length < STORES_OFFSET) {
      return false;
    }
    int count = Short.toUnsignedInt(from.getShort(offset + COUNT_OFFSET));
    return length == STORES_OFFSET + Short.BYTES * count
        && PartHeader.isPossible(from.getLong(offset), stores(from, offset));
  }

  /** Decodes a sound header. */
  static PartHeader decode(ByteBuffer from, int offset) {
    return new PartHeader(from.getLong(offset), stores(from, offset));
  }

  private static List<Integer> stores(ByteBuffer from, int offset) {
    int count = Short.toUnsignedInt(from.getShort(offset + COUNT_OFFSET));
    List<Integer> stores = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      stores.add(Short.toUnsignedInt(from.getShort(offset + STORES_OFFSET + Short.BYTES * i)));
    }
    return stores;
  }
}
