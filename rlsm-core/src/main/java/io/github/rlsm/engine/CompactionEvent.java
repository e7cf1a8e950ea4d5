// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight-recorder event: a plan of the policies was carried out. */
@Name("rlsm.Compaction")
@Label("Compaction")
@Category("RLSM")
@StackTrace(false)
final class CompactionEvent extends Event {

  @Label("Plan")
  String plan = "";

  @Label("Bytes rewritten, estimated")
  @DataAmount
  long rewrittenBytes;
}
