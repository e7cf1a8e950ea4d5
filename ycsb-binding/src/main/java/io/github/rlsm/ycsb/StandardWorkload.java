// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * YCSB's core workloads, in YCSB's recommended order: first the workloads that do not change the
 * number of records.
 */
enum StandardWorkload {
  A(false),
  B(false),
  C(false),
  F(false),
  D(true),
  E(true);

  private final boolean inserts;

  StandardWorkload(boolean inserts) {
    this.inserts = inserts;
  }

  /**
   * Groups workloads so that each group can run on one load. A workload that inserts ends its
   * group; before the next group, the data is deleted and loaded again.
   */
  static List<List<StandardWorkload>> sessions(Collection<StandardWorkload> wanted) {
    List<List<StandardWorkload>> sessions = new ArrayList<>();
    List<StandardWorkload> current = new ArrayList<>();
    for (StandardWorkload workload : values()) {
      if (wanted.contains(workload)) {
        current.add(workload);
        if (workload.inserts) {
          sessions.add(List.copyOf(current));
          current.clear();
        }
      }
    }
    if (!current.isEmpty()) {
      sessions.add(List.copyOf(current));
    }
    return sessions;
  }

  /** Whether most operations are scans. A scan has 50 records on average. */
  boolean scans() {
    return this == E;
  }

  /** YCSB's name of the workload: one lower-case letter. */
  String letter() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The workload's proportions and distributions, in the format of {@code CoreWorkload}. */
  Properties properties() {
    String file = "workload-" + letter() + ".properties";
    Properties properties = new Properties();
    try (InputStream in = StandardWorkload.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("resource " + file + " is missing");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
