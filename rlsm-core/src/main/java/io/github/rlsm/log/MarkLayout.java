// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.PartMark;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of a batch's mark; see {@link RecordLayout}.
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Record".
 */
final class MarkLayout {

  private static final int COUNT_OFFSET = 8;
  private static final int STORES_OFFSET = 10;

  private MarkLayout() {}

  /** Encoded length. */
  static int length(PartMark mark) {
    return STORES_OFFSET + Short.BYTES * mark.stores().size();
  }

  /** Writes a mark, little-endian. */
  static void encode(PartMark mark, ByteBuffer to, int offset) {
    to.putLong(offset, mark.gsn());
    to.putShort(offset + COUNT_OFFSET, (short) mark.stores().size());
    for (int i = 0; i < mark.stores().size(); i++) {
      int store = mark.stores().get(i);
      to.putShort(offset + STORES_OFFSET + Short.BYTES * i, (short) store);
    }
  }

  /**
   * Returns whether the bytes encode a mark of the given length, which must lie within the buffer.
   */
  static boolean isSound(ByteBuffer from, int offset, int length) {
    if (length < STORES_OFFSET) {
      return false;
    }
    int count = Short.toUnsignedInt(from.getShort(offset + COUNT_OFFSET));
    return length == STORES_OFFSET + Short.BYTES * count
        && PartMark.isPossible(from.getLong(offset), stores(from, offset));
  }

  /** Decodes a sound mark. */
  static PartMark decode(ByteBuffer from, int offset) {
    return new PartMark(from.getLong(offset), stores(from, offset));
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
