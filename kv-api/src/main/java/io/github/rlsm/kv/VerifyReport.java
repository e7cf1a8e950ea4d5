// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The outcome of {@link KvStore#verify(VerifyListener)}.
 *
 * @param bytesRead bytes that were read and checked
 * @param damageCount number of damages found
 * @param damage the first {@value #LISTED_MAX} damages
 */
public record VerifyReport(long bytesRead, long damageCount, List<Damage> damage) {

  /** Number of damages that a report lists. A listener receives all. */
  public static final int LISTED_MAX = 1000;

  /** Copies the list, and cuts it to {@link #LISTED_MAX}. */
  public VerifyReport {
    damage = List.copyOf(damage.size() <= LISTED_MAX ? damage : damage.subList(0, LISTED_MAX));
  }

  /** Whether no damage was found. */
  public boolean isSound() {
    return damageCount == 0;
  }

  /**
   * Throws the error of the first damage, with the errors of the other listed damages attached as
   * suppressed exceptions. Does nothing if no damage was found.
   */
  public void throwIfDamaged() {
    if (!damage.isEmpty()) {
      KvException first = damage.get(0).cause();
      damage.stream().skip(1).forEach(each -> first.addSuppressed(each.cause()));
      throw first;
    }
  }

  /**
   * Bytes that cannot be read, or that differ from the written bytes.
   *
   * @param file the damaged file's name; in a store of several shards preceded by the shard, as in
   *     {@code shard 2: tab-00000001.tbl}
   * @param offset bytes from the start of the file to the damaged structure
   * @param keys the keys that may be lost, or that may appear with an older value or no value;
   *     empty if unknown
   * @param cause the error that a read of these bytes throws
   */
  public record Damage(String file, long offset, List<Keys> keys, KvException cause) {

    /** Copies the list. */
    public Damage {
      keys = List.copyOf(keys);
    }

    /** The same damage, found in a shard. */
    public Damage ofShard(int number) {
      return new Damage("shard " + number + ": " + file, offset, keys, cause);
    }

    @Override
    public String toString() {
      String where = keys.isEmpty()
          ? "unknown keys"
          : keys.stream().map(Keys::toString).collect(Collectors.joining(", "));
      // The list as a whole needs no remedy in each line.
      String found = cause instanceof CorruptionException corruption
          ? corruption.damage()
          : cause.getMessage();
      return file + " at offset " + offset + ", " + where + ": " + found;
    }
  }

  /**
   * A range of keys in one keyspace.
   *
   * @param keyspace the keyspace's name; empty for the default keyspace
   * @param from a lower bound of the affected keys, inclusive; empty if unknown
   * @param to an upper bound of the affected keys, exclusive; empty if no bound is known
   */
  @SuppressWarnings("ArrayRecordComponent") // for display; ranges are not compared
  public record Keys(String keyspace, byte[] from, byte[] to) {

    /** For example {@code keys [a, b) of keyspace users}; binary keys in hexadecimal. */
    @Override
    public String toString() {
      String name = keyspace.isEmpty() ? "the default keyspace" : "keyspace " + keyspace;
      // The successor of a key is the key followed by a zero byte.
      boolean isLastKnown = to.length > 1 && to[to.length - 1] == 0;
      byte[] last = isLastKnown ? Arrays.copyOf(to, to.length - 1) : to;
      if (isLastKnown && Arrays.equals(from, last)) {
        return "key " + text(from) + " of " + name;
      }
      String end = to.length == 0 ? "end)" : text(last) + (isLastKnown ? "]" : ")");
      return "keys [" + text(from) + ", " + end + " of " + name;
    }

    private static String text(byte[] key) {
      for (byte each : key) {
        if (each < ' ' || each == 0x7F) {
          return "0x" + HexFormat.of().formatHex(key);
        }
      }
      return new String(key, UTF_8);
    }
  }
}
