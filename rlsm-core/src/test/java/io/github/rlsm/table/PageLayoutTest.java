// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.LittleEndian;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PageLayoutTest {

  @Test
  void entryHeadersOfEveryWidth() {
    byte[] bytes = new byte[20];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int[] valueLengths = {0, 1, 255, 256, 65_535, 65_536, 1 << 24, Integer.MAX_VALUE};
    for (int keyLength : new int[] {1, 2, 255, 256, 65_535}) {
      for (int valueLength : valueLengths) {
        for (int kind = EntryKind.PUT; kind <= EntryKind.POINTER; kind++) {
          LittleEndian.putLong(bytes, 5, PageLayout.head(kind, keyLength, valueLength));
          long head = PageLayout.head(buffer, 5);
          int valueWidth =
              valueLength == 0 ? 0 : valueLength < 256 ? 1 : valueLength < 65_536 ? 2 : 4;
          assertThat(PageLayout.kind(head)).isEqualTo(kind);
          assertThat(PageLayout.keyLength(head)).isEqualTo(keyLength);
          assertThat(PageLayout.valueLength(head)).isEqualTo(valueLength);
          assertThat(PageLayout.keyStart(head))
              .isEqualTo(1 + (keyLength < 256 ? 1 : 2) + valueWidth);
          assertThat(PageLayout.isKnownTag(head)).isTrue();
        }
      }
    }
  }

  @Test
  void seqnoWidths() {
    assertThat(PageLayout.seqnoBytes(0)).isZero();
    assertThat(PageLayout.seqnoBytes(1)).isEqualTo(1);
    assertThat(PageLayout.seqnoBytes(255)).isEqualTo(1);
    assertThat(PageLayout.seqnoBytes(256)).isEqualTo(2);
    assertThat(PageLayout.seqnoBytes((1L << 56) - 1)).isEqualTo(7);
    assertThat(PageLayout.seqnoBytes(1L << 56)).isEqualTo(8);
    assertThat(PageLayout.seqnoBytes(Long.MAX_VALUE)).isEqualTo(8);
  }

  @Test
  void placesDiffer() {
    Set<Integer> places = new HashSet<>();
    for (long file = 1; file <= 100; file++) {
      for (int unit = 0; unit < 100; unit++) {
        places.add(PageLayout.place(file, unit));
      }
    }
    assertThat(places).hasSize(10_000);
    assertThat(PageLayout.place(42, 7)).isEqualTo(0x35BC_AF84);
  }

  /**
   * Compares the slots with the order of the hashes, also for negative and equal hashes, and the
   * entries with the order of the keys.
   */
  @Test
  void ordersOfAFullPage() {
    SeededCases.run(20, random -> {
      int count = 1 + random.nextInt(3000);
      PageBuilder builder = new PageBuilder(512);
      byte[] key = new byte[4];
      ByteBuffer nothing = ByteBuffer.allocate(0);
      long head = PageLayout.head(EntryKind.DELETE, key.length, 0);
      long spread = random.nextBoolean() ? -1L : 0xFF00_0000_0000_0003L;
      for (int i = 0; i < count; i++) {
        ByteBuffer.wrap(key).putInt(i);
        builder.add(key, random.nextLong() & spread, head, i, nothing, 0);
      }
      ByteBuffer page = ByteBuffer.wrap(builder.build(builder.length()));
      assertThat(Pages.PageVerifier.checkContent(page, 0)).isNull();
      int previous = -1;
      for (int slot = 0; slot < count; slot++) {
        int fingerprint = PageLayout.slot(page, 0, slot) >>> 16;
        assertThat(fingerprint).isGreaterThanOrEqualTo(previous);
        previous = fingerprint;
      }
      for (int rank = 0; rank < count; rank++) {
        int entry = PageLayout.entryAtRank(page, 0, count, rank);
        int keyAt = entry + PageLayout.keyStart(PageLayout.head(page, entry));
        assertThat(page.getInt(keyAt)).isEqualTo(rank);
        assertThat(PageLayout.seqno(page, 0, entry)).isEqualTo(rank);
      }
    });
  }

  @Test
  void aSlotLeadsToAnEntryOfTheKeyOrder() {
    byte[] bytes = pageOfTombstones(5);
    ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int slot = PageLayout.HEADER_BYTES + 2 * PageLayout.SLOT_BYTES;
    for (int wrong : new int[] {0, PageLayout.entries(5) - 1, 0xFFFF}) {
      int right = page.getShort(slot);
      page.putShort(slot, (short) wrong);
      assertThat(Pages.PageVerifier.checkContent(page, 0)).isEqualTo("slot 2 points to no entry");
      page.putShort(slot, (short) (right + 1));
      assertThat(Pages.PageVerifier.checkContent(page, 0)).isEqualTo("slot 2 points to no entry");
      page.putShort(slot, (short) right);
      assertThat(Pages.PageVerifier.checkContent(page, 0)).isNull();
    }
  }

  @Test
  void theKeyOrderFollowsTheEntries() {
    byte[] bytes = pageOfTombstones(5);
    ByteBuffer page = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int second = PageLayout.order(5) + Short.BYTES;
    short offset = page.getShort(second);
    page.putShort(second, page.getShort(second + Short.BYTES));
    page.putShort(second + Short.BYTES, offset);
    assertThat(Pages.PageVerifier.checkContent(page, 0)).startsWith("entry 1 begins at ");
  }

  private static byte[] pageOfTombstones(int count) {
    PageBuilder builder = new PageBuilder(512);
    byte[] key = new byte[4];
    long head = PageLayout.head(EntryKind.DELETE, key.length, 0);
    for (int i = 0; i < count; i++) {
      ByteBuffer.wrap(key).putInt(i);
      builder.add(key, (count - i) * 0x1234_5678_9ABC_DEF0L, head, i, ByteBuffer.allocate(0), 0);
    }
    return builder.build(builder.length());
  }
}
