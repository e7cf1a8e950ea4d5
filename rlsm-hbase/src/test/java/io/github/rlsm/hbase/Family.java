// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase;

import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;

/** The retention rules of a column family. */
enum Family {
  ALL_VERSIONS(1_000, KeepDeletedCells.FALSE, false),
  KEEPS_DELETED(1_000, KeepDeletedCells.TRUE, false),
  THREE_VERSIONS(3, KeepDeletedCells.FALSE, false),
  ONE_VERSION(1, KeepDeletedCells.FALSE, false),
  NEW_BEHAVIOUR(1_000, KeepDeletedCells.FALSE, true);

  private final int versions;
  private final KeepDeletedCells deleted;
  private final boolean newBehaviour;

  Family(int versions, KeepDeletedCells deleted, boolean newBehaviour) {
    this.versions = versions;
    this.deleted = deleted;
    this.newBehaviour = newBehaviour;
  }

  /** Whether deletes of single versions and reads by time have a single correct result. */
  boolean keepsAllVersions() {
    return versions > 3;
  }

  ColumnFamilyDescriptor descriptor() {
    return ColumnFamilyDescriptorBuilder.newBuilder(TestRegion.FAMILY)
        .setMaxVersions(versions)
        .setKeepDeletedCells(deleted)
        .setNewVersionBehavior(newBehaviour)
        .setBlocksize(1_024)
        .build();
  }
}
