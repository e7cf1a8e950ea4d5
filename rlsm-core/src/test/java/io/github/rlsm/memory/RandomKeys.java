// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Sets of different keys, of the shapes that are hard on sorting by prefixes. */
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
  /** Long heads that many keys share. */
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
  /** Two or three different bytes only, so that keys begin other keys. */
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
  /** Nothing but zero bytes behind a short head. */
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
  /** Each the beginning of the next but for its last byte: groups within groups. */
  NESTED {
    @Override
    byte[] key(SplittableRandom random, int i) {
      byte[] key = new byte[8 * (i % 300 + 1) + 1];
      Arrays.fill(key, (byte) 'a');
      key[key.length - 1] = (byte) ('b' + i / 300);
      return key;
    }
  },
  /** Numbers in decimal, as benchmarks have them. */
  NUMBERED {
    @Override
    byte[] key(SplittableRandom random, int i) {
      return LoggedMemory.bytes("\0user" + (1_000_000_000_000L + random.nextInt(1 << 20)));
    }
  };

  abstract byte[] key(SplittableRandom random, int i);

  /** Up to so many different keys, in an order of their own. */
  Collection<byte[]> draw(SplittableRandom random, int count) {
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (int i = 0; i < count; i++) {
      keys.add(key(random, i));
    }
    return keys;
  }
}
