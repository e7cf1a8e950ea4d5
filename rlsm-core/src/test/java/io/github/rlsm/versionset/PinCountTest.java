// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.versionset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.Crew;
import io.github.rlsm.kv.TestSeed;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("optimized")
class PinCountTest {

  private static final int READERS = 6;
  private static final int RETIREMENTS = 100_000;

  @Test
  void retireOfAnUnusedCountReturnsTrue() {
    PinCount count = new PinCount();
    assertThat(count.retire()).isTrue();
    assertThat(count.tryPin(0)).isFalse();
  }

  @Test
  void onlyTheLastUnpinReturnsTrue() {
    PinCount count = new PinCount();
    assertThat(count.tryPin(3)).isTrue();
    assertThat(count.tryPin(3)).isTrue();
    assertThat(count.tryPin(4)).isTrue();
    assertThat(count.unpin(4)).isFalse();
    assertThat(count.retire()).isFalse();
    assertThat(count.tryPin(3)).isFalse();
    assertThat(count.unpin(3)).isFalse();
    assertThat(count.unpin(3)).isTrue();
  }

  @Test
  void refusesOneUnpinTooMany() {
    PinCount count = new PinCount();
    assertThatThrownBy(() -> count.unpin(0)).isInstanceOf(IllegalStateException.class);
    assertThat(count.tryPin(0)).isTrue();
    assertThat(count.unpin(0)).isFalse();
    assertThat(count.retire()).isTrue();
    assertThatThrownBy(() -> count.unpin(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void consecutiveThreadsGetDifferentStripes() throws Exception {
    Set<Integer> stripes = ConcurrentHashMap.newKeySet();
    new Crew().add(8, () -> stripes.add(PinCount.stripe())).run();
    assertThat(stripes).hasSize(8);
  }

  /** An object that must not be used after its death. */
  private static final class Thing {

    final PinCount pins = new PinCount();
    final AtomicInteger deaths = new AtomicInteger();
  }

  private record Pin(Thing thing, int stripe) {}

  @Test
  void noThreadUsesADeadObjectAndEachDiesOnce() throws Exception {
    long seed = TestSeed.get();
    Stress stress = new Stress();
    AtomicLong seeds = new AtomicLong(seed);
    new Crew()
        .add(1, stress::retireManyTimes)
        .add(READERS, () -> stress.read(new Random(seeds.getAndIncrement())))
        .run();
    assertThat(stress.deaths).as(TestSeed.howToReplay(seed)).hasValue(RETIREMENTS);
    assertThat(stress.handedOver).isEmpty();
  }

  /**
   * One thread repeatedly replaces and retires the current object. The other threads pin it, check
   * that it is alive, and unpin it themselves or pass it to another thread for that.
   */
  private static final class Stress {

    final AtomicInteger deaths = new AtomicInteger();
    final Queue<Pin> handedOver = new ConcurrentLinkedQueue<>();
    private volatile Thing current = new Thing();
    private volatile boolean done;

    void retireManyTimes() {
      for (int i = 0; i < RETIREMENTS; i++) {
        Thing old = current;
        current = new Thing();
        if (old.pins.retire()) {
          die(old);
        }
      }
      done = true;
    }

    void read(Random random) {
      while (!done) {
        Pin pin = pin(random.nextInt(3));
        if (random.nextInt(4) == 0) {
          handedOver.add(pin);
        } else {
          unpin(pin);
        }
        Pin other = handedOver.poll();
        if (other != null) {
          unpin(other);
        }
      }
      for (Pin pin = handedOver.poll(); pin != null; pin = handedOver.poll()) {
        unpin(pin);
      }
    }

    /** Uses few stripes, so that threads share them. */
    private Pin pin(int stripe) {
      while (true) {
        Thing thing = current;
        if (thing.pins.tryPin(stripe)) {
          return new Pin(thing, stripe);
        }
      }
    }

    private void unpin(Pin pin) {
      assertThat(pin.thing().deaths).hasValue(0);
      if (pin.thing().pins.unpin(pin.stripe())) {
        die(pin.thing());
      }
    }

    private void die(Thing thing) {
      assertThat(thing.deaths.incrementAndGet()).isEqualTo(1);
      deaths.incrementAndGet();
    }
  }
}
