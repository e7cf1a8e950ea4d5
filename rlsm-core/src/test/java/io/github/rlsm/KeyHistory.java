// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import java.util.Optional;
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

  /** A call begins. */
  int begin(Call call) {
    return history.invoke(call);
  }

  /**
   * A call has ended.
   *
   * @param result the value that was found, 1 or 0 for a compare-and-set, 0 for a put and a delete
   */
  void end(int call, int result) {
    history.respond(call, result);
  }

  /** A call has failed, or its process has died, so that its result is not known. */
  void abandon(int number, Call call) {
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
