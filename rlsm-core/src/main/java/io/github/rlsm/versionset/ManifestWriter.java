// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ResourceExhaustedException;
import io.github.rlsm.log.ManifestPosition;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes a manifest: a snapshot of a version, then edits.
 *
 * <p>An edit is a forced record. An end record follows, which is a record without changes. It is
 * not forced, so it costs no wait. It survives everything except power loss, and proves that the
 * edit before it was complete. Without end records, damage to the last edit would look like an edit
 * that a crash interrupted, and recovery would drop it silently.
 *
 * <p>After a failed append, the end of the file is unknown. Nothing may be appended then:
 * {@link #isWhole}.
 *
 * <p>Threads: one thread at a time.
 */
final class ManifestWriter implements AutoCloseable {

  private static final byte[] END_RECORD = new byte[0];

  private final AppendFile file;
  private final long number;

  /** Number of the next record. */
  private long nextRecord;

  /** The number of forced records. */
  private long durableRecords;

  private boolean isWhole;

  private ManifestWriter(AppendFile file, long number) {
    this.file = file;
    this.number = number;
  }

  /**
   * Creates a manifest that begins with a version, and forces it. {@link CurrentMarker#write} puts
   * it in force later.
   */
  static ManifestWriter create(
      StoreDirectory directory, long storeId, long number, Version version) {
    byte[] snapshot = VersionEdit.of(version).changes();
    AppendFile file = directory.create(StoreFileName.manifest(number));
    ManifestWriter writer = new ManifestWriter(file, number);
    try {
      file.append(new FileHeader(FileHeader.Kind.MANIFEST, storeId, number).encode());
      writer.append(snapshot);
      writer.append(END_RECORD);
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

  /**
   * The number of this manifest and of its durable records, after its creation or its last edit.
   */
  ManifestPosition position() {
    return new ManifestPosition(number, (int) Math.min(Integer.MAX_VALUE, durableRecords));
  }

  /** Whether every append was complete, so that another one may follow. */
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
      append(END_RECORD);
      isWhole = true;
    } catch (ResourceExhaustedException e) {
      // The edit is durable. Only a later edit would need the end record, and that edit goes to a
      // new file.
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
