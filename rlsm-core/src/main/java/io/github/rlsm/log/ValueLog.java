// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.base.ValuePointer;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.MappedFile.Advice;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The value segments by number: those being written, and those sealed, which are opened when they
 * are first read.
 *
 * <p>A segment that is not needed any more is closed and deleted when two have said so: the set of
 * versions, that no version anybody can see has it, and the owner of the memory component that was
 * filled together with it, that nobody reads that one.
 *
 * <p>Threads: any. A segment is found by one volatile read; opening takes the monitor.
 */
public final class ValueLog implements AutoCloseable {

  private final StoreDirectory directory;
  private final long storeId;

  /** By number; replaced when it grows or an element is set. */
  private volatile @Nullable MappedFile[] segments = new MappedFile[16];

  /** Segments that a memory component points into; guarded by this. */
  private final Set<Integer> inMemory = new HashSet<>();

  /** Segments to be deleted once no memory component points into them; guarded by this. */
  private final Set<Integer> condemned = new HashSet<>();

  /** A value log in a directory. */
  public ValueLog(StoreDirectory directory, long storeId) {
    this.directory = directory;
    this.storeId = storeId;
  }

  /** Makes the value segment of a generation known, for as long as its component is read. */
  public synchronized void add(LogGeneration generation) {
    MappedFile file = generation.file(true);
    int number = SegmentFiles.numberOf(file);
    inMemory.add(number);
    set(number, file);
  }

  /** Nobody reads the component over that generation any more. */
  public synchronized void release(LogGeneration generation) {
    int number = numberOf(generation);
    inMemory.remove(number);
    if (condemned.remove(number)) {
      delete(number);
    }
  }

  /** No version that anybody can see has that segment any more. */
  public synchronized void free(int number) {
    if (inMemory.contains(number)) {
      condemned.add(number);
    } else {
      delete(number);
    }
  }

  private void delete(int number) {
    MappedFile file = number < segments.length ? segments[number] : null;
    if (file != null) {
      file.close();
      set(number, null);
    }
    directory.delete(StoreFileName.valueLog(number));
  }

  /**
   * The puts in a segment that is in tables.
   *
   * @param totalBytes bytes of its records, from its account
   */
  public SegmentRecords records(int number, long totalBytes) {
    MappedFile file = segment(ValuePointer.of(number, 0, false, 0));
    SegmentLayout head =
        SegmentLayout.read(file.memory(), file.name(), FileKind.VALUE_LOG, storeId, number);
    return new SegmentRecords(file, head, number, totalBytes);
  }

  /** Number of a generation's value segment. */
  public static int numberOf(LogGeneration generation) {
    return SegmentFiles.numberOf(generation.file(true));
  }

  private synchronized void set(int number, @Nullable MappedFile file) {
    @Nullable MappedFile[] now = segments;
    int length = number < now.length ? now.length : Math.max(2 * now.length, number + 1);
    @Nullable MappedFile[] next = Arrays.copyOf(now, length);
    next[number] = file;
    segments = next;
  }

  /** The segment a pointer points into. */
  MappedFile segment(ValuePointer pointer) {
    int number = pointer.segment();
    @Nullable MappedFile[] now = segments;
    MappedFile file = number >= 0 && number < now.length ? now[number] : null;
    return file != null ? file : open(number);
  }

  private synchronized MappedFile open(int number) {
    MappedFile file = number >= 0 && number < segments.length ? segments[number] : null;
    if (file != null) {
      return file;
    }
    String name = "value-log segment " + number;
    if (number > 0) {
      name = StoreFileName.valueLog(number);
    }
    if (number <= 0 || !directory.exists(name)) {
      throw new CorruptionException(name, 0, "the file is missing; a value pointer names it");
    }
    MappedFile opened = directory.openReadOnly(name);
    try {
      SegmentLayout.read(opened.memory(), name, FileKind.VALUE_LOG, storeId, number);
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
    opened.advise(Advice.RANDOM, 0, opened.length());
    set(number, opened);
    return opened;
  }

  /**
   * Bytes that a put of such a key and value takes in a segment, for the accounts of live bytes. A
   * promise in the record, and what a batch has around its operations, is not in it: that comes
   * back when the value is moved, and so counts as dead from the start.
   */
  public static long recordBytes(int keyLength, ValuePointer pointer) {
    int head = pointer.inBatch()
        ? RecordLayout.OPERATION_HEAD
        : RecordLayout.HEADER + RecordLayout.KEY_LENGTH;
    long length = (long) head + keyLength + pointer.valueLength();
    return (length + RecordLayout.UNIT - 1) / RecordLayout.UNIT * RecordLayout.UNIT;
  }

  /** Closes the segments that it opened, and those it was told of. */
  @Override
  public synchronized void close() {
    for (MappedFile file : segments) {
      if (file != null) {
        file.close();
      }
    }
    segments = new MappedFile[16];
  }
}
