// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import java.util.Arrays;

/** Stores that break a promise about scans. */
final class BadScans {

  private BadScans() {}

  /** Copies the options into a builder. */
  private static ScanOptions.Builder copy(ScanOptions options) {
    ScanOptions.Builder builder = ScanOptions.builder().limit(options.limit());
    byte[] from = options.from();
    byte[] to = options.to();
    builder = from == null ? builder : builder.from(from);
    builder = to == null ? builder : builder.to(to);
    builder = options.isReverse() ? builder.reverse() : builder;
    return options.isKeysOnly() ? builder.keysOnly() : builder;
  }

  static final class OffByOne extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      long limit = options.limit();
      return super.scan(
          copy(options).limit(limit == Long.MAX_VALUE ? limit : limit + 1).build());
    }
  }

  /** Orders the first byte as signed: an ascending scan starts at 0x80 and omits all lower keys. */
  static final class SignedOrder extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      return new Filtered(super.scan(copy(options).build())) {
        private boolean first = true;

        @Override
        public boolean next() {
          if (first && options.from() == null && !options.isReverse()) {
            first = false;
            while (super.next()) {
              if (key()[0] < 0) {
                return true;
              }
            }
          }
          return super.next();
        }
      };
    }
  }

  static final class InclusiveEnd extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      byte[] to = options.to();
      return super.scan(
          to == null
              ? options
              : copy(options).to(Arrays.copyOf(to, to.length + 1)).build());
    }
  }

  static final class MissesLastByte extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      byte[] from = options.from();
      boolean openEnd = from != null && from.length > 0 && from[0] == -1 && options.to() == null;
      return super.scan(openEnd ? copy(options).to(TestBytes.bytes(0xFF, 0xFF)).build() : options);
    }
  }

  static final class ReadsLive extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      return new Filtered(super.scan(options)) {
        @Override
        public byte[] value() {
          byte[] before = super.value();
          byte[] now = get(key());
          return now == null ? before : now;
        }
      };
    }
  }

  static final class StartsAgain extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      return new Filtered(super.scan(options)) {
        @Override
        public boolean next() {
          if (super.next()) {
            return true;
          }
          iterator = StartsAgain.super.scan(options);
          return false;
        }
      };
    }
  }

  static final class NeverCloses extends ModelStore {
    @Override
    public KvIterator scan(ScanOptions options) {
      return new Filtered(super.scan(options)) {
        @Override
        public void close() {
          // The planted bug: close does nothing.
        }
      };
    }
  }

  private static class Filtered implements KvIterator {

    KvIterator iterator;

    Filtered(KvIterator iterator) {
      this.iterator = iterator;
    }

    @Override
    public boolean next() {
      return iterator.next();
    }

    @Override
    public byte[] key() {
      return iterator.key();
    }

    @Override
    public byte[] value() {
      return iterator.value();
    }

    @Override
    public void close() {
      iterator.close();
    }
  }
}
