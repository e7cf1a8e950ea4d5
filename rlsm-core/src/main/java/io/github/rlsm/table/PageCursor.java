// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.EntryCursor;
import java.nio.ByteBuffer;

/**
 * A cursor over entries of pages. Subclasses decide which entries it visits.
 *
 * <p>Threads: one thread at a time.
 */
abstract sealed class PageCursor implements EntryCursor permits TableCursor, PointerCursor {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  final Pages pages;
  final Fences fences;
  private final ReadAhead readAhead;

  // The page that was entered last.
  ByteBuffer buffer = NOTHING;
  int start;

  // The entry at the cursor's position.
  private int entry;
  private long head;
  private int keyOffset;
  private int keyLength;

  PageCursor(Pages pages, Fences fences, ReadAhead readAhead) {
    this.pages = pages;
    this.fences = fences;
    this.readAhead = readAhead;
  }

  final void turnTo(int page) {
    readAhead.entering(page);
    buffer = pages.page(page);
    start = pages.start(buffer, page);
  }

  /** Checks that the key and the value of an entry lie in the page. */
  final void checkInside(int page, int offset, long first) {
    int keyEnd = offset + PageLayout.keyStart(first) + PageLayout.keyLength(first);
    int length = PageLayout.valueLength(first);
    if (length < 0 || length > buffer.limit() - keyEnd) {
      throw pages.damage(page, null);
    }
  }

  /** Moves the cursor to an entry with a given head. */
  final void stand(int newEntry, long newHead) {
    entry = newEntry;
    head = newHead;
    keyOffset = newEntry + PageLayout.keyStart(newHead);
    keyLength = PageLayout.keyLength(newHead);
  }

  @Override
  public final ByteBuffer keyBuffer() {
    return buffer;
  }

  @Override
  public final int keyOffset() {
    return keyOffset;
  }

  @Override
  public final int keyLength() {
    return keyLength;
  }

  @Override
  public final int kind() {
    return PageLayout.kind(head);
  }

  @Override
  public final long seqno() {
    return PageLayout.seqno(buffer, start, entry);
  }

  @Override
  public final ByteBuffer valueBuffer() {
    return buffer;
  }

  @Override
  public final int valueOffset() {
    return keyOffset + keyLength;
  }

  @Override
  public final int valueLength() {
    return PageLayout.valueLength(head);
  }
}
