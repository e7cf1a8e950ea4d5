// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The segment files of one stream that are not in use, and how long the next ones are made: short
 * at first, twice as long each time one was filled, up to a limit. So a store that is hardly
 * written to takes little room, and a busy one has few switches. While it is calm, it keeps no file
 * and makes short ones.
 *
 * <p>Threads: one at a time, which {@link SegmentFiles} sees to.
 */
final class SegmentPool {

  /** Files kept while the store is busy; when it has caught up, one is. */
  private static final int SPARE_MAX = 4;

  private final StoreDirectory directory;
  private final FileKind kind;
  private final int bytesMax;
  private final Deque<MappedFile> spare = new ArrayDeque<>();

  /** Those of the spare files whose blocks are reserved and were never written. */
  private final Set<MappedFile> unwritten = new HashSet<>();

  /** Files whose length survives power loss, as far as that is known. */
  private final Set<MappedFile> lasting = new HashSet<>();

  private boolean forcesLengths;
  private final int bytesFirst;
  private int bytes;
  private boolean calm;
  private int nextNumber;

  /** A pool without files, that makes segments of {@code bytes} first and numbers them on. */
  SegmentPool(StoreDirectory directory, FileKind kind, int bytes, int bytesMax, int nextNumber) {
    this.directory = directory;
    this.kind = kind;
    this.bytesFirst = Math.min(bytes, bytesMax);
    this.bytes = bytesFirst;
    this.bytesMax = bytesMax;
    this.nextNumber = nextNumber;
  }

  /**
   * Makes a file of at least that many bytes ready if there is none. Returns whether it made one.
   */
  boolean prepare(long bytesMin) {
    spare.removeIf(this::isDeletedForBeingShort);
    if (spare.stream().anyMatch(file -> file.length() >= bytesMin)) {
      return false;
    }
    MappedFile made = create((int) Math.max(nextBytes(), bytesMin));
    unwritten.add(made);
    spare.addFirst(made);
    makeLasting(made);
    return true;
  }

  /**
   * A file to be put to use, of at least that many bytes, which {@link #prepare} has made ready.
   */
  MappedFile take(long bytesMin) {
    MappedFile file =
        spare.stream().filter(each -> each.length() >= bytesMin).findFirst().orElseThrow();
    makeLasting(file);
    spare.remove(file);
    unwritten.remove(file);
    return file;
  }

  /** From now on files are not forced when records are: their lengths are, before they are used. */
  void forceLengths() {
    forcesLengths = true;
  }

  private void makeLasting(MappedFile file) {
    if (forcesLengths && lasting.add(file)) {
      file.force(0, SegmentLayout.BYTES);
    }
  }

  /** Takes a file out whose blocks were never written, to be given back when they are. */
  Optional<MappedFile> takeUnwritten() {
    Optional<MappedFile> found = unwritten.stream().findFirst();
    found.ifPresent(file -> {
      unwritten.remove(file);
      spare.remove(file);
    });
    return found;
  }

  /** A segment was filled: makes the next ones longer. */
  void grow(int atLeast) {
    bytes = (int) Math.min(bytesMax, Math.max(atLeast, 2L * bytes));
  }

  /** Takes a file back: keeps it if it is of use and few are kept, else deletes it. */
  void give(MappedFile file) {
    if (!calm && file.length() >= bytes && file.length() <= bytesMax && spare.size() < SPARE_MAX) {
      spare.addLast(file);
    } else {
      delete(file);
    }
  }

  /** Takes a file back only to delete it. */
  void discard(MappedFile file) {
    delete(file);
  }

  /** Deletes all but one, and that too while calm. */
  void trim() {
    while (spare.size() > (calm ? 0 : 1)) {
      delete(spare.removeLast());
    }
  }

  /** Nobody writes for now, or somebody does again. */
  void setCalm(boolean now) {
    calm = now;
  }

  private int nextBytes() {
    return calm ? bytesFirst : bytes;
  }

  private boolean isDeletedForBeingShort(MappedFile file) {
    boolean isShort = file.length() < nextBytes();
    if (isShort) {
      delete(file);
    }
    return isShort;
  }

  private void delete(MappedFile file) {
    unwritten.remove(file);
    lasting.remove(file);
    file.close();
    directory.delete(file.name());
  }

  /** A number for a file that is made by somebody else. */
  int takeNumber() {
    return nextNumber++;
  }

  private MappedFile create(int length) {
    int number = takeNumber();
    String name = kind == FileKind.VALUE_LOG
        ? StoreFileName.valueLog(number)
        : StoreFileName.writeAheadLog(number);
    return directory.createMapped(name, length);
  }

  /** Closes the files and leaves them where they are, for the next time the store is opened. */
  void close() {
    spare.forEach(MappedFile::close);
    spare.clear();
    unwritten.clear();
    lasting.clear();
  }
}
