// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

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
   * Whether a file of at least that many bytes is ready, and none of the usual length is missing.
   */
  boolean isReady(long bytesMin) {
    return spare.stream().anyMatch(file -> file.length() >= Math.max(nextBytes(), bytesMin));
  }

  /** Takes out the files that are shorter than those which are made now; to be deleted. */
  List<MappedFile> takeShort() {
    return take(file -> file.length() < nextBytes());
  }

  /** Takes out the files that match a predicate. */
  List<MappedFile> take(Predicate<MappedFile> which) {
    List<MappedFile> found = spare.stream().filter(which).toList();
    spare.removeAll(found);
    unwritten.removeAll(found);
    return found;
  }

  /** The length of a file that is made now, for a record that needs so many bytes. */
  int lengthFor(long bytesMin) {
    return (int) Math.max(nextBytes(), bytesMin);
  }

  /** Makes a file. Unlike all else this takes long, and nobody has to be kept out meanwhile. */
  MappedFile create(int number, int length) {
    String name = kind == FileKind.VALUE_LOG
        ? StoreFileName.valueLog(number)
        : StoreFileName.writeAheadLog(number);
    MappedFile made = directory.createMapped(name, length);
    keepInPages(made);
    return made;
  }

  /**
   * Has the kernel keep a file in single pages. What it reads ahead, be it the nothing of a new
   * file, it keeps in pieces of up to 2 MiB, and a force of one record then writes all of such a
   * piece. To be called before the memory is touched.
   */
  static void keepInPages(MappedFile file) {
    file.advise(Advice.RANDOM, 0, file.length());
  }

  /** A new file is ready. */
  void add(MappedFile made) {
    unwritten.add(made);
    spare.addFirst(made);
  }

  /** A file to be put to use, of at least that many bytes; one {@link #isReady(long)}. */
  MappedFile find(long bytesMin) {
    return spare.stream().filter(each -> each.length() >= bytesMin).findFirst().orElseThrow();
  }

  /** Takes a file out, to be put to use. Allocates nothing. */
  void take(MappedFile file) {
    spare.remove(file);
    unwritten.remove(file);
  }

  /** Takes back the file taken last, which was not put to use. Allocates nothing. */
  void putBack(MappedFile file) {
    spare.addFirst(file);
  }

  /** Makes the lengths of the files that are there survive power loss. */
  void forceLengths() {
    spare.forEach(SegmentFiles::forceLength);
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

  /** Takes a file back if it is of use and few are kept. Returns whether it does. */
  boolean give(MappedFile file) {
    boolean isKept =
        !calm && file.length() >= bytes && file.length() <= bytesMax && spare.size() < SPARE_MAX;
    if (isKept) {
      spare.addLast(file);
    }
    return isKept;
  }

  /** Takes out all files but one, and that too while calm; to be deleted. */
  List<MappedFile> trim() {
    List<MappedFile> rest = new ArrayList<>();
    while (spare.size() > (calm ? 0 : 1)) {
      MappedFile last = spare.removeLast();
      unwritten.remove(last);
      rest.add(last);
    }
    return rest;
  }

  /** Nobody writes for now, or somebody does again. */
  void setCalm(boolean now) {
    calm = now;
  }

  private int nextBytes() {
    return calm ? bytesFirst : bytes;
  }

  /** A number for a new file. */
  int takeNumber() {
    return nextNumber++;
  }

  /** Closes the files. The next opening deletes them, so that closing the store is not delayed. */
  void close() {
    spare.forEach(MappedFile::close);
    spare.clear();
    unwritten.clear();
  }
}
