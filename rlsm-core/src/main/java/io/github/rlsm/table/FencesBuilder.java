// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.table;

import io.github.rlsm.base.KeyOrder;
import io.github.rlsm.base.LittleEndian;
import java.util.Arrays;

/**
 * Collects the fences of a table while its pages are written.
 *
 * <p>Threads: one thread at a time.
 */
final class FencesBuilder {

  private int pageCount;
  private int[] units = new int[64];
  private int[] entriesBefore = new int[64];
  private int[] separatorStarts = new int[64];
  private byte[] separators = new byte[1024];
  private int separatorBytes;

  int pageCount() {
    return pageCount;
  }

  /**
   * Adds a page.
   *
   * @param unit start of the page in units
   * @param entries number of entries in the pages before it
   * @param separator array that begins with the separator between this page and the page before;
   *     ignored for the first page
   */
  void add(int unit, int entries, byte[] separator, int separatorLength) {
    if (pageCount == units.length) {
      int room = 2 * pageCount;
      units = Arrays.copyOf(units, room);
      entriesBefore = Arrays.copyOf(entriesBefore, room);
      separatorStarts = Arrays.copyOf(separatorStarts, room);
    }
    units[pageCount] = unit;
    entriesBefore[pageCount] = entries;
    separatorStarts[pageCount] = separatorBytes;
    if (pageCount > 0) {
      int end = Math.addExact(separatorBytes, separatorLength);
      if (end > separators.length) {
        separators = Arrays.copyOf(separators, Math.max(end, (int) Math.min(2L * end, 1 << 30)));
      }
      System.arraycopy(separator, 0, separators, separatorBytes, separatorLength);
      separatorBytes = end;
    }
    pageCount++;
  }

  /** The approximate length of the block with the present pages. */
  long bytesSoFar() {
    return FencesLayout.separators(pageCount) + (long) separatorBytes + FencesLayout.ALIGNMENT;
  }

  /**
   * Builds the block.
   *
   * @param endUnit end of the pages in units
   * @param entries number of entries in all pages
   * @param shared array that begins with the shared prefix of all keys
   */
  byte[] block(int endUnit, int entries, byte[] shared, int sharedLength) {
    int n = pageCount;
    byte[] block = new byte[FencesLayout.length(n, sharedLength + separatorBytes)];
    int bytes = FencesLayout.separators(n);
    System.arraycopy(shared, 0, block, bytes, sharedLength);
    System.arraycopy(separators, 0, block, bytes + sharedLength, separatorBytes);
    for (int i = 0; i < n; i++) {
      int start = i == 0 ? 0 : sharedLength + separatorStarts[i];
      int end = i + 1 == n ? sharedLength + separatorBytes : sharedLength + separatorStarts[i + 1];
      int length = end - start - sharedLength;
      long prefix = KeyOrder.prefix(block, bytes + start + sharedLength, length);
      LittleEndian.putLong(block, FencesLayout.PREFIX_BYTES * i, prefix);
      LittleEndian.putInt(block, FencesLayout.units(n) + FencesLayout.NUMBER_BYTES * i, units[i]);
      LittleEndian.putInt(
          block, FencesLayout.entriesBefore(n) + FencesLayout.NUMBER_BYTES * i, entriesBefore[i]);
      LittleEndian.putInt(
          block, FencesLayout.separatorStarts(n) + FencesLayout.NUMBER_BYTES * i, start);
    }
    LittleEndian.putInt(block, FencesLayout.units(n) + FencesLayout.NUMBER_BYTES * n, endUnit);
    LittleEndian.putInt(
        block, FencesLayout.entriesBefore(n) + FencesLayout.NUMBER_BYTES * n, entries);
    LittleEndian.putInt(
        block,
        FencesLayout.separatorStarts(n) + FencesLayout.NUMBER_BYTES * n,
        sharedLength + separatorBytes);
    return block;
  }
}
