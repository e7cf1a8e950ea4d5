// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Flight-recorder event: a writer was held up. */
@Name("rlsm.Stall")
@Label("Stall")
@Category("RLSM")
final class StallEvent extends Event {

  @Label("Reason")
  String reason = "";
}
