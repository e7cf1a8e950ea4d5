// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight-recorder event: a memory component was written to level 0. */
@Name("rlsm.Flush")
@Label("Flush")
@Category("RLSM")
@StackTrace(false)
final class FlushEvent extends Event {

  @Label("Generation")
  int generation;

  @Label("Log bytes")
  @DataAmount
  long logBytes;

  @Label("Entries at most")
  long entries;
}
