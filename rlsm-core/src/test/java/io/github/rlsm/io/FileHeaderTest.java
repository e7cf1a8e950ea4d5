// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.rlsm.kv.CorruptionException;
import io.github.rlsm.kv.FormatVersionException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileHeaderTest {

  private static final FileHeader HEADER =
      new FileHeader(FileHeader.Kind.TABLE, 0x0123456789ABCDEFL, 0x1122334455667788L);

  /**
   * The format's bytes. If this test fails, the code is wrong, or the format version must change.
   */
  private static final String GOLDEN = "524c534d0d0a1a0a" // magic
      + "03" // kind: table
      + "00"
      + "0100" // format version 1
      + "11f0eef4" // CRC32C of the other 28 bytes
      + "efcdab8967452301" // store id
      + "8877665544332211"; // file number

  @Test
  void goldenBytes() {
    assertThat(HexFormat.of().formatHex(HEADER.encode().array())).isEqualTo(GOLDEN);
    assertThat(decode(HexFormat.of().parseHex(GOLDEN))).isEqualTo(HEADER);
  }

  @ParameterizedTest
  @EnumSource(FileHeader.Kind.class)
  void everyKindComesBack(FileHeader.Kind kind) {
    FileHeader header = new FileHeader(kind, -1, Long.MAX_VALUE);
    assertThat(decode(header.encode().array())).isEqualTo(header);
  }

  @Test
  void kindCodesAreFrozen() {
    assertThat(Arrays.stream(FileHeader.Kind.values()).map(kind -> kind.code() + " " + kind))
        .containsExactly(
            "1 write-ahead log",
            "2 value log",
            "3 table",
            "4 manifest",
            "5 current marker",
            "6 shard file",
            "7 log device");
  }

  @Test
  void encodesAnywhereInAnyByteOrder() {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(100).order(order).position(3);
      HEADER.encode(buffer, 64);
      assertThat(buffer.position()).isEqualTo(3);
      assertThat(buffer.order()).isEqualTo(order);
      assertThat(buffer.slice(64, 32)).isEqualTo(HEADER.encode());
      assertThat(FileHeader.decode(buffer.slice(64, 36), "f")).isEqualTo(HEADER);
    }
  }

  @Test
  void everyFlippedBitIsCorruption() {
    for (int bit = 0; bit < FileHeader.BYTES * Byte.SIZE; bit++) {
      byte[] bytes = HEADER.encode().array();
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatExceptionOfType(CorruptionException.class)
          .as("bit %d", bit)
          .isThrownBy(() -> decode(bytes))
          .withMessageContaining("tab-1")
          .satisfies(e -> assertThat(e.file()).isEqualTo("tab-1"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31})
  void shortFilesAreCorrupt(int length) {
    byte[] bytes = Arrays.copyOf(HEADER.encode().array(), length);
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> decode(bytes))
        .withMessageContaining("ends after " + length);
  }

  @Test
  void zerosAreCorrupt() {
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> decode(new byte[FileHeader.BYTES]))
        .withMessageContaining("all zeros");
  }

  @Test
  void foreignFilesAreRefused() {
    byte[] bytes =
        "#!/bin/sh\necho this is no file of a store\n".getBytes(StandardCharsets.US_ASCII);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> decode(bytes))
        .withMessageContaining("not a file of an RLSM store");
  }

  @Test
  void newerFormatsAreRefused() {
    byte[] bytes = resealed(10, 2);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> decode(bytes))
        .withMessageContaining("tab-1: format version 2, but this release reads version 1");
    byte[] flagged = resealed(9, 1);
    assertThatExceptionOfType(FormatVersionException.class).isThrownBy(() -> decode(flagged));
    byte[] kind = resealed(8, 8);
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> decode(kind))
        .withMessageContaining("unknown kind of file: 8");
  }

  @Test
  void mismatchedHeaderFieldsAreRefused() {
    assertThatNoException()
        .isThrownBy(
            () -> HEADER.expect("f", FileHeader.Kind.TABLE, HEADER.storeId(), HEADER.fileNumber()));
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() ->
            HEADER.expect("f", FileHeader.Kind.MANIFEST, HEADER.storeId(), HEADER.fileNumber()))
        .withMessageContaining("f at offset 8: the header names the kind table, expected manifest");
    assertThatExceptionOfType(FormatVersionException.class)
        .isThrownBy(() -> HEADER.expect("f", FileHeader.Kind.TABLE, 1, HEADER.fileNumber()))
        .withMessageContaining("belongs to store 0123456789abcdef, not to this store (00000000");
    assertThatExceptionOfType(CorruptionException.class)
        .isThrownBy(() -> HEADER.expect("f", FileHeader.Kind.TABLE, HEADER.storeId(), 7))
        .withMessageContaining("f at offset 24: the header names file number")
        .withMessageContaining("expected 7; restore");
  }

  /** Returns a header with another byte and a valid checksum, as a later release may write it. */
  private static byte[] resealed(int offset, int value) {
    byte[] bytes = HEADER.encode().array();
    bytes[offset] = (byte) value;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 12);
    crc.update(bytes, 16, 16);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(12, (int) crc.getValue());
    return bytes;
  }

  private static FileHeader decode(byte[] bytes) {
    return FileHeader.decode(ByteBuffer.wrap(bytes), "tab-1");
  }
}
