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
 * The calls that threads made on one key and their results, in the order in which calls began and
 * ended. Decides whether the history is linearizable: whether some sequential order of the calls
 * gives the same results.
 *
 * <p>Threads: any.
 */
final class KeyHistory {

  /** The absence of a value. */
  static final int ABSENT = 0;

  /** The kinds of calls. */
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
   * @param expected the expected value of a compare-and-set; otherwise unused
   * @param value the new value, {@link #ABSENT} to remove the key; unused in a get
   */
  record Call(Kind kind, int expected, int value) {}

  /** The result of a call that never returned: it took effect, will take effect, or never does. */
  private static final Object UNKNOWN = "unknown";

  private final History history = new History();

  /** Reads since the store was opened that ended while a write was in flight. */
  private final List<Read> reads = new ArrayList<>();

  /** Calls in flight, by number. */
  private final Map<Integer, Call> calls = new HashMap<>();

  /** Numbers of the writes that are in flight, or were abandoned since the store was opened. */
  private final Set<Integer> unfinished = new HashSet<>();

  /**
   * A call that read a value and ended.
   *
   * @param number the number of the call
   * @param unfinished the writes that it may have read from, and that were in flight when it ended
   */
  private record Read(int number, Set<Integer> unfinished) {}

  /** Notes the start of a call. */
  synchronized int begin(Call call) {
    int number = history.invoke(call);
    calls.put(number, call);
    if (call.kind() != Kind.GET) {
      unfinished.add(number);
    }
    return number;
  }

  /**
   * Notes the end of a call.
   *
   * @param result the value found; 1 or 0 for a compare-and-set; 0 for a put and a delete
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
   * Whether a call changed nothing. If so, no promise of durability covers the value that it saw.
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
   * Notes that the store was opened again. No call is in flight.
   *
   * @param afterPowerLoss whether the store lost power. A write can be read before it is durable,
   *     and a power loss may then remove it. So all reads that may have seen an unfinished write
   *     are removed from the history
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

  /** Notes that a call has failed, or that its process has died, so that its result is unknown. */
  synchronized void abandon(int number, Call call) {
    if (call.kind() == Kind.GET) {
      history.remove(number);
    }
  }

  /** Whether the history is linearizable. */
  boolean isLinearizable() {
    return new LinearizabilityChecker().isLinearizable(new Register(), history, input -> UNKNOWN);
  }

  @Override
  public String toString() {
    return history.toString();
  }

  /** The sequential behavior of a key according to the contract. */
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
