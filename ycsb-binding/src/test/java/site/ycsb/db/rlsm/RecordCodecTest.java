// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package site.ycsb.db.rlsm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.github.rlsm.kv.InvalidEntryException;
import io.github.rlsm.kv.TestSeed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;

class RecordCodecTest {

  private static final HexFormat HEX = HexFormat.of();

  private final long seed = TestSeed.get();

  @Test
  void encodesDocumentedBytes() {
    byte[] record = RecordCodec.encode(fields("b", "two", "a", "", "ä", "1"));

    // version, count; (0, "a"), (3, "b"), (1, "ä") as name length, value length, name; values
    assertThat(HEX.formatHex(record))
        .isEqualTo("01" + "03" + "010061" + "010362" + "0201c3a4" + "74776f" + "31");
  }

  @Test
  void lengthsAbove127TakeTwoBytes() throws MalformedRecordException {
    byte[] record = RecordCodec.encode(Map.of("f", new byte[300]));

    assertThat(HEX.formatHex(record, 0, 6)).isEqualTo("01" + "01" + "01" + "ac02" + "66");
    assertThat(record).hasSize(6 + 300);
    assertThat(decode(record, null).get("f")).hasSize(300);
  }

  @Test
  void acceptsRecordWithoutFields() throws MalformedRecordException {
    assertThat(HEX.formatHex(RecordCodec.encode(Map.of()))).isEqualTo("0100");
    assertThat(decode(HEX.parseHex("0100"), null)).isEmpty();
  }

  @Test
  void decodeInvertsEncode() throws MalformedRecordException {
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      Map<String, byte[]> fields = randomFields(random);
      Map<String, byte[]> decoded = decode(RecordCodec.encode(fields), null);
      assertThat(readable(decoded)).as(TestSeed.howToReplay(seed)).isEqualTo(readable(fields));
    }
  }

  @Test
  void decodesOnlyRequestedFields() throws MalformedRecordException {
    byte[] record = RecordCodec.encode(fields("a", "1", "b", "2", "c", "3"));

    assertSame(decode(record, Set.of("b")), fields("b", "2"));
    assertSame(decode(record, Set.of("c", "a", "none")), fields("a", "1", "c", "3"));
    assertThat(decode(record, Set.of())).isEmpty();
  }

  @Test
  void mergeReplacesAndAddsFields() throws MalformedRecordException {
    byte[] record = RecordCodec.encode(fields("b", "old", "d", "kept"));

    byte[] merged = RecordCodec.merge(record, fields("b", "new", "a", "first", "z", "last"));

    assertThat(merged)
        .isEqualTo(RecordCodec.encode(fields("a", "first", "b", "new", "d", "kept", "z", "last")));
  }

  @Test
  void mergeMatchesMapUpdate() throws MalformedRecordException {
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      Map<String, byte[]> fields = randomFields(random);
      Map<String, byte[]> changes = randomFields(random);
      byte[] merged = RecordCodec.merge(RecordCodec.encode(fields), changes);
      fields.putAll(changes);
      assertThat(merged).as(TestSeed.howToReplay(seed)).isEqualTo(RecordCodec.encode(fields));
    }
  }

  @Test
  void namesThatAreOneInUtf8AreRefused() {
    // Each unpaired surrogate is encoded as a question mark.
    assertThatThrownBy(() -> RecordCodec.encode(fields("\uD800", "1", "\uDC00", "2")))
        .isInstanceOf(InvalidEntryException.class)
        .hasMessageContaining("same name");
  }

  @Test
  void refusesMalformedRecord() {
    refused("", "only 0 bytes");
    refused("01", "only 1 bytes");
    refused("0200", "version 2");
    refused("ff00", "version 255");
    refused("0101", "1 fields do not fit");
    refused("01ffffffff07", "2147483647 fields do not fit");
    refused("01ffffffff0f", "too large");
    refused("018000", "shortest form");
    refused("0180", "runs past the end");
    refused("01010501", "a name of 5 bytes");
    refused("0101010461", "4 bytes of values expected, 0 found");
    refused("0101010061" + "00", "0 bytes of values expected, 1 found");
    refused("0102" + "010062" + "010061", "ascending");
    refused("0102" + "010061" + "010061", "ascending");
    // The lengths add up to the right sum only by overflow.
    refused("0103" + "01ffffffff0761" + "01ffffffff0762" + "010263", "values expected");
  }

  @Test
  void refusesEveryTruncation() {
    byte[] record = RecordCodec.encode(fields("field0", "some value", "field1", "another"));
    for (int length = 0; length < record.length; length++) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThatThrownBy(() -> decode(cut, null)).isInstanceOf(MalformedRecordException.class);
    }
  }

  @Test
  void hostileBytesThrowOnlyMalformedRecord() {
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = RecordCodec.encode(randomFields(random));
      int flips = 1 + random.nextInt(4);
      for (int flip = 0; flip < flips; flip++) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        random.nextBytes(bytes);
        bytes[0] = 1;
      }
      try {
        RecordCodec.merge(bytes, fields("x", "y"));
        decode(bytes, null);
      } catch (MalformedRecordException expected) {
        assertThat(expected).hasMessageContaining("offset");
      } catch (RuntimeException worse) {
        fail(HEX.formatHex(bytes) + "; " + TestSeed.howToReplay(seed), worse);
      }
    }
  }

  private static void refused(String hex, String message) {
    assertThatThrownBy(() -> decode(HEX.parseHex(hex), null))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining(message);
  }

  private static Map<String, byte[]> randomFields(Random random) {
    Map<String, byte[]> fields = new HashMap<>();
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(random.nextInt(10) == 0 ? 300 : 20)];
      random.nextBytes(value);
      fields.put("field" + random.nextInt(20), value);
    }
    return fields;
  }

  private static Map<String, byte[]> fields(String... namesAndValues) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    return fields;
  }

  private static Map<String, byte[]> decode(byte[] record, Set<String> wanted)
      throws MalformedRecordException {
    Map<String, ByteIterator> decoded = new HashMap<>();
    RecordCodec.decode(record, wanted, decoded);
    Map<String, byte[]> fields = new HashMap<>();
    decoded.forEach((name, value) -> fields.put(name, value.toArray()));
    return fields;
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(readable(actual)).isEqualTo(readable(expected));
  }

  private static Map<String, String> readable(Map<String, byte[]> fields) {
    Map<String, String> readable = new TreeMap<>();
    fields.forEach((name, value) -> readable.put(name, HEX.formatHex(value)));
    return readable;
  }
}
