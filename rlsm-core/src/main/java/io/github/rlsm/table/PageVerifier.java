// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.LittleEndian;
import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.MappedChecksum;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checks a page before any other code trusts its content: that its bytes are those written for this
 * place, and that all its lengths and offsets stay inside it. A page that passes needs no further
 * checks. {@link TableCheck} checks the order of hashes and keys.
 *
 * <p>Each method returns a description of the damage, or null.
 */
final class PageVerifier {

  private PageVerifier() {}

  /**
   * Checks a page in its stored form.
   *
   * @param storedBytes bytes of the page in the file, with padding
   * @param unitBytes size of the units that the page is padded to
   * @param place {@link PageLayout#place} of the page
   * @param count the expected number of entries
   */
  static @Nullable String checkStored(
      ByteBuffer memory, int page, int storedBytes, int unitBytes, int place, int count) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, memory, page + PageLayout.COUNT, storedBytes - PageLayout.COUNT);
    int checksum = LittleEndian.getInt(memory, page + PageLayout.CHECKSUM) ^ place;
    if (checksum != (int) crc.getValue()) {
      return "the page's checksum is wrong";
    }
    int storedLength = LittleEndian.getMappedInt(memory, page + PageLayout.STORED_LENGTH);
    if (storedLength > storedBytes
        || storedLength <= storedBytes - unitBytes
        || storedLength <= PageLayout.HEADER_BYTES) {
      return "the page has " + storedLength + " bytes, which do not fit its " + storedBytes
          + " in the file";
    }
    if (PageLayout.count(memory, page) != count) {
      return "the page has " + PageLayout.count(memory, page) + " entries, expected " + count;
    }
    int rawLength = LittleEndian.getMappedInt(memory, page + PageLayout.RAW_LENGTH);
    int compression = memory.get(page + PageLayout.COMPRESSION);
    if (compression == PageCompression.NONE.code()
        ? rawLength != storedLength
        : rawLength <= storedLength) {
      return "the page has " + rawLength + " bytes, but " + storedLength + " stored";
    }
    return null;
  }

  /** Checks the content of an uncompressed or decompressed page. */
  static @Nullable String checkContent(ByteBuffer buffer, int page) {
    int count = PageLayout.count(buffer, page);
    int length = LittleEndian.getMappedInt(buffer, page + PageLayout.RAW_LENGTH);
    int seqnoBytes = PageLayout.seqnoBytes(buffer, page);
    if (seqnoBytes > Long.BYTES || LittleEndian.getLong(buffer, page + PageLayout.BASE_SEQNO) < 0) {
      return "the page's seqnos are out of range";
    }
    if (count < 1 || length > buffer.limit() - page || PageLayout.entries(count) > length) {
      return "the page has " + length + " bytes for " + count + " entries";
    }
    long end = PageLayout.entries(count);
    for (int slot = 0; slot < count; slot++) {
      long offset = PageLayout.entryAtSlot(buffer, page, slot) - (long) page;
      if (offset != end + seqnoBytes || offset + PageLayout.ENTRY_HEADER_BYTES_MIN > length) {
        return "entry " + slot + " begins at " + offset + " in the page";
      }
      long head = PageLayout.head(buffer, page + (int) offset);
      end = offset + PageLayout.keyStart(head);
      end += PageLayout.keyLength(head);
      end += PageLayout.valueLength(head) & 0xFFFF_FFFFL;
      if (end > length || !isEntry(head)) {
        return "entry " + slot + " ends at " + end + " of " + length + " or has an unknown kind";
      }
      int inOrder = PageLayout.entryAtRank(buffer, page, count, slot) - page;
      if (inOrder < PageLayout.entries(count)
          || inOrder + PageLayout.ENTRY_HEADER_BYTES_MIN > length) {
        return "the key order points outside the page";
      }
    }
    return end == length ? null : "entries end at " + end + " of " + length;
  }

  private static boolean isEntry(long head) {
    int kind = PageLayout.kind(head);
    int valueLength = PageLayout.valueLength(head);
    return EntryKind.isKnown(kind)
        && PageLayout.isKnownTag(head)
        && PageLayout.keyLength(head) > 0
        && (kind != EntryKind.DELETE || valueLength == 0)
        && (kind != EntryKind.POINTER || valueLength == ValuePointer.BYTES);
  }
}
