// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import io.github.rlsm.version.Version;
import io.github.rlsm.version.VersionEdit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** One test for each row of {@link ManifestReader}'s table, then all bytes and all lengths. */
class ManifestReaderTest {

  /** The number of records of the shortest manifest: the snapshot and its end record. */
  private static final int RECORDS_MIN = 2;

  private final ManifestFixture fixture = new ManifestFixture();
  private final int lastEndRecord = fixture.offsets.get(fixture.offsets.size() - 2);

  @Test
  void caseACleanEndDropsNothing() {
    ManifestReader reader = ManifestFixture.reader(fixture.bytes);
    assertThat(reader.read()).isEqualTo(last());
    assertThat(reader.droppedBytes()).isZero();
  }

  @Test
  void caseBTornSnapshotIsCorruption() {
    byte[] cut = Arrays.copyOf(fixture.bytes, fixture.offsets.get(RECORDS_MIN) - 1);
    assertCorrupt(cut, fixture.offsets.get(1), "no whole snapshot");
    assertCorrupt(Arrays.copyOf(cut, FileHeader.BYTES), FileHeader.BYTES, "no whole snapshot");
  }

  /** A power loss kept the sector of the last edit, but not the whole end record before it. */
  @Test
  void caseCTornMarkAtTheEndIsIgnored() {
    int edit = fixture.offsets.get(fixture.offsets.size() - 3);
    int end = fixture.offsets.get(fixture.offsets.size() - 4);
    for (int at = end; at < edit; at++) {
      byte[] torn = Arrays.copyOf(flipped(at, 0), lastEndRecord);
      ManifestReader reader = ManifestFixture.reader(torn);
      assertThat(reader.read()).as("byte %d", at).isEqualTo(last());
      assertThat(reader.droppedBytes()).isZero();
    }
  }

  @Test
  void caseCTornMarkBeforeAWholeRecordIsCorruption() {
    int end = fixture.offsets.get(fixture.offsets.size() - 4);
    assertCorrupt(flipped(end + 9, 0), end, "a whole record follows at offset");
  }

  @Test
  void caseDDamagedRecordBeforeAWholeOneIsCorruption() {
    int offset = fixture.offsets.get(4);
    assertCorrupt(flipped(offset + 20, 0), offset, "a whole record follows at offset");
  }

  @Test
  void caseDDamagedLastEditBeforeItsMarkIsCorruption() {
    int edit = fixture.offsets.get(fixture.offsets.size() - 3);
    assertCorrupt(flipped(edit + 20, 0), edit, "a whole record follows at offset " + lastEndRecord);
  }

  @Test
  void caseETornTailIsDropped() {
    byte[] cut = Arrays.copyOf(fixture.bytes, lastEndRecord - 3);
    ManifestReader reader = ManifestFixture.reader(cut);
    assertThat(reader.read()).isEqualTo(fixture.versions.get(fixture.versions.size() - 3));
    int edit = fixture.offsets.get(fixture.offsets.size() - 3);
    assertThat(reader.droppedBytes()).isEqualTo(lastEndRecord - 3 - edit);
  }

  @Test
  void caseETailOfZerosOrOfOldBytesIsDropped() {
    byte[] longer = Arrays.copyOf(fixture.bytes, fixture.bytes.length + 5000);
    assertThat(ManifestFixture.reader(longer).read()).isEqualTo(last());
    byte[] random = new byte[5000];
    new Random(1).nextBytes(random);
    System.arraycopy(random, 0, longer, fixture.bytes.length, random.length);
    ManifestReader reader = ManifestFixture.reader(longer);
    assertThat(reader.read()).isEqualTo(last());
    assertThat(reader.droppedBytes()).isEqualTo(5000);
  }

  @Test
  void refusesADuplicateRecord() {
    byte[] end = Arrays.copyOfRange(fixture.bytes, lastEndRecord, fixture.bytes.length);
    byte[] longer = Arrays.copyOf(fixture.bytes, fixture.bytes.length + end.length);
    System.arraycopy(end, 0, longer, fixture.bytes.length, end.length);
    assertCorrupt(longer, fixture.bytes.length, "found record 11, expected record 12");
  }

  @Test
  void everyFlippedBitIsNoticed() {
    byte[] bytes = fixture.bytes;
    for (int at = FileHeader.BYTES; at < bytes.length; at++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] flipped = flipped(at, bit);
        if (at < lastEndRecord) {
          assertThatThrownBy(() -> ManifestFixture.reader(flipped).read())
              .as("byte %d bit %d", at, bit)
              .isInstanceOf(CorruptionException.class);
        } else {
          assertThat(ManifestFixture.reader(flipped).read()).isEqualTo(last());
        }
      }
    }
  }

  @Test
  void readsAPrefixOfTheEditsFromEveryTruncation() {
    for (int length = FileHeader.BYTES; length < fixture.bytes.length; length++) {
      byte[] cut = Arrays.copyOf(fixture.bytes, length);
      int records = fixture.recordsIn(length);
      ManifestReader reader = ManifestFixture.reader(cut);
      if (records < RECORDS_MIN) {
        assertThatThrownBy(reader::read).isInstanceOf(CorruptionException.class);
      } else {
        assertThat(reader.read()).isEqualTo(fixture.versions.get(records - 1));
        assertThat(reader.droppedBytes()).isEqualTo(length - fixture.offsets.get(records));
      }
    }
  }

  @Test
  void refusesFormatsAndChangesOfANewerRelease() {
    byte[] format = withLastEndRecord(new byte[0]);
    format[lastEndRecord + 8] = 2;
    assertThatThrownBy(() -> ManifestFixture.reader(sealed(format)).read())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("has format 2");
    byte[] change = withLastEndRecord(new byte[] {18});
    assertThatThrownBy(() -> ManifestFixture.reader(change).read())
        .isInstanceOf(FormatVersionException.class)
        .hasMessageContaining("unknown kind 18");
  }

  @Test
  void refusesChangesThatAreCutShortOrImpossible() {
    assertCorrupt(withLastEndRecord(new byte[] {3, 1}), "field of 8 bytes; remaining bytes: 1");
    assertCorrupt(withLastEndRecord(new byte[] {1, 1}), "field of 8 bytes");
    assertCorrupt(withLastEndRecord(new byte[] {4, 8}), "key range with ends 8");
    byte[] countOfRuns = {4, 0, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7F};
    assertCorrupt(withLastEndRecord(countOfRuns), "count of 2147483647 elements");
    assertCorrupt(withLastEndRecord(new byte[] {7, 0, 0, 0, (byte) 0x80}), "number 2147483648");
    assertCorrupt(
        withLastEndRecord(new byte[] {6, 9, 0, 0, 0, 1, 0, (byte) 0xC3}),
        "the text is not valid UTF-8");
    byte[] key = {4, 1, (byte) 0xFF, (byte) 0xFF, 'a'};
    assertCorrupt(withLastEndRecord(key), "field of 65535 bytes; remaining bytes: 1");
  }

  @Test
  void refusesEditsThatDoNotFitTheVersionOnDisk() {
    byte[] unknown = VersionEdit.builder().removeL0(77).build().changes();
    assertCorrupt(withLastEndRecord(unknown), lastEndRecord, "table 77 is not in level 0");
    byte[] noTable = new byte[1 + 8 + 1 + 8 + 8 + 4];
    noTable[0] = 2;
    assertCorrupt(withLastEndRecord(noTable), lastEndRecord, "a run of table 0");
    byte[] lastId = {6, -1, -1, -1, 0x7F, 1, 0, 'x'};
    assertCorrupt(withLastEndRecord(lastId), lastEndRecord, "cannot be used");
  }

  private Version last() {
    return fixture.versions.get(fixture.versions.size() - 1);
  }

  private byte[] flipped(int at, int bit) {
    byte[] bytes = fixture.bytes.clone();
    bytes[at] ^= (byte) (1 << bit);
    return bytes;
  }

  /** Returns the manifest with other changes in its last record and a corrected checksum. */
  private byte[] withLastEndRecord(byte[] changes) {
    ByteBuffer bytes = ByteBuffer.allocate(
            lastEndRecord + ManifestLayout.recordBytes(changes.length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(fixture.bytes, 0, lastEndRecord);
    ManifestLayout.put(bytes, fixture.offsets.size() - 2, changes);
    return bytes.array();
  }

  /** Returns the manifest with a corrected checksum in its last record. */
  private byte[] sealed(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, lastEndRecord + 4, bytes.length - lastEndRecord - 4);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(lastEndRecord, (int)
        crc.getValue());
    return bytes;
  }

  private static void assertCorrupt(byte[] bytes, long offset, String why) {
    assertThatThrownBy(() -> ManifestFixture.reader(bytes).read())
        .isInstanceOfSatisfying(CorruptionException.class, e -> {
          assertThat(e.file()).isEqualTo(ManifestFixture.NAME);
          assertThat(e.offset()).isEqualTo(offset);
        })
        .hasMessageContaining(why);
  }

  private static void assertCorrupt(byte[] bytes, String why) {
    assertThatThrownBy(() -> ManifestFixture.reader(bytes).read())
        .isInstanceOf(CorruptionException.class)
        .hasMessageContaining(why);
  }
}
