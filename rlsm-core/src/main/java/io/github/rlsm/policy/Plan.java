// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.policy;

/** A job on the levels of a shard that was decided and is not yet done. */
public sealed interface Plan permits CompactPlan, CleanPlan, SplitPlan, MergePlan {

  /** Estimated bytes that the job reads and writes again; 0 if it changes only metadata. */
  long rewrittenBytes();
}
