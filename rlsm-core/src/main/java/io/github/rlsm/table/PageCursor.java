// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.CursorEntry;
import io.github.rlsm.base.EntryCursor;
import io.github.rlsm.base.KeyRange;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
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

  private final CursorEntry entry = new CursorEntry();

  PageCursor(Pages pages, Fences fences, ReadAhead readAhead) {
    this.pages = pages;
    this.fences = fences;
    this.readAhead = readAhead;
  }

  /**
   * Requests a page and those that the caller wants after it, if pages are expected on the device.
   * Returns whether they are.
   */
  final boolean requestAtOnce(int page) {
    return readAhead.approaching(page);
  }

  final void turnTo(int page) {
    readAhead.entering(page);
    buffer = pages.page(page);
    start = pages.start(buffer, page);
  }

  /** Checks that an entry lies behind the header of the page, and its key and value in the page. */
  final void checkInside(int page, int offset, long first) {
    int keyEnd = offset + PageLayout.keyStart(first) + PageLayout.keyLength(first);
    int length = PageLayout.valueLength(first);
    boolean isBehindHeader = offset >= start + PageLayout.HEADER_BYTES;
    if (!isBehindHeader || length < 0 || length > buffer.limit() - keyEnd) {
      throw pages.damage(page, null);
    }
  }

  /** Moves the cursor to the entry at an offset of the buffer, with a given head and prefix. */
  final void stand(int offset, long head, long prefix) {
    entry.setKey(buffer, offset + PageLayout.keyStart(head), PageLayout.keyLength(head), prefix);
    entry.setValue(
        PageLayout.kind(head),
        PageLayout.seqno(buffer, start, offset),
        PageLayout.valueLength(head));
  }

  @Override
  public final CursorEntry entry() {
    return entry;
  }

  /**
   * The pages that the caller of a cursor wants.
   *
   * @param all the number of pages that hold as many entries as it wants; at most the number of all
   *     pages counts
   * @param atOnce the number of pages to request before it waits for one of them; 0 if pages are
   *     expected in memory
   */
  record PagesWanted(long all, int atOnce) {

    /** All pages of the range. */
    static final PagesWanted WHOLE = new PagesWanted(Long.MAX_VALUE, 0);
  }

  /**
   * Makes the kernel read pages ahead of a cursor, in the background. Tables are mapped for random
   * access, so without read-ahead a cursor over cold data would wait for each page in turn. Starts
   * with a small window, and doubles it. If pages are expected on the device, requests the wanted
   * ones at once, up to the first window. Reads nothing that lies beyond the range of the cursor,
   * or beyond the limit of a scan until the scan gets there. A partition's part of a shared table
   * is often shorter than the largest window.
   *
   * <p>Threads: one thread at a time.
   */
  static final class ReadAhead {

    private static final int NOWHERE = -2;

    private static final int UNKNOWN = -1;

    /**
     * Pages that a scan enters in sequence before read-ahead begins, so that a short scan causes
     * none.
     */
    private static final int SCAN_PATIENCE = 2;

    private static final int SCAN_WINDOW_BYTES = 64 << 10;

    /** The first window of a cursor that visits its whole range. */
    private static final int WHOLE_WINDOW_BYTES = 256 << 10;

    private static final int WINDOW_BYTES_MAX = 1 << 20;

    private final MappedFile file;
    private final Fences fences;
    private final KeyRange range;
    private final int step;
    private final int patience;
    private final int firstWindowBytes;

    /** The number of pages that hold as many entries as the scan wants. */
    private final int pagesWanted;

    private final int atOnce;

    private int lastPage = NOWHERE;

    /** The first page of those that were requested at once. */
    private int requested = NOWHERE;

    /** The page where the sequence of pages began. */
    private int firstPage;

    private int inSequence;
    private int windowBytes;

    /** The end of the part read ahead: its upper end if ascending, its lower end if descending. */
    private int horizon;

    /** The offset where the pages of the range end, in the cursor's direction. */
    private int rangeEnd = UNKNOWN;

    /**
     * Reads ahead of one scan.
     *
     * @param range the keys that the scan visits
     * @param wanted the pages that the scan wants
     */
    ReadAhead(
        MappedFile file, Fences fences, KeyRange range, boolean descending, PagesWanted wanted) {
      this(file, fences, range, descending, wanted, false);
    }

    /** Reads ahead of an ascending cursor that visits its whole range, from the first page on. */
    ReadAhead(MappedFile file, Fences fences, KeyRange range) {
      this(file, fences, range, false, PagesWanted.WHOLE, true);
    }

    private ReadAhead(
        MappedFile file,
        Fences fences,
        KeyRange range,
        boolean descending,
        PagesWanted wanted,
        boolean isWhole) {
      this.file = file;
      this.fences = fences;
      this.range = range;
      this.step = descending ? -1 : 1;
      this.patience = isWhole ? 0 : SCAN_PATIENCE;
      this.firstWindowBytes = isWhole ? WHOLE_WINDOW_BYTES : SCAN_WINDOW_BYTES;
      this.pagesWanted = (int) Math.min(wanted.all, fences.pageCount());
      this.atOnce = Math.min(wanted.atOnce, fences.pageCount());
    }

    /**
     * Called before the scan seeks a key in a page. If pages are expected on the device, requests
     * it and the next ones. Returns whether they are expected there.
     */
    boolean approaching(int page) {
      if (atOnce == 0) {
        return false;
      }
      requested = page;
      firstPage = page;
      windowBytes = firstWindowBytes;
      horizon = fences.offset(step > 0 ? page : page + 1);
      int room = (offsetWithinRange(page + step * atOnce) - horizon) * step;
      if (room > 0) {
        requestWindow(room);
      }
      return true;
    }

    /** Requests the pages behind the horizon, up to the size of the window. */
    private void requestWindow(int room) {
      int bytes = Math.min(windowBytes, room);
      file.advise(Advice.WILL_NEED, step > 0 ? horizon : horizon - bytes, bytes);
      horizon += step * bytes;
    }

    /** Whether the pages from here on were requested at once. */
    private boolean isRequested(int page) {
      return requested != NOWHERE && (page == requested || page == requested + step);
    }

    /** Called before the scan reads a page. */
    void entering(int page) {
      if (page == lastPage + step && lastPage != NOWHERE) {
        inSequence++;
      } else {
        inSequence = 0;
        firstPage = page;
        if (!isRequested(page)) {
          approaching(page);
        }
      }
      lastPage = page;
      if (inSequence >= patience) {
        readOn(page);
      }
    }

    private void readOn(int page) {
      int position = fences.offset(step > 0 ? page + 1 : page);
      if (inSequence == patience && requested == NOWHERE) {
        windowBytes = firstWindowBytes;
        horizon = patience == 0 ? fences.offset(page) : position;
      } else if ((horizon - position) * step < 0) {
        horizon = position; // the scan has passed the pages that it wanted
      }
      int left = (horizon - position) * step;
      int room = (end(page) - horizon) * step;
      if (left > windowBytes / 2 || room <= 0) {
        return;
      }
      requestWindow(room);
      windowBytes = Math.min(2 * windowBytes, WINDOW_BYTES_MAX);
    }

    /**
     * Where read-ahead ends. The first wanted entry may be at the end of its page, and old versions
     * do not count, so a scan may pass the pages that it wants. Only a scan that continues beyond
     * them is read ahead as one without a limit, up to the end of its range.
     */
    private int end(int page) {
      int end = firstPage + step * pagesWanted;
      if ((page - end) * step >= SCAN_PATIENCE) {
        end = step > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE;
      }
      return offsetWithinRange(end);
    }

    /** The offset where the pages before a page end, in the cursor's direction and its range. */
    private int offsetWithinRange(int page) {
      int before = step > 0 ? page : page + 1; // the page whose start is this offset
      int wanted = fences.offset(Math.max(0, Math.min(before, fences.pageCount())));
      return step > 0 ? Math.min(wanted, rangeEnd()) : Math.max(wanted, rangeEnd());
    }

    /** Searches for the end of the range when it is first needed: most scans are short. */
    private int rangeEnd() {
      if (rangeEnd == UNKNOWN) {
        rangeEnd = fences.offset(step > 0 ? fences.lastPage(range) + 1 : fences.firstPage(range));
      }
      return rangeEnd;
    }
  }
}
