// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A table whose bytes a test changes and whose checksums are then corrected, as only a faulty
 * writer would produce it. Offsets are from FORMAT.md.
 */
final class TableForgery {

  private static final int FOOTER_BYTES = 96;

  private final byte[] bytes;
  private final ByteBuffer buffer;
  private final int footer;

  /** The start of each page in bytes, and the end of the last page. */
  private final int[] pageStarts;

  /** The start of each block: fences, filter, properties, and the footer after them. */
  private final int[] blockStarts;

  private final int unitBytes;

  TableForgery(byte[] sound) {
    bytes = sound.clone();
    buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    footer = bytes.length - FOOTER_BYTES;
    int pageCount = buffer.getInt(footer + 8);
    unitBytes = buffer.getInt(footer + 12);
    int fences = (int) buffer.getLong(footer);
    int filter = fences + buffer.getInt(footer + 20);
    int properties = filter + buffer.getInt(footer + 28);
    blockStarts = new int[] {fences, filter, properties, footer};
    pageStarts = new int[pageCount + 1];
    for (int i = 0; i <= pageCount; i++) {
      pageStarts[i] = unitBytes * buffer.getInt(fences + 8 * pageCount + 4 * i);
    }
  }

  int pageCount() {
    return pageStarts.length - 1;
  }

  int pageStart(int page) {
    return pageStarts[page];
  }

  /** The start of fences, filter, properties and footer, for blocks 0 to 3. */
  int blockStart(int block) {
    return blockStarts[block];
  }

  int footerStart() {
    return footer;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** Corrects all checksums and returns the bytes. */
  byte[] sealed() {
    for (int page = 0; page < pageCount(); page++) {
      int start = pageStarts[page];
      int place = PageLayout.place(TestTables.FILE_NUMBER, start / unitBytes);
      buffer.putInt(start, crc(start + 4, pageStarts[page + 1]) ^ place);
    }
    for (int block = 0; block < 3; block++) {
      buffer.putInt(footer + 24 + 8 * block, crc(blockStarts[block], blockStarts[block + 1]));
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, footer, 60);
    crc.update(bytes, footer + 64, 32);
    buffer.putInt(footer + 60, (int) crc.getValue());
    return bytes;
  }

  private int crc(int start, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, start, end - start);
    return (int) crc.getValue();
  }
}
