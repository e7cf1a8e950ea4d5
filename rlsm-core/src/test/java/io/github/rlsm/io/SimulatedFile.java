// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a simulated file, independent of its names: <em>live</em> bytes, which processes
 * see, and <em>safe</em> bytes, which survive a power loss.
 *
 * <p>Files of several directories share their live bytes until a change, so that a crash copies
 * little more than the bytes being written.
 *
 * <p>Threads: guarded by the directory's monitor, except stores of engines into mapped memory.
 */
final class SimulatedFile {

  private static final int CAPACITY_MIN = 512;
  private static final int PAGE_BYTES = 4096;

  private static final int HEAD_BYTES = 64;

  /**
   * Direct, because on newer JDKs only direct memory allows atomic access. Capacity is length or
   * more.
   */
  private ByteBuffer live;

  private int length;

  /** The length that survives; more than {@code length} if a cut is not safe yet. */
  private int safeLength;

  /** The safe bytes, of length safeLength; null if they equal the first safeLength live bytes. */
  private @Nullable ByteBuffer safe;

  /** Whether another file has the same live buffer. */
  private boolean shared;

  /**
   * Whether space was reserved. Unwritten parts of a file with reserved space read as zeros, never
   * as garbage.
   */
  private boolean reserved;

  /** Bytes that are holes. */
  private final BitSet holes = new BitSet();

  /**
   * Pages that a failed force has left clean, as Linux does, although the device never got them.
   * Reads still return their bytes, no later force of the file makes them safe, and no crash keeps
   * them. That holds even if a thread stores to them again: ext4 then writes them to blocks that it
   * still treats as unwritten.
   */
  private final Set<Integer> lost = new TreeSet<>();

  private int handles;
  private int writableMappings;

  private SimulatedFile(ByteBuffer live, int length) {
    this.live = live;
    this.length = length;
  }

  /** Creates an empty file. */
  static SimulatedFile empty() {
    return new SimulatedFile(allocate(0), 0);
  }

  /** Creates a file of zeros with reserved space. */
  static SimulatedFile ofZeros(int length) {
    SimulatedFile file = new SimulatedFile(allocate(length), length);
    file.reserved = true;
    return file;
  }

  /** Creates a file whose bytes are all safe. */
  static SimulatedFile ofSafe(byte[] bytes) {
    SimulatedFile file = new SimulatedFile(allocate(bytes.length), bytes.length);
    file.live.put(0, bytes);
    file.safeLength = bytes.length;
    return file;
  }

  int length() {
    return length;
  }

  /** The number of bytes that are not in holes. */
  int usedBytes() {
    return length - holes.get(0, length).cardinality();
  }

  byte[] bytes() {
    byte[] bytes = new byte[length];
    live.get(0, bytes);
    return bytes;
  }

  boolean isOpen() {
    return handles > 0;
  }

  // Handles.

  void opened() {
    handles++;
  }

  void closed() {
    handles--;
  }

  /** The bytes as read-only memory. */
  ByteBuffer mapReadOnly() {
    return live.slice(0, length).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The bytes as writable memory, until {@link #unmapWritable()}. */
  ByteBuffer mapWritable() {
    if (writableMappings == 0) {
      if (shared && handles > 0) {
        throw new AssertionError("a file that was mapped read-only before a copy was taken");
      }
      ByteBuffer before = safeBytes();
      own(length);
      safe = before;
    }
    writableMappings++;
    return live.slice(0, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  void unmapWritable() {
    writableMappings--;
    if (writableMappings == 0 && safe != null && safeLength == length && sameAsLive(safe)) {
      safe = null;
    }
  }

  private boolean sameAsLive(ByteBuffer bytes) {
    return bytes.slice(0, length).mismatch(live.slice(0, length)) < 0;
  }

  // Writing and forcing.

  /** Appends {@code count} bytes from the buffer's position on, and advances the position. */
  void append(ByteBuffer bytes, int count) {
    if (writableMappings > 0) {
      throw new AssertionError("a file that is mapped for writing is appended to");
    }
    own(length + count);
    live.put(length, bytes, bytes.position(), count);
    bytes.position(bytes.position() + count);
    length += count;
  }

  /**
   * Cuts the file. The cut is not safe until a force. A mapping shows garbage behind the new end,
   * where an access on a real system kills the process.
   */
  void truncate(int newLength) {
    if (writableMappings == 0) {
      throw new AssertionError("a file that is not mapped for writing is cut");
    }
    for (int i = newLength; i < length; i++) {
      live.put(i, (byte) 0xDB);
    }
    length = newLength;
  }

  /** Cuts a closed file. The new length is not safe until the directory is forced. */
  void cut(int newLength) {
    if (handles > 0) {
      throw new AssertionError("a file that is open is cut");
    }
    length = newLength;
  }

  /**
   * Reverts some of the 8-byte words that were stored after an earlier copy. The first words stay,
   * because engines store a header there and order these stores themselves.
   */
  void takeBack(SimulatedFile earlier, RandomGenerator random) {
    if (shared) {
      return; // no mapping could have stored to it
    }
    double share = random.nextDouble();
    int word = nextDifference(earlier, HEAD_BYTES);
    while (word < length) {
      int bytes = Math.min(Long.BYTES, length - word);
      if (random.nextDouble() < share) {
        live.put(word, earlier.live, word, bytes);
      }
      word = nextDifference(earlier, word + bytes);
    }
  }

  /** Returns the start of the next word that differs; the length or more if all are equal. */
  private int nextDifference(SimulatedFile earlier, int from) {
    int bytes = length - from;
    if (bytes <= 0) {
      return length;
    }
    int at = live.slice(from, bytes).mismatch(earlier.live.slice(from, bytes));
    return at < 0 ? length : from + at - at % Long.BYTES;
  }

  /** Turns ranges of the file into holes, as {@link StoreDirectory#punch} specifies. */
  void punch(long[] ranges, int unit) {
    for (long range : ranges) {
      int from = (int) (range >>> Integer.SIZE);
      int to = (int) range;
      if (from % unit != 0 || to % unit != 0 || from >= to) {
        throw new IllegalArgumentException("a hole from " + from + " to " + to);
      }
      punch(from, to);
    }
  }

  /** Turns a range of the file into a hole. The hole is safe at once: the old bytes are lost. */
  void punch(int from, int to) {
    if (to > length) {
      throw new IllegalArgumentException("a hole up to " + to + " of " + length + " bytes");
    }
    if (writableMappings == 0) {
      own(length);
    }
    byte[] zeros = new byte[to - from];
    live.put(from, zeros);
    if (safe != null && from < safeLength) {
      safe.put(from, zeros, 0, Math.min(to, safeLength) - from);
    }
    holes.set(from, to);
  }

  /** Makes the whole file safe, except lost pages, which only count as clean. */
  void forceAll() {
    if (writableMappings == 0 && lost.isEmpty()) {
      safeLength = length;
      safe = null;
    } else {
      force(0, length);
    }
  }

  /**
   * Makes a range of the file safe, and the file's length; except lost pages, which only count as
   * clean.
   */
  void force(int offset, int count) {
    ByteBuffer platter = safe;
    if (platter == null || safeLength != length) {
      ByteBuffer resized = ByteBuffer.allocate(length);
      resized.put(0, safeBytes(), 0, Math.min(safeLength, length));
      platter = resized;
    }
    int end = offset + count;
    for (int page = offset / PAGE_BYTES; page * PAGE_BYTES < end; page++) {
      if (!lost.contains(page)) {
        int from = Math.max(offset, page * PAGE_BYTES);
        platter.put(from, live, from, Math.min(end, (page + 1) * PAGE_BYTES) - from);
      }
    }
    safe = platter;
    safeLength = length;
  }

  // Forces that fail.

  /** Fails to write a range, as Linux does: unsafe pages are lost. */
  void failForce(int offset, int count) {
    ByteBuffer platter = safeBytes();
    for (int page = offset / PAGE_BYTES; page * PAGE_BYTES < offset + count; page++) {
      int from = page * PAGE_BYTES;
      int bytes = Math.min(PAGE_BYTES, length - from);
      boolean isSafe = from + bytes <= safeLength
          && platter.slice(from, bytes).mismatch(live.slice(from, bytes)) < 0;
      if (!isSafe) {
        lost.add(page);
      }
    }
  }

  /** Copies the device's content of a lost page; zeros beyond the device's length of the file. */
  private void putSafePage(int page, ByteBuffer into) {
    int from = page * PAGE_BYTES;
    int bytes = Math.min(PAGE_BYTES, length - from);
    ByteBuffer old = ByteBuffer.allocate(bytes);
    if (from < safeLength) {
      old.put(0, safeBytes(), from, Math.min(bytes, safeLength - from));
    }
    into.put(from, old, 0, bytes);
  }

  /** Drops some of the lost pages from memory: from now on they have the device's content. */
  void dropLostPages(RandomGenerator random) {
    if (lost.isEmpty() || (handles > 0 && writableMappings == 0)) {
      return;
    }
    ByteBuffer before = safeBytes();
    for (int page : List.copyOf(lost)) {
      if (random.nextBoolean() && page * PAGE_BYTES < length) {
        if (writableMappings == 0) {
          own(length);
        }
        safe = before;
        putSafePage(page, live);
        lost.remove(page);
      }
    }
  }

  /** Returns the bytes that a kernel could still write to the device. */
  private ByteBuffer unlostLive() {
    if (lost.isEmpty()) {
      return live;
    }
    ByteBuffer bytes = copy(live, length);
    lost.stream()
        .filter(page -> page * PAGE_BYTES < length)
        .forEach(page -> putSafePage(page, bytes));
    return bytes;
  }

  /** Flips a bit of the live and the safe bytes. */
  void flipBit(long bitIndex) {
    int offset = Math.toIntExact(bitIndex / Byte.SIZE);
    if (offset >= length) {
      throw new IndexOutOfBoundsException("bit " + bitIndex + " of " + length + " bytes");
    }
    if (writableMappings > 0 || (shared && handles > 0)) {
      throw new AssertionError("a file that is mapped for writing, or was copied while open");
    }
    own(length);
    live.put(offset, (byte) (live.get(offset) ^ (1 << (bitIndex % Byte.SIZE))));
    forceAll();
  }

  // Copies.

  /** Returns an independent copy for another directory. */
  SimulatedFile copy() {
    SimulatedFile copy = withLive(length);
    copy.safeLength = safeLength;
    copy.safe = safe == null ? null : copy(safe, safeLength);
    copy.lost.addAll(lost);
    return copy;
  }

  /** Returns the survivor of a power loss. All of it is safe. */
  SimulatedFile afterCrash(CrashStyle style, RandomGenerator random) {
    int end = survivingLength(style, random);
    ByteBuffer writable = unlostLive();
    SimulatedFile survivor;
    if (style == CrashStyle.KEEP_UNSYNCED || (safe == null && end <= safeLength)) {
      survivor = withLive(end);
      if (!lost.isEmpty()) {
        survivor.own(end);
        survivor.live.put(0, writable, 0, end);
      }
    } else {
      survivor = new SimulatedFile(allocate(end), end);
      survivor.live.put(0, safeBytes(), 0, Math.min(end, safeLength));
      if (style != CrashStyle.DROP_UNSYNCED) {
        int written = Math.min(end, length);
        new WriteBack(style, random, reserved).run(writable, survivor.live, safeLength, written);
      }
      survivor.reserved = reserved;
      survivor.holes.or(holes);
    }
    survivor.safeLength = end;
    return survivor;
  }

  private int survivingLength(CrashStyle style, RandomGenerator random) {
    if (style == CrashStyle.KEEP_UNSYNCED || safeLength == length) {
      return length;
    } else if (style == CrashStyle.DROP_UNSYNCED) {
      return safeLength;
    }
    if (safeLength > length) {
      return random.nextBoolean() ? length : safeLength;
    }
    return switch (random.nextInt(4)) {
      case 0 -> safeLength;
      case 1 -> length;
      default -> random.nextInt(safeLength, length + 1);
    };
  }

  /** Returns a file with the first bytes of this one, shared if no mapping can change them. */
  private SimulatedFile withLive(int end) {
    SimulatedFile file;
    if (writableMappings > 0) {
      file = new SimulatedFile(allocate(end), end);
      file.live.put(0, live, 0, end);
    } else {
      shared = true;
      file = new SimulatedFile(live, end);
      file.shared = true;
    }
    file.reserved = reserved;
    file.holes.or(holes);
    return file;
  }

  private ByteBuffer safeBytes() {
    return safe == null ? copy(live, safeLength) : safe;
  }

  /** Makes the live buffer exclusive to this file, with the given capacity. */
  private void own(int capacity) {
    if (shared || live.capacity() < capacity) {
      ByteBuffer larger = allocate(Math.max(capacity, capacity > length ? 2 * length : 0));
      larger.put(0, live, 0, length);
      live = larger;
      shared = false;
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes, int length) {
    return copyOf(bytes, 0, length);
  }

  private static ByteBuffer copyOf(ByteBuffer bytes, int offset, int length) {
    return ByteBuffer.allocate(length).put(0, bytes, offset, length);
  }

  private static ByteBuffer allocate(int length) {
    return ByteBuffer.allocateDirect(Math.max(length, CAPACITY_MIN)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
