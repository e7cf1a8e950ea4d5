// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight-recorder event: a store was opened. */
@Name("rlsm.Recovery")
@Label("Recovery")
@Category("RLSM")
@StackTrace(false)
final class RecoveryEvent extends Event {

  @Label("Generations replayed")
  int generations;

  @Label("Log bytes replayed")
  @DataAmount
  long replayedBytes;

  @Label("Log bytes past the end of the history")
  @DataAmount
  long droppedBytes;
}
