// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.logdevice;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.io.AppendFile;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.MappedChecksum;
import io.github.rlsm.io.MappedFaults;
import io.github.rlsm.io.MappedFile;
import io.github.rlsm.io.StoreDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.CorruptionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A note in the store's directory, the file {@code LOG-DEVICE}, that names the store's log device.
 * The device may hold log bytes that the store's files lack. So the note exists from before the
 * first write to the device until the files have all of the device's bytes.
 *
 * <pre>
 * | offset | size | name     | meaning                                           |
 * |      0 |   32 | file     | the common file header, file number 0             |
 * |     32 |    8 | deviceId | from the device's superblock                      |
 * |     40 |    8 | epoch    | from the device's superblock                      |
 * |     48 |    4 | crc32c   | of bytes [32, 48), then from 52 to the end        |
 * |     52 |      | path     | where the device was, in UTF-8, to the file's end |
 * </pre>
 *
 * <p>DO NOT CHANGE: these bytes are on disk. A new layout gets a new format version. FORMAT.md:
 * "Note in the store".
 *
 * @param deviceId the device's id
 * @param epoch the device's epoch; a copy of the store that takes over the device begins another
 * @param path where the device was
 */
record DeviceNote(long deviceId, long epoch, String path) {

  private static final int DEVICE_ID = FileHeader.BYTES;
  private static final int EPOCH = DEVICE_ID + 8;
  private static final int CRC = EPOCH + 8;
  private static final int PATH = CRC + 4;
  private static final int PATH_BYTES_MAX = 1 << 16;

  ByteBuffer encode(long storeId) {
    byte[] name = path.getBytes(UTF_8);
    ByteBuffer file = ByteBuffer.allocate(PATH + name.length).order(ByteOrder.LITTLE_ENDIAN);
    new FileHeader(FileHeader.Kind.LOG_DEVICE, storeId, 0).encode(file, 0);
    file.putLong(DEVICE_ID, deviceId);
    file.putLong(EPOCH, epoch);
    file.put(PATH, name);
    file.putInt(CRC, crc(file));
    return file;
  }

  /** Reads the note of a store; null if it has none. */
  static @Nullable DeviceNote read(StoreDirectory directory, long storeId) {
    String name = StoreFileName.LOG_DEVICE;
    if (!directory.exists(name)) {
      return null;
    }
    long bytes = directory.size(name);
    if (bytes <= PATH || bytes > PATH + PATH_BYTES_MAX) {
      throw new CorruptionException(
          name, 0, "the file has " + bytes + " bytes, which a note of a log device never has");
    }
    try (MappedFile file = directory.openReadOnly(name)) {
      return MappedFaults.using(name, () -> decode(file.memory(), name, storeId));
    }
  }

  static DeviceNote decode(ByteBuffer file, String name, long storeId) {
    FileHeader.decode(file, name).expect(name, FileHeader.Kind.LOG_DEVICE, storeId, 0);
    if (file.getInt(CRC) != crc(file)) {
      throw new CorruptionException(name, DEVICE_ID, "the file fails its checksum");
    }
    byte[] path = new byte[file.capacity() - PATH];
    file.get(PATH, path);
    return new DeviceNote(file.getLong(DEVICE_ID), file.getLong(EPOCH), new String(path, UTF_8));
  }

  /** Writes the note of a store, durably. */
  void write(StoreDirectory directory, long storeId) {
    String temporary = StoreFileName.LOG_DEVICE_TEMPORARY;
    if (directory.exists(temporary)) {
      directory.delete(temporary);
    }
    try (AppendFile file = directory.create(temporary)) {
      file.append(encode(storeId));
      file.force();
    }
    directory.syncDirectory();
    directory.rename(temporary, StoreFileName.LOG_DEVICE);
    directory.syncDirectory();
  }

  /** Deletes the note, durably. */
  static void delete(StoreDirectory directory) {
    directory.delete(StoreFileName.LOG_DEVICE);
    directory.syncDirectory();
  }

  private static int crc(ByteBuffer file) {
    CRC32C crc = new CRC32C();
    MappedChecksum.update(crc, file, DEVICE_ID, CRC - DEVICE_ID);
    MappedChecksum.update(crc, file, PATH, file.capacity() - PATH);
    return (int) crc.getValue();
  }
}
