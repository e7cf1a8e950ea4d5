// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static io.github.rlsm.version.Fixtures.partition;
import static io.github.rlsm.version.Fixtures.range;
import static io.github.rlsm.version.Fixtures.run;
import static io.github.rlsm.version.Fixtures.table;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.version.Partition;
import io.github.rlsm.version.SegmentAccount;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A small manifest with every kind of change, and the versions after each of its records. */
final class ManifestFixture {

  static final long STORE_ID = 0x1122_3344_5566_7788L;
  static final long NUMBER = 9;
  static final String NAME = StoreFileName.manifest(NUMBER);

  /** Edits that use every tag of the format. */
  static final List<VersionEdit> EDITS = List.of(
      VersionEdit.builder()
          .addTable(table(1))
          .addL0(run(1))
          .flushed(16, 2)
          .addSegment(new SegmentAccount(1, 5000, 7, 48))
          .build(),
      VersionEdit.builder().createKeyspace(1, "users").setOption("shards", "4").build(),
      VersionEdit.builder()
          .removeL0(1)
          .replacePartitions(List.of(), List.of(partition(range("a", null), 1)))
          .build(),
      VersionEdit.builder()
          .addTable(table(2))
          .replacePartitions(
              List.of(partition(range("a", null), 1)),
              List.of(
                  new Partition(
                      range("a", "m"),
                      List.of(
                          run(1, range("a", "m")).withMovedOut(List.of(1)),
                          run(2, range("a", "m")))),
                  partition(range("m", "t"), 1)))
          .addDeadBytes(1, 93)
          .build(),
      VersionEdit.builder().dropKeyspace(1).removeSegment(1).nextFileNumber(10).build());

  /** The bytes of the manifest. */
  final byte[] bytes;

  /** The start of each record, and at the end the length of the file. */
  final List<Integer> offsets = new ArrayList<>();

  /** The version after each record. */
  final List<Version> versions = new ArrayList<>();

  ManifestFixture() {
    SimulatedDirectory directory = new SimulatedDirectory();
    Version version =
        Version.EMPTY.apply(VersionEdit.builder().setOption("shape", "1").build());
    try (ManifestWriter writer = ManifestWriter.create(directory, STORE_ID, NUMBER, version)) {
      versions.add(version);
      versions.add(version);
      for (VersionEdit edit : EDITS) {
        writer.append(edit);
        version = version.apply(edit);
        versions.add(version);
        versions.add(version);
      }
    }
    bytes = directory.bytes(NAME);
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int offset = FileHeader.BYTES;
    while (offset < bytes.length) {
      offsets.add(offset);
      offset += ManifestLayout.RECORDS.bytesAt(file, offset);
    }
    offsets.add(offset);
  }

  /** The number of records that lie completely within the first {@code length} bytes. */
  int recordsIn(int length) {
    int records = 0;
    while (records + 1 < offsets.size() && offsets.get(records + 1) <= length) {
      records++;
    }
    return records;
  }

  static ManifestReader reader(byte[] bytes) {
    return new ManifestReader(ByteBuffer.wrap(bytes), NAME);
  }
}
