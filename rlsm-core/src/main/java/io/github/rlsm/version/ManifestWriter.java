// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.version;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.log.ManifestMark;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a manifest: a snapshot of a version, then edits.
 *
 * <p>An edit is a record, forced. After it comes a mark, a record without changes, which is not
 * forced: it costs no wait, is there after anything but power loss, and proves that the edit before
 * it was whole. Without marks, damage to the last edit of all could not be told from an edit that
 * was being written in the crash, and would be dropped in silence.
 *
 * <p>Once an append has failed, the file's end is unknown. Nothing may be appended then:
 * {@link #isWhole}.
 *
 * <p>Threads: one thread at a time.
 */
final class ManifestWriter implements AutoCloseable {

  private static final byte[] MARK = new byte[0];

  private final AppendFile file;
  private final long number;

  /** Number of the record to come. */
  private long nextRecord;

  /** How many records were forced. */
  private long durableRecords;

  private boolean isWhole;

  private ManifestWriter(AppendFile file, long number) {
    this.file = file;
    this.number = number;
  }

  /**
   * Makes a manifest that begins with a version, and forces it. It is not in force yet:
   * {@link CurrentMarker#write}.
   */
  static ManifestWriter create(
      StoreDirectory directory, long storeId, long number, Version version) {
    byte[] snapshot = VersionEdit.of(version).changes();
    AppendFile file = directory.create(StoreFileName.manifest(number));
    ManifestWriter writer = new ManifestWriter(file, number);
    try {
      file.append(new FileHeader(FileKind.MANIFEST, storeId, number).encode());
      writer.append(snapshot);
      writer.append(MARK);
      file.force();
      writer.durableRecords = writer.nextRecord;
      writer.isWhole = true;
      return writer;
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /** Number of the manifest, as in its file name. */
  long number() {
    return number;
  }

  /** Bytes in the file. */
  long length() {
    return file.length();
  }

  /** How far this manifest is durable after its creation or its last edit. */
  ManifestMark mark() {
    return new ManifestMark(number, (int) Math.min(Integer.MAX_VALUE, durableRecords));
  }

  /** Whether every append was written whole, so that another one may follow. */
  boolean isWhole() {
    return isWhole;
  }

  /**
   * Appends an edit. When this returns, it survives power loss. When it throws, it is unknown
   * whether the next open finds the edit.
   */
  void append(VersionEdit edit) {
    byte[] changes = edit.changes();
    isWhole = false;
    append(changes);
    file.force();
    durableRecords = nextRecord;
    try {
      append(MARK);
      isWhole = true;
    } catch (ResourceExhaustedException e) {
      // The edit is durable. Only a later edit would need the mark, and that goes to a new file.
    }
  }

  private void append(byte[] changes) {
    ByteBuffer record = ByteBuffer.allocate(ManifestLayout.recordBytes(changes.length))
        .order(ByteOrder.LITTLE_ENDIAN);
    ManifestLayout.put(record, nextRecord, changes);
    nextRecord++;
    file.append(record.flip());
  }

  @Override
  public void close() {
    file.close();
  }
}
