// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/** One job on a level, decided but not yet done. */
public sealed interface Plan permits CompactPlan, CleanPlan, SplitPlan, MergePlan {

  /** Estimate of the bytes that the job reads and writes again; 0 if it only changes metadata. */
  long rewrittenBytes();
}
