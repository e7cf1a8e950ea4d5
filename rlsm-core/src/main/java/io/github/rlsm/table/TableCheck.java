// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CheckListener;
import io.github.rlsm.base.EntryKind;
import io.github.rlsm.base.KeyBounds;
import io.github.rlsm.base.KeyHash;
import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.KvException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The deep check of a table. Reads every page and compares fences, filter and properties with the
 * entries. So it also detects a table that was written with wrong content, which checksums cannot.
 * After damage, continues with the next page. Makes the kernel read ahead.
 *
 * <p>Threads: one thread, once.
 */
final class TableCheck {

  private static final int AHEAD_BYTES = 2 << 20;

  private final MappedFile file;
  private final CheckListener listener;
  private final Fences fences;
  private final BloomFilter filter;
  private final Pages pages;
  private final TableProperties properties;
  private final TableProperties.Counter counter = new TableProperties.Counter();

  private byte[] previousKey = {};
  private byte[] firstKey = {};
  private int askedEnd;
  private boolean isSound = true;

  TableCheck(
      MappedFile file,
      Fences fences,
      BloomFilter filter,
      Pages pages,
      TableProperties properties,
      CheckListener listener) {
    this.file = file;
    this.listener = listener;
    this.fences = fences;
    this.filter = filter;
    this.pages = pages;
    this.properties = properties;
  }

  void run() {
    for (int page = 0; page < fences.pageCount(); page++) {
      int offset = fences.offset(page);
      askAhead(offset);
      try {
        check(page);
      } catch (KvException e) {
        isSound = false;
        listener.damage(file.name(), offset, keys(page), e);
      }
      listener.read(fences.offset(page + 1) - offset);
    }
    if (isSound) {
      checkProperties();
    }
  }

  private void askAhead(int offset) {
    int end = Math.min(offset + AHEAD_BYTES, fences.offset(fences.pageCount()));
    if (offset + AHEAD_BYTES / 2 >= askedEnd && end > askedEnd) {
      file.advise(Advice.WILL_NEED, askedEnd, end - askedEnd);
      askedEnd = end;
    }
  }

  private void check(int page) {
    MappedFaults.using(file.name(), () -> {
      ByteBuffer buffer = pages.freshPage(page);
      int start = pages.start(buffer, page);
      checkFence(page, buffer, start);
      checkKeyOrder(page, buffer, start);
      checkHashOrder(page, buffer, start);
      return page;
    });
  }

  /** All keys that the page may hold; all possible keys if the fences are damaged too. */
  private KeyRange keys(int page) {
    boolean isLast = page + 1 == fences.pageCount();
    try {
      return KeyRange.of(fences.separator(page), isLast ? null : fences.separator(page + 1));
    } catch (IndexOutOfBoundsException e) {
      return KeyRange.ALL;
    }
  }

  private void checkProperties() {
    TableProperties found = counter.properties(new KeyBounds(firstKey, previousKey));
    if (!found.equals(properties)) {
      int offset = fences.offset(0);
      CorruptionException cause = new CorruptionException(
          file.name(),
          offset,
          "the properties are " + properties + ", but the entries give " + found);
      listener.damage(file.name(), offset, KeyRange.ALL, cause);
    }
  }

  /**
   * Checks a page's separator: greater than all keys of the page before, not greater than the
   * page's first key, and with the right prefix.
   */
  private void checkFence(int page, ByteBuffer buffer, int start) {
    byte[] separator = fences.separator(page);
    int shared = fences.sharedLength();
    require(
        fences.prefix(page) == KeyOrder.prefix(separator, shared, separator.length - shared),
        page,
        "the fence's prefix does not match its separator");
    int first = PageLayout.entryAtRank(buffer, start, PageLayout.count(buffer, start), 0);
    require(
        PageLayout.compareKey(buffer, first, separator, 0, separator.length) >= 0,
        page,
        "the first key is less than the separator");
    if (page > 0) {
      require(
          Arrays.compareUnsigned(previousKey, separator) < 0,
          page,
          "the separator is not greater than the last key of the page before");
    } else {
      require(separator.length == shared, page, "the first separator is not the shared prefix");
    }
  }

  private void checkKeyOrder(int page, ByteBuffer buffer, int start) {
    int count = PageLayout.count(buffer, start);
    BitSet inHashOrder = new BitSet();
    for (int slot = 0; slot < count; slot++) {
      inHashOrder.set(PageLayout.entryAtSlot(buffer, start, slot) - start);
    }
    for (int rank = 0; rank < count; rank++) {
      int entry = PageLayout.entryAtRank(buffer, start, count, rank);
      require(inHashOrder.get(entry - start), page, "the entry of rank " + rank + " is in no slot");
      byte[] key = key(buffer, entry);
      require(
          Arrays.compareUnsigned(previousKey, key) < 0,
          page,
          "the key of rank " + rank + " is not greater than the key before it");
      if (page == 0 && rank == 0) {
        firstKey = key;
      }
      previousKey = key;
      countEntry(buffer, start, entry);
    }
  }

  private void countEntry(ByteBuffer buffer, int start, int entry) {
    long head = PageLayout.head(buffer, entry);
    int kind = PageLayout.kind(head);
    int keyLength = PageLayout.keyLength(head);
    counter.count(
        kind, PageLayout.seqno(buffer, start, entry), keyLength, PageLayout.valueLength(head));
    if (kind == EntryKind.POINTER) {
      int value = entry + PageLayout.keyStart(head) + keyLength;
      counter.countPointer(buffer, value);
    }
  }

  private void checkHashOrder(int page, ByteBuffer buffer, int start) {
    int count = PageLayout.count(buffer, start);
    long previous = 0;
    for (int slot = 0; slot < count; slot++) {
      int entry = PageLayout.entryAtSlot(buffer, start, slot);
      byte[] key = key(buffer, entry);
      long hash = KeyHash.hash(key, 0, key.length);
      require(
          Long.compareUnsigned(previous, hash) <= 0,
          page,
          "entry " + slot + " is not in hash order");
      require(
          PageLayout.slot(buffer, start, slot) == PageLayout.slot(hash, entry - start),
          page,
          "the fingerprint of entry " + slot + " is wrong");
      require(filter.mightContain(hash), page, "the filter excludes entry " + slot);
      previous = hash;
    }
  }

  private void require(boolean condition, int page, String problem) {
    if (!condition) {
      throw new CorruptionException(
          file.name(), fences.offset(page), "page " + page + ": " + problem);
    }
  }

  private static byte[] key(ByteBuffer buffer, int entry) {
    long head = PageLayout.head(buffer, entry);
    byte[] key = new byte[PageLayout.keyLength(head)];
    buffer.get(entry + PageLayout.keyStart(head), key);
    return key;
  }
}
