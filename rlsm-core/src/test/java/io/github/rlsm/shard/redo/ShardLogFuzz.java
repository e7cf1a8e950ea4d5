// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.redo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.rlsm.fuzz.Decoding;
import io.github.rlsm.fuzz.Forged;
import io.github.rlsm.io.SimulatedDirectory;
import io.github.rlsm.io.StoreFileName;
import io.github.rlsm.kv.ModelStore;
import io.github.rlsm.kv.WriteBatch;
import io.github.rlsm.shard.ShardIdentity;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes any bytes as the file {@code SHARDS}, as the operations of one of its records, and as the
 * identity of a shard. All decoders read every input.
 */
public final class ShardLogFuzz {

  private static final int SALT = 0x1122_3344;
  private static final int HEAD_CRC = ShardLogLayout.HEAD_BYTES - Integer.BYTES;
  private static final int IDENTITY_CRC = 20;

  private ShardLogFuzz() {}

  /** Decodes an input unchanged, and with corrected checksums. */
  public static void fuzzerTestOneInput(byte[] input) {
    read(input);
    read(sealed(input));
    Decoding.of(input.length, () -> ShardIdentity.decode(input, 0));
    byte[] identity =
        new Forged(input).sum().range(0, IDENTITY_CRC).putAt(IDENTITY_CRC).bytes();
    Decoding.of(identity.length, () -> ShardIdentity.decode(identity, 0));
    if (input.length >= BatchLayout.BYTES_MIN) { // The reader of records checks this first.
      Decoding.of(
          input.length,
          () -> BatchLayout.decode(
              ByteBuffer.wrap(input), "fuzzed", 0, (keyspace, key, value) -> {}));
    }
  }

  private static void read(byte[] file) {
    SimulatedDirectory directory = new SimulatedDirectory();
    directory.replace(StoreFileName.SHARDS, file);
    Decoding.of(file.length, () -> {
      try (TransactionLogReader reader = TransactionLogReader.open(directory)) {
        reader.read(gsn -> (keyspace, key, value) -> {});
      }
    });
  }

  private static byte[] sealed(byte[] input) {
    Forged forged =
        new Forged(input).header(0).sum().range(Forged.HEADER_BYTES, HEAD_CRC).putAt(HEAD_CRC);
    int offset = ShardLogLayout.HEAD_BYTES;
    while (forged.has(offset, ShardLogLayout.OPERATIONS_OFFSET)) {
      int salt = forged.buffer().getInt(HEAD_CRC - Integer.BYTES);
      int length = forged.buffer().getInt(offset + 4);
      if (length < 1 || !forged.has(offset + 8, length)) {
        break;
      }
      forged.sum().number(salt).range(offset + 4, offset + 8 + length).putAt(offset);
      offset += 8 + length;
    }
    return forged.bytes();
  }

  /** Returns a file with two records, their operations, and an identity. */
  public static List<byte[]> seeds() {
    ShardLogLayout.Head head = new ShardLogLayout.Head(7, 5, 3, false, 2, SALT);
    byte[] key = "key".getBytes(UTF_8);
    WriteBatch batch =
        new WriteBatch().put(key, key).delete(new ModelStore().keyspace("name"), key);
    ByteBuffer file = ByteBuffer.allocate(1024);
    file.put(Forged.bytesOf(ShardLogLayout.encode(head)));
    byte[] operations = {};
    for (int gsn = 5; gsn < 7; gsn++) {
      ByteBuffer record = TransactionLog.record(batch);
      ShardLogLayout.seal(record, gsn, SALT);
      byte[] bytes = Forged.bytesOf(record);
      file.put(bytes);
      operations = Arrays.copyOfRange(bytes, ShardLogLayout.OPERATIONS_OFFSET, bytes.length);
    }
    return List.of(Forged.bytesOf(file.flip()), operations, new ShardIdentity(7, 2, 3, 5).encode());
  }
}
