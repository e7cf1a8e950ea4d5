// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * The spontaneous write-back of a kernel before a power loss: it may have written any subset of a
 * file's changed pages, in any order, and parts of pages.
 */
final class WriteBack {

  private static final int PAGE_BYTES = 4096;
  private static final int SECTOR_BYTES = 512;
  private static final int LINE_BYTES = 64;

  private final RandomGenerator random;
  private final boolean reserved;
  private final int unitBytes;
  private final double keptShare;

  /**
   * Creates a write-back.
   *
   * @param reserved whether unwritten parts read as zeros; otherwise they may be garbage
   */
  WriteBack(CrashStyle style, RandomGenerator random, boolean reserved) {
    this.random = random;
    this.reserved = reserved;
    this.unitBytes = switch (style) {
      case TORN_SECTORS -> SECTOR_BYTES;
      case TORN_LINES -> reserved ? LINE_BYTES : SECTOR_BYTES;
      default -> PAGE_BYTES;
    };
    this.keptShare = random.nextDouble();
  }

  /**
   * Copies some of the live bytes over the safe ones.
   *
   * @param survivor the first {@code safeLength} bytes are safe, and zeros follow up to {@code end}
   */
  void run(ByteBuffer live, ByteBuffer survivor, int safeLength, int end) {
    // A third of the files is written back from the front, as an idle kernel does.
    int front = random.nextInt(3) == 0 ? random.nextInt(end + 1) : -1;
    for (int page = 0; page < end; page += PAGE_BYTES) {
      int pageEnd = Math.min(page + PAGE_BYTES, end);
      if (!same(live, survivor, page, pageEnd)) {
        boolean kept = front < 0 ? random.nextDouble() < keptShare : page < front;
        if (!kept) {
          leaveGarbage(survivor, Math.max(page, safeLength), pageEnd);
        }
        writePage(live, survivor, page, pageEnd, kept);
      }
    }
  }

  private void writePage(
      ByteBuffer live, ByteBuffer survivor, int page, int pageEnd, boolean kept) {
    if (unitBytes == PAGE_BYTES || random.nextBoolean()) {
      if (kept) {
        survivor.put(page, live, page, pageEnd - page);
      }
      return;
    }
    // A torn page keeps the units up to a random place, or a random subset.
    int front = random.nextBoolean() ? random.nextInt(page, pageEnd) : -1;
    for (int unit = page; unit < pageEnd; unit += unitBytes) {
      int unitEnd = Math.min(unit + unitBytes, pageEnd);
      if (front < 0 ? random.nextBoolean() : unit < front) {
        survivor.put(unit, live, unit, unitEnd - unit);
      }
    }
  }

  /** Unwritten parts of an appended tail may show the old content of their blocks. */
  private void leaveGarbage(ByteBuffer survivor, int start, int end) {
    if (!reserved && random.nextInt(4) == 0) {
      for (int i = start; i < end; i++) {
        survivor.put(i, (byte) random.nextInt());
      }
    }
  }

  private static boolean same(ByteBuffer a, ByteBuffer b, int start, int end) {
    return a.slice(start, end - start).mismatch(b.slice(start, end - start)) < 0;
  }
}
