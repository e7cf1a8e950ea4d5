// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardIdentity;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bytes of FORMAT.md, "Shards". If this test fails, the code is wrong, or the format version
 * must change.
 */
class ShardLogGoldenTest {

  private static final String HEAD =
      "524c534d0d0a1a0a06000100" + "c43ad33d" + "efcdab8967452301" + "0000000000000000"
          + "0500000000000000" + "0300" + "01" + "01" + "02000000" + "44332211" + "fdebbcb9";

  /** As above if the shards' logs keep parts, before the opening is complete. */
  private static final String HEAD_OF_PARTS =
      "524c534d0d0a1a0a06000100" + "c43ad33d" + "efcdab8967452301" + "0000000000000000"
          + "0000000000000000" + "0300" + "01" + "02" + "02000000" + "44332211" + "9dce5f4a";

  private static final String RECORD = "32713c80" + "25000000" + "01" + "0500000000000000"
      + "0100" + "0100" + "6e"
      + "01" + "0000" + "0100" + "02000000" + "61" + "7631"
      + "02" + "0100" + "0200" + "00000000" + "6262";

  private static final String IDENTITY =
      "efcdab8967452301" + "0200" + "0300" + "0500000000000000" + "fce42185";

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.limit()];
    buffer.get(0, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static WriteBatch batch() {
    return new WriteBatch()
        .put(bytes("a"), bytes("v1"))
        .delete(new ModelStore().keyspace("n"), bytes("bb"));
  }

  @Test
  void theHead() {
    ShardLogLayout.Head head =
        new ShardLogLayout.Head(0x0123456789abcdefL, 5, 3, false, 2, 0x11223344);
    assertThat(hex(ShardLogLayout.encode(head))).isEqualTo(HEAD);
    ByteBuffer read = ByteBuffer.wrap(HexFormat.of().parseHex(HEAD)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(ShardLogLayout.decode(read, "SHARDS")).isEqualTo(head);
  }

  @Test
  void theHeadIfLogsKeepParts() {
    ShardLogLayout.Head head =
        new ShardLogLayout.Head(0x0123456789abcdefL, 0, 3, true, 2, 0x11223344);
    assertThat(hex(ShardLogLayout.encode(head))).isEqualTo(HEAD_OF_PARTS);
    ByteBuffer read =
        ByteBuffer.wrap(HexFormat.of().parseHex(HEAD_OF_PARTS)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(ShardLogLayout.decode(read, "SHARDS")).isEqualTo(head);
  }

  @Test
  void aRecord() {
    ByteBuffer record = TransactionLog.record(batch());
    ShardLogLayout.seal(record, 5, 0x11223344);
    assertThat(hex(record)).isEqualTo(RECORD);
  }

  @Test
  void aFileWithOneRecord() {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.replace(StoreFileName.SHARDS, HexFormat.of().parseHex(HEAD + RECORD));
    List<String> found = new ArrayList<>();
    try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
      long next = reader.read(gsn -> (keyspace, key, value) -> found.add(gsn + " " + keyspace + " "
          + new String(key, UTF_8) + " " + (value == null ? "-" : new String(value, UTF_8))));
      assertThat(next).isEqualTo(6);
    }
    assertThat(found).containsExactly("5 null a v1", "5 n bb -");
  }

  @Test
  void anIdentity() {
    ShardIdentity identity = new ShardIdentity(0x0123456789abcdefL, 2, 3, 5);
    assertThat(HexFormat.of().formatHex(identity.encode())).isEqualTo(IDENTITY);
    assertThat(ShardIdentity.decode(HexFormat.of().parseHex(IDENTITY), 2)).isEqualTo(identity);
  }
}
