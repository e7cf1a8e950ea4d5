// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.shard.worker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.StoreClosedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Callers and the worker of a {@link RequestQueue}. */
public final class RequestQueueStress {

  private RequestQueueStress() {}

  private static StoreClosedException closed() {
    return new StoreClosedException("store");
  }

  private static int number(Request request) {
    return ((Numbered) request).number;
  }

  /** A request that counts its failures. */
  private static final class Numbered extends Request {

    private final int number;
    private int failures;
    private int result;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    public void run(KvStore shard) {
      finish();
    }

    @Override
    protected void failed(Throwable cause) {
      failures++;
    }
  }

  /** Two requests are both taken. */
  @JCStressTest
  @Outcome(
      id = {"3"},
      expect = ACCEPTABLE)
  @State
  public static class TwoAdds {

    private final RequestQueue queue = new RequestQueue(4);

    @Actor
    public void actor1(I_Result r) {
      queue.add(new Numbered(1));
    }

    @Actor
    public void actor2(I_Result r) {
      queue.add(new Numbered(2));
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = number(queue.take()) + number(queue.take());
    }
  }

  /** A sleeping worker is woken, and sees the request. */
  @JCStressTest
  @Outcome(
      id = {"7"},
      expect = ACCEPTABLE)
  @State
  public static class AddAndTake {

    private final RequestQueue queue = new RequestQueue(4);

    @Actor
    public void actor1(I_Result r) {
      queue.add(new Numbered(7));
    }

    @Actor
    public void actor2(I_Result r) {
      r.r1 = number(queue.take());
    }
  }

  /** A thread that finds the queue full adds its request when space is available. */
  @JCStressTest
  @Outcome(
      id = {"3"},
      expect = ACCEPTABLE)
  @State
  public static class FullQueue {

    private final RequestQueue queue = new RequestQueue(2);

    /** A full queue. */
    public FullQueue() {
      queue.add(new Numbered(1));
      queue.add(new Numbered(1));
    }

    @Actor
    public void actor1(I_Result r) {
      queue.add(new Numbered(1));
    }

    @Actor
    public void actor2(I_Result r) {
      r.r1 = number(queue.take()) + number(queue.take()) + number(queue.take());
    }
  }

  /** A request that arrives as the queue ends is refused, once. */
  @JCStressTest
  @Outcome(
      id = {"1"},
      expect = ACCEPTABLE)
  @State
  public static class AddAndEnd {

    private final RequestQueue queue = new RequestQueue(4);
    private final Numbered request = new Numbered(1);

    @Actor
    public void actor1(I_Result r) {
      queue.add(request);
    }

    @Actor
    public void actor2(I_Result r) {
      queue.end(RequestQueueStress::closed);
    }

    @Arbiter
    public void arbiter(I_Result r) {
      r.r1 = request.failures;
    }
  }

  /** As above, with a request in the queue. */
  @JCStressTest
  @Outcome(
      id = {"1, 1"},
      expect = ACCEPTABLE)
  @State
  public static class TwoAddsAndEnd {

    private final RequestQueue queue = new RequestQueue(4);
    private final Numbered early = new Numbered(1);
    private final Numbered late = new Numbered(1);

    /** Adds a waiting request. */
    public TwoAddsAndEnd() {
      queue.add(early);
    }

    @Actor
    public void actor1(II_Result r) {
      queue.add(late);
    }

    @Actor
    public void actor2(II_Result r) {
      queue.end(RequestQueueStress::closed);
    }

    @Arbiter
    public void arbiter(II_Result r) {
      r.r1 = early.failures;
      r.r2 = late.failures;
    }
  }

  /** A caller returns when its request is done, and sees the result. */
  @JCStressTest
  @Outcome(
      id = {"5"},
      expect = ACCEPTABLE)
  @State
  public static class CallerIsWoken {

    private final Numbered request = new Numbered(5);

    @Actor
    public void actor1(I_Result r) {
      request.result = 5;
      request.finish();
    }

    @Actor
    public void actor2(I_Result r) {
      request.await();
      r.r1 = request.result;
    }
  }
}
