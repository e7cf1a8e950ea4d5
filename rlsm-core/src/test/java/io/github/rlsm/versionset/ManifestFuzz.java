// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes any bytes as a manifest, as the marker that names a manifest, and as the changes of one
 * edit. All decoders read every input.
 */
public final class ManifestFuzz {

  private static final ManifestFixture FIXTURE = new ManifestFixture();

  /** The snapshot at the start of a manifest, and its end record. */
  private static final int SNAPSHOT_RECORDS = 2;

  private ManifestFuzz() {}

  /** Decodes an input unchanged, and with corrected checksums. */
  public static void fuzzerTestOneInput(byte[] input) {
    byte[] marker = marker();
    recover(input, marker);
    recover(sealed(input), marker);
    recover(marker, input);
    recover(marker, new Forged(input).header(0).bytes());
    recover(asEdit(input), marker);
  }

  /** Returns a valid manifest with the input as the changes of one edit. */
  private static byte[] asEdit(byte[] input) {
    int start = FIXTURE.offsets.get(SNAPSHOT_RECORDS);
    ByteBuffer file = ByteBuffer.allocate(
        start + ManifestLayout.recordBytes(input.length) + ManifestLayout.recordBytes(0));
    file.put(FIXTURE.bytes, 0, start);
    ManifestLayout.put(file, SNAPSHOT_RECORDS, input);
    ManifestLayout.put(file, SNAPSHOT_RECORDS + 1, new byte[0]);
    return Forged.bytesOf(file);
  }

  private static byte[] marker() {
    return Forged.bytesOf(
        new FileHeader(FileHeader.Kind.CURRENT, ManifestFixture.STORE_ID, ManifestFixture.NUMBER)
            .encode());
  }

  private static void recover(byte[] manifest, byte[] marker) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.replace(StoreFileName.CURRENT, marker);
    directory.replace(ManifestFixture.NAME, manifest);
    directory.replace(StoreFileName.table(1), new byte[1]);
    directory.replace(StoreFileName.table(2), new byte[1]);
    Decoding.of(manifest.length + marker.length, () -> ManifestRecovery.recover(directory));
  }

  private static byte[] sealed(byte[] input) {
    Forged forged = new Forged(input).header(0);
    int offset = Forged.HEADER_BYTES;
    while (forged.has(offset, ManifestLayout.CHANGES_OFFSET)) {
      int length = forged.buffer().getInt(offset + 4);
      if (length < 1 || !forged.has(offset + 8, length)) {
        break;
      }
      forged.sum().range(offset + 4, offset + 8 + length).putAt(offset);
      offset += 8 + length;
    }
    return forged.bytes();
  }

  /** Returns a manifest with every kind of change, a marker, and edits. */
  public static List<byte[]> seeds() {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(FIXTURE.bytes);
    seeds.add(marker());
    ManifestFixture.EDITS.forEach(edit -> seeds.add(edit.changes()));
    return seeds;
  }
}
