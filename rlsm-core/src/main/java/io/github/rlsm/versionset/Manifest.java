// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.kv.StoreFailedException;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.TableMeta;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The manifest in force. Appends edits to it, and replaces it by a new file when it is too long.
 *
 * <p><b>Failure.</b> When an edit cannot be written, it is unknown whether the next open finds it.
 * The files of either outcome stay. The next steps depend on the error:
 *
 * <ul>
 *   <li>A resource ran out, for example space on the device. The file takes no more edits. The next
 *       {@link #persist} or {@link #repair} writes a whole version to a new file and puts it in
 *       force. This decides that the failed edit did not happen, and the files that it added are
 *       deleted. A crash before the switch opens the old file, with the edit or without it. Both
 *       are right, because no other edit was made durable in between.
 *   <li>Any other error is final: the manifest takes no more edits.
 * </ul>
 *
 * <p>An edit that drops a keyspace always goes to a new file. Otherwise a crash could make a failed
 * drop take effect, and lose the writes that the keyspace received after the failure.
 *
 * <p>Threads: one at a time, under {@link VersionSet}'s lock.
 */
final class Manifest implements AutoCloseable {

  private final StoreDirectory directory;
  private final long storeId;
  private final long rollBytes;
  private final LongSupplier fileNumbers;
  private final Executor background;

  private ManifestWriter writer;

  /** The version that the durable records produce. */
  private Version version;

  /** Length from which on the file is replaced. */
  private long rollAt;

  /** The first final error. */
  private @Nullable Throwable failure;

  /** Whether an edit has failed for lack of a resource since the file was created. */
  private boolean needsNewFile;

  /** The files that these failed edits would have added. */
  private final List<String> undecided = new ArrayList<>();

  /**
   * Writes a version to a new file and puts it in force.
   *
   * @param rollBytes length from which on a file is replaced by a new one; a long snapshot raises
   *     it
   * @param fileNumbers assigns numbers for new files
   * @param background closes and deletes files
   */
  Manifest(
      StoreDirectory directory,
      ManifestRecovery.Recovered recovered,
      long rollBytes,
      LongSupplier fileNumbers,
      Executor background) {
    this.directory = directory;
    this.storeId = recovered.storeId();
    this.rollBytes = rollBytes;
    this.fileNumbers = fileNumbers;
    this.background = background;
    long number = fileNumbers.getAsLong();
    version = withNextFileNumber(recovered.version(), number + 1);
    writer = start(number, version);
    rollAt = rollLength();
  }

  /** Returns the same version with a higher number for the next file. */
  static Version withNextFileNumber(Version version, long number) {
    return version.apply(VersionEdit.builder().nextFileNumber(number).build());
  }

  /** Number of the file. */
  long number() {
    return writer.number();
  }

  /** Length of the file in bytes. */
  long length() {
    return writer.length();
  }

  /** The durable records of the file. */
  ManifestPosition position() {
    return writer.position();
  }

  /** The version that the next open of the store finds. */
  Version version() {
    return version;
  }

  /** Whether an edit has failed for lack of a resource, so that {@link #repair} has work to do. */
  boolean needsRepair() {
    return needsNewFile;
  }

  /**
   * Refuses every later edit.
   *
   * @param cause the error that made it unknown what the next open finds, or what readers see
   */
  void fail(Throwable cause) {
    failure = cause;
  }

  /**
   * Checks that edits are still possible.
   *
   * @throws StoreFailedException after a final error
   */
  void checkUsable() {
    if (failure != null) {
      throw new StoreFailedException(failure);
    }
  }

  /**
   * Reads the file and compares it with the version. Does nothing after a failed edit: the end of
   * the file may be torn, and the next edit starts a new file.
   *
   * @throws CorruptionException if the file is damaged, or a file that it names is missing
   */
  void check() {
    if (failure != null || needsNewFile || !writer.isWhole()) {
      return;
    }
    ManifestRecovery.Recovered found = ManifestRecovery.recover(directory);
    if (found.droppedBytes() > 0 || !found.version().equals(version)) {
      throw new CorruptionException(
          StoreFileName.manifest(writer.number()),
          writer.length() - found.droppedBytes(),
          "its records do not produce the current version");
    }
  }

  /**
   * Makes an edit durable, and the names of the files that it adds. The files themselves must be
   * forced before.
   *
   * @param after the version with the edit
   * @return {@code after}, with a higher number for the next file if a new manifest was written
   */
  Version persist(VersionEdit edit, Version after) {
    try {
      if (edit.addsFiles()) {
        directory.syncDirectory();
      }
      boolean fits = writer.isWhole() && writer.length() < rollAt;
      if (fits && !needsNewFile && !edit.dropsKeyspace()) {
        writer.append(edit);
        version = after;
      } else {
        replace(after);
      }
      return version;
    } catch (RuntimeException | Error e) {
      // After an OutOfMemoryError, a drop may have reached the disk; see the class comment.
      boolean passes = e instanceof ResourceExhaustedException
          || (e instanceof OutOfMemoryError && !edit.dropsKeyspace());
      if (passes) {
        needsNewFile = true;
        undecided.addAll(filesAdded(version, after));
      } else {
        failure = e;
      }
      throw e;
    }
  }

  /** Writes the version to a new file, after an edit that failed for lack of a resource. */
  Version repair() {
    return persist(VersionEdit.builder().build(), version);
  }

  private static List<String> filesAdded(Version before, Version after) {
    List<String> names = new ArrayList<>();
    for (TableMeta table : after.tables()) {
      if (before.table(table.number()) == null) {
        names.add(table.fileName());
      }
    }
    if (after.flushedSeqno() == before.flushedSeqno()) { // else memory still reads the segment
      for (SegmentAccount segment : after.segments()) {
        if (before.segment(segment.number()) == null) {
          names.add(StoreFileName.valueLog(segment.number()));
        }
      }
    }
    return names;
  }

  private void replace(Version after) {
    long number = fileNumbers.getAsLong();
    Version next = withNextFileNumber(after, number + 1);
    ManifestWriter old = writer;
    List<String> dead = List.copyOf(undecided);
    writer = start(number, next);
    rollAt = rollLength();
    version = next;
    needsNewFile = false;
    undecided.clear();
    try {
      background.execute(() -> {
        old.close();
        directory.delete(StoreFileName.manifest(old.number()));
        dead.forEach(directory::deleteClosed);
      });
    } catch (OutOfMemoryError e) {
      // The edit is durable. The next open of the store deletes these files.
    }
  }

  /** Creates a file that begins with a version, and puts it in force. */
  private ManifestWriter start(long number, Version first) {
    ManifestWriter next;
    try {
      next = ManifestWriter.create(directory, storeId, number, first);
    } catch (ResourceExhaustedException e) {
      deleteIfThere(number);
      throw e;
    }
    try {
      CurrentMarker.write(directory, storeId, number);
    } catch (RuntimeException | Error e) {
      next.close();
      if (e instanceof ResourceExhaustedException) {
        deleteIfThere(number); // a full disk must not fill up with manifests
      }
      throw e;
    }
    return next;
  }

  /** The factor prevents a store with a long snapshot from rewriting it at every edit. */
  private long rollLength() {
    return Math.max(rollBytes, 2 * writer.length());
  }

  private void deleteIfThere(long number) {
    String name = StoreFileName.manifest(number);
    if (directory.exists(name)) {
      directory.delete(name);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
