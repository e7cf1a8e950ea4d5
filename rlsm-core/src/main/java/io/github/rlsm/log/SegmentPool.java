// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedFile;
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
 * The unused segment files of one stream, and the length of the next ones. Segments are short at
 * first, and double in length each time one is filled, up to a limit. So an almost idle store takes
 * little space, and a busy one switches generations rarely. In the calm state, the pool keeps no
 * files and creates short ones.
 *
 * <p>Threads: one at a time, which {@link SegmentFiles} ensures.
 */
final class SegmentPool {

  /** The most files that a busy store keeps. A store that has caught up keeps one. */
  private static final int SPARE_MAX = 4;

  private final StoreDirectory directory;
  private final FileHeader.Kind kind;
  private final int bytesMax;
  private final Deque<MappedFile> spare = new ArrayDeque<>();

  /** The spare files whose blocks are reserved but were never written. */
  private final Set<MappedFile> unwritten = new HashSet<>();

  private final int bytesFirst;
  private int bytes;
  private boolean calm;
  private int nextNumber;

  /** Creates an empty pool. The first segments have a length of {@code bytes}. */
  SegmentPool(
      StoreDirectory directory, FileHeader.Kind kind, int bytes, int bytesMax, int nextNumber) {
    this.directory = directory;
    this.kind = kind;
    this.bytesFirst = Math.min(bytes, bytesMax);
    this.bytes = bytesFirst;
    this.bytesMax = bytesMax;
    this.nextNumber = nextNumber;
  }

  /**
   * Returns whether a file is ready that has at least this length and at least the default length.
   */
  boolean isReady(long bytesMin) {
    return spare.stream().anyMatch(file -> file.length() >= Math.max(nextBytes(), bytesMin));
  }

  /**
   * Removes and returns the files that are shorter than the default length. The caller deletes
   * them.
   */
  List<MappedFile> takeShort() {
    return take(file -> file.length() < nextBytes());
  }

  /** Removes and returns the files that match a predicate. */
  List<MappedFile> take(Predicate<MappedFile> which) {
    List<MappedFile> found = spare.stream().filter(which).toList();
    spare.removeAll(found);
    unwritten.removeAll(found);
    return found;
  }

  /** Returns the length of a new file for a record that needs {@code bytesMin} bytes. */
  int lengthFor(long bytesMin) {
    return (int) Math.max(nextBytes(), bytesMin);
  }

  /** Creates a file. This takes long, and unlike the other methods needs no mutual exclusion. */
  MappedFile create(int number, int length) {
    String name = kind == FileHeader.Kind.VALUE_LOG
        ? StoreFileName.valueLog(number)
        : StoreFileName.writeAheadLog(number);
    MappedFile made = directory.createMapped(name, length);
    SegmentFiles.keepInPages(made);
    return made;
  }

  /** Adds a new file. */
  void add(MappedFile made) {
    unwritten.add(made);
    spare.addFirst(made);
  }

  /**
   * Returns a file of at least this length. The caller must have checked {@link #isReady(long)}.
   */
  MappedFile find(long bytesMin) {
    return spare.stream().filter(each -> each.length() >= bytesMin).findFirst().orElseThrow();
  }

  /** Removes a file that is put into use. Allocates nothing. */
  void take(MappedFile file) {
    spare.remove(file);
    unwritten.remove(file);
  }

  /** Takes back the file that was taken last and not used. Allocates nothing. */
  void putBack(MappedFile file) {
    spare.addFirst(file);
  }

  /** Makes the lengths of the spare files durable. */
  void forceLengths() {
    spare.forEach(SegmentFiles::forceLength);
  }

  /**
   * Removes and returns a file whose blocks were never written. The caller writes them and gives
   * the file back.
   */
  Optional<MappedFile> takeUnwritten() {
    Optional<MappedFile> found = unwritten.stream().findFirst();
    found.ifPresent(file -> {
      unwritten.remove(file);
      spare.remove(file);
    });
    return found;
  }

  /** Makes the next segments longer, because one was filled. */
  void grow(int atLeast) {
    bytes = (int) Math.min(bytesMax, Math.max(atLeast, 2L * bytes));
  }

  /** Takes back a file if it is long enough and the pool has space. Returns whether it did. */
  boolean give(MappedFile file) {
    boolean isKept =
        !calm && file.length() >= bytes && file.length() <= bytesMax && spare.size() < SPARE_MAX;
    if (isKept) {
      spare.addLast(file);
    }
    return isKept;
  }

  /**
   * Removes and returns all files but one, or all of them in the calm state. The caller deletes
   * them.
   */
  List<MappedFile> trim() {
    List<MappedFile> rest = new ArrayList<>();
    while (spare.size() > (calm ? 0 : 1)) {
      MappedFile last = spare.removeLast();
      unwritten.remove(last);
      rest.add(last);
    }
    return rest;
  }

  /** Enters or leaves the calm state, in which no thread writes. */
  void setCalm(boolean now) {
    calm = now;
  }

  private int nextBytes() {
    return calm ? bytesFirst : bytes;
  }

  /** Returns the number for a new file. */
  int takeNumber() {
    return nextNumber++;
  }

  /**
   * Closes the files. The next opening deletes them, so that they do not delay the close of the
   * store.
   */
  void close() {
    spare.forEach(MappedFile::close);
    spare.clear();
    unwritten.clear();
  }
}
