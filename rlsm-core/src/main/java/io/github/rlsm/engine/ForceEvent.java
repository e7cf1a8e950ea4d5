// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.engine;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Flight-recorder event: the log was forced to the device, for everybody who waited. */
@Name("rlsm.Force")
@Label("Force")
@Category("RLSM")
@StackTrace(false)
final class ForceEvent extends Event {}
