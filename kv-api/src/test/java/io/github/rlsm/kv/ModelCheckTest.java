// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the model check passes a good store and finds the bugs of bad ones. */
class ModelCheckTest {

  private static final long SEED = 42;

  @TempDir
  Path directory;

  private static OpMix mix() {
    return OpMix.usual().operations(1_500);
  }

  private static OpSequence sequence(long seed, OpMix mix) {
    return OpSequence.of(seed, mix, directory -> new ModelStore());
  }

  private void check(StoreFactory factory) {
    new ModelCheck("a store", factory, mix()).runSeed(directory, SEED);
  }

  private void assertFound(Supplier<KvStore> bad) {
    StoreFactory notPersistent = new StoreFactory() {
      @Override
      public KvStore open(Path ignored) {
        return bad.get();
      }

      @Override
      public boolean isPersistent() {
        return false;
      }
    };
    assertThatThrownBy(() -> check(notPersistent))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("-Drlsm.seed=42");
  }

  @Test
  void aGoodStorePasses() {
    AtomicInteger compactions = new AtomicInteger();
    OpMix mix = mix().engineOperation("compact", 20, store -> compactions.incrementAndGet());
    new ModelCheck("the model", new ModelStoreTest.ModelFactory(), mix).run(directory, 10);
    assertThat(compactions).hasPositiveValue();
  }

  @Test
  void theSameSeedGivesTheSameHistory() {
    List<Op> first = sequence(SEED, mix()).operations();
    List<Op> again = sequence(SEED, mix()).operations();
    List<Op> other = sequence(SEED + 1, mix()).operations();
    assertThat(first).hasToString(again.toString()).doesNotHaveToString(other.toString());
    assertThat(first).hasSizeBetween(1_500, 1_501);
  }

  @Test
  void everyKindOccursUnlessExcluded() {
    String everything = sequence(SEED, mix()).operations().toString();
    assertThat(everything)
        .contains("put into", "delete from", "write batch", "compare-and-set", "put if absent")
        .contains("get from", "multi-get", "scan", "open snapshot", "close snapshot", "in snapshot")
        .contains("open iterator", "move iterator", "close iterator", "flush", "sync")
        .contains("close and open again", "make keyspace", "drop keyspace", "compare everything");
    OpMix writes = mix().only(OpKind.PUT, OpKind.DELETE).weight(OpKind.DELETE, 0);
    assertThat(sequence(SEED, writes).operations())
        .allMatch(op -> op.toString().startsWith("put into"));
  }

  @Test
  void aLostDeleteIsFoundAndShrunk() {
    class LosesDeletes extends ModelStore {
      @Override
      public void delete(byte[] key, int offset, int length, Durability durability) {
        if (durability != Durability.SYNC) {
          super.delete(key, offset, length, durability);
        }
      }
    }
    assertFound(LosesDeletes::new);
    Throwable report = catchThrowable(() -> check(directory -> new LosesDeletes()));
    assertThat(report.getMessage())
        .contains("2 operations reproduce it")
        .containsPattern("0: (put|compare-and-set|write batch)")
        .contains("1: delete");
  }

  @Test
  void aReverseScanThatMissesTheLastKeyIsFound() {
    assertFound(() -> new ModelStore() {
      @Override
      public KvIterator scan(ScanOptions options) {
        KvIterator iterator = super.scan(options);
        if (options.isReverse() && options.to() == null) {
          iterator.next();
        }
        return iterator;
      }
    });
  }

  @Test
  void aSnapshotThatSeesLaterWritesIsFound() {
    assertFound(() -> new ModelStore() {
      @Override
      public Snapshot snapshot() {
        return new LiveSnapshot(this, super.snapshot());
      }
    });
  }

  /** Reads the live store instead of the frozen state. */
  private record LiveSnapshot(KvStore live, Snapshot real) implements Snapshot {

    @Override
    public byte @Nullable [] get(byte[] key, int offset, int length) {
      return live.get(key, offset, length);
    }

    @Override
    public List<byte @Nullable []> multiGet(List<byte[]> keys) {
      return real.multiGet(keys);
    }

    @Override
    public KvIterator scan(ScanOptions options) {
      return real.scan(options);
    }

    @Override
    public KvReader in(Keyspace keyspace) {
      return real.in(keyspace);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  @Test
  void aBatchThatIsAppliedBackwardsIsFound() {
    assertFound(() -> new ModelStore() {
      @Override
      public void write(WriteBatch batch, Durability durability) {
        List<Runnable> adds = new ArrayList<>();
        WriteBatch backwards = new WriteBatch();
        batch.forEach(new WriteBatch.Visitor() {
          @Override
          public void put(
              @Nullable Keyspace keyspace,
              byte[] bytes,
              int keyOffset,
              int keyLength,
              int valueOffset,
              int valueLength) {
            adds.add(
                0,
                () -> backwards.put(
                    keyspace, bytes, keyOffset, keyLength, bytes, valueOffset, valueLength));
          }

          @Override
          public void delete(
              @Nullable Keyspace keyspace, byte[] bytes, int keyOffset, int keyLength) {
            adds.add(0, () -> backwards.delete(keyspace, bytes, keyOffset, keyLength));
          }
        });
        adds.forEach(Runnable::run);
        super.write(backwards, durability);
      }
    });
  }

  @Test
  void aWrongExceptionIsFound() {
    assertFound(() -> new ModelStore() {
      @Override
      public synchronized void dropKeyspace(String name) {
        if (keyspaceNames().contains(name)) {
          super.dropKeyspace(name);
        }
      }
    });
  }

  @Test
  void aCrashOfTheStoreIsReportedWithItsCause() {
    class Crashes extends ModelStore {
      @Override
      public void flush() {
        throw new IllegalStateException("out of order");
      }
    }
    Throwable report = catchThrowable(() -> check(directory -> new Crashes()));
    assertThat(report).hasMessageContaining("1 operations reproduce it:\n  0: flush");
    assertThat(Objects.requireNonNull(report.getCause())).hasRootCauseMessage("out of order");
  }

  @Test
  void damageFoundAfterCloseIsReported() {
    StoreFactory leaking = new StoreFactory() {
      @Override
      public KvStore open(Path ignored) {
        return new ModelStore();
      }

      @Override
      public boolean isPersistent() {
        return false;
      }

      @Override
      public void checkClosed(Path ignored) {
        throw new IllegalStateException("a thread is left");
      }
    };
    assertThatThrownBy(() -> check(leaking)).hasMessageContaining("a thread is left");
  }
}
