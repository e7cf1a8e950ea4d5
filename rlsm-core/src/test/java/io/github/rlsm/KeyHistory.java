// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.coordination.LinearizabilityChecker;
import org.opensearch.cluster.coordination.LinearizabilityChecker.History;

/**
 * What threads did to one key and what they were told, in the order in which calls began and ended;
 * and whether there is an order in which the calls, one by one, would have said the same.
 *
 * <p>Threads: any.
 */
final class KeyHistory {

  /** No value. */
  static final int ABSENT = 0;

  /** What was asked of the key. */
  enum Kind {
    GET,
    PUT,
    DELETE,
    COMPARE_AND_SET,
    PUT_IF_ABSENT
  }

  /**
   * A call.
   *
   * @param expected for a compare-and-set, else not used
   * @param value the new one, {@link #ABSENT} to remove it; not used in a get
   */
  record Call(Kind kind, int expected, int value) {}

  /** The result of a call that never returned: it has happened, will happen, or never does. */
  private static final Object UNKNOWN = "unknown";

  private final History history = new History();

  /** Reads since the store was opened that began or ended after a write that is on its way. */
  private final List<Read> reads = new ArrayList<>();

  /** Calls that are on their way, by number. */
  private final Map<Integer, Call> calls = new HashMap<>();

  /** Numbers of the writes that are on their way, or were abandoned since the store was opened. */
  private final Set<Integer> unfinished = new HashSet<>();

  /**
   * A call that read a value and ended.
   *
   * @param number its number
   * @param unfinished the writes that it may have read from, and that had not ended when it ended
   */
  private record Read(int number, Set<Integer> unfinished) {}

  /** A call begins. */
  synchronized int begin(Call call) {
    int number = history.invoke(call);
    calls.put(number, call);
    if (call.kind() != Kind.GET) {
      unfinished.add(number);
    }
    return number;
  }

  /**
   * A call has ended.
   *
   * @param result the value that was found, 1 or 0 for a compare-and-set, 0 for a put and a delete
   */
  synchronized void end(int number, int result) {
    history.respond(number, result);
    unfinished.remove(number);
    Call call = Objects.requireNonNull(calls.remove(number));
    if (isRead(call, result) && !unfinished.isEmpty()) {
      reads.add(new Read(number, Set.copyOf(unfinished)));
    }
  }

  /**
   * Whether a call changed nothing: then no promise of durability covers the value that it has
   * seen.
   */
  private static boolean isRead(Call call, int result) {
    return switch (call.kind()) {
      case GET -> true;
      case PUT, DELETE -> false;
      case COMPARE_AND_SET -> result == 0;
      case PUT_IF_ABSENT -> result != ABSENT;
    };
  }

  /**
   * The store was opened again, and no call is on its way.
   *
   * @param afterPowerLoss whether the store lost power. A write can be read before it is durable,
   *     and power loss then takes it away. So the reads that may have seen a write which never
   *     ended are forgotten
   */
  synchronized void reopened(boolean afterPowerLoss) {
    if (afterPowerLoss) {
      for (Read read : reads) {
        if (read.unfinished().stream().anyMatch(unfinished::contains)) {
          history.remove(read.number());
        }
      }
    }
    reads.clear();
    calls.clear();
    unfinished.clear();
  }

  /** A call has failed, or its process has died, so that its result is unknown. */
  synchronized void abandon(int number, Call call) {
    if (call.kind() == Kind.GET) {
      history.remove(number);
    }
  }

  /** Whether there is such an order. */
  boolean isLinearizable() {
    return new LinearizabilityChecker().isLinearizable(new Register(), history, input -> UNKNOWN);
  }

  @Override
  public String toString() {
    return history.toString();
  }

  /** A key as the contract has it. */
  private static final class Register implements LinearizabilityChecker.SequentialSpec {

    @Override
    public Object initialState() {
      return ABSENT;
    }

    @Override
    public Optional<Object> nextState(Object state, Object input, @Nullable Object output) {
      int now = (Integer) state;
      Call call = (Call) input;
      boolean unknown = UNKNOWN.equals(output);
      int result = unknown ? 0 : (Integer) output;
      return switch (call.kind()) {
        case GET -> next(result == now, now);
        case PUT -> next(true, call.value());
        case DELETE -> next(true, ABSENT);
        case COMPARE_AND_SET ->
          next(
              unknown || result == (now == call.expected() ? 1 : 0),
              now == call.expected() ? call.value() : now);
        case PUT_IF_ABSENT -> next(unknown || result == now, now == ABSENT ? call.value() : now);
      };
    }

    private static Optional<Object> next(boolean possible, int state) {
      return possible ? Optional.of(state) : Optional.empty();
    }
  }
}
