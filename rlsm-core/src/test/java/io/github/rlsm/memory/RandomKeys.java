// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Sets of distinct keys, in shapes that are hard for sorting by prefixes. */
enum RandomKeys {
  /** Any bytes, of any length. */
  RANDOM {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[random.nextInt(1, 30)];
      random.nextBytes(key);
      return key;
    }
  },
  /** One byte. */
  ONE_BYTE {
    @Override
    byte[] key(SplittableRandom random, int i) {
      return new byte[] {(byte) random.nextInt()};
    }
  },
  /** Long prefixes shared by many keys. */
  SHARED_HEADS {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[24];
      Arrays.fill(key, 0, random.nextInt(3) * 8, (byte) 'u');
      key[23] = (byte) random.nextInt();
      key[16] = (byte) random.nextInt(3);
      key[7] = (byte) random.nextInt(2);
      return key;
    }
  },
  /** Two or three distinct bytes, so that keys are prefixes of other keys. */
  BEGINNINGS_OF_OTHERS {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[random.nextInt(1, 20)];
      for (int j = 0; j < key.length; j++) {
        key[j] = (byte) (random.nextInt(12) == 0 ? 0x80 : 'a');
      }
      return key;
    }
  },
  /** Only zero bytes after a short prefix. */
  ZERO_ENDS {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[random.nextInt(1, 200)];
      key[0] = (byte) random.nextInt(2);
      if (key.length > 1) {
        key[1] = (byte) random.nextInt(2);
      }
      return key;
    }
  },
  /** Each key without its last byte is a prefix of the next: nested groups. */
  NESTED {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[8 * (i % 300 + 1) + 1];
      Arrays.fill(key, (byte) 'a');
      key[key.length - 1] = (byte) ('b' + i / 300);
      return key;
    }
  },
  /** Decimal numbers, as in benchmarks. */
  NUMBERED {
    @Override
    byte[] key(SplittableRandom random, int i) {
      return LoggedMemory.bytes("\0user" + (1_000_000_000_000L + random.nextInt(1 << 20)));
    }
  };

  abstract byte[] key(SplittableRandom random, int i);

  /** Draws up to the given number of distinct keys, in key order. */
  Collection<byte[]> draw(SplittableRandom random, int count) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < count; i++) {
      keys.add(key(random, i));
    }
    return keys;
  }
}
