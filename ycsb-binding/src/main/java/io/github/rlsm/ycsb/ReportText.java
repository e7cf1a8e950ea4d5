// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the report as text tables. Threads: no state. */
final class ReportText {

  private static final double MB = 1e6;
  private static final String NOTHING = "-";

  private ReportText() {}

  /** Formats the whole report. */
  static String of(RunReport report) {
    StringBuilder text = new StringBuilder();
    text.append(setting(report.settings())).append("\n\n");
    if (!report.phases().isEmpty()) {
      text.append(phases(report));
    }
    String failure = report.outcome().failure();
    if (failure != null) {
      text.append("the run did not finish: ").append(failure).append('\n');
    }
    return text.toString();
  }

  private static String phases(RunReport report) {
    StringBuilder text = new StringBuilder();
    text.append(performance(report)).append('\n');
    text.append(storage(report)).append('\n');
    for (RunReport.Session session : report.sessions()) {
      if (session.openSeconds() != null && session.closeSeconds() != null) {
        text.append(format(
            "store closed after the load in %.3f s, opened again in %.3f s%n",
            session.closeSeconds(), session.openSeconds()));
      }
    }
    if (report.settings().dataIntegrity()) {
      text.append(verified(report));
    }
    return text.append(errors(report)).toString();
  }

  private static String setting(RunReport.Settings settings) {
    return format(
        "store %s, durability %s, %,d records of %,d x %,d bytes, %d threads%s%s%s",
        settings.store().store(),
        settings.store().durability(),
        settings.data().records(),
        settings.data().fieldCount(),
        settings.data().fieldLength(),
        settings.threads(),
        settings.targetOperationsPerSecond() == 0
            ? ""
            : format(", target %,d/s", settings.targetOperationsPerSecond()),
        settings.dataIntegrity() ? ", data integrity on" : "",
        settings.store().storeOptions().isEmpty()
            ? ""
            : ", options " + settings.store().storeOptions());
  }

  private static String performance(RunReport report) {
    boolean intended = report.settings().targetOperationsPerSecond() > 0;
    TextTable table = new TextTable(1);
    table.row(
        "phase",
        "operations",
        "ops/s",
        "errors",
        "operation",
        "count",
        "p50",
        "p99",
        "p99.9",
        "max");
    for (PhaseReport phase : report.phases()) {
      boolean first = true;
      for (PhaseReport.Kind kind : phase.kinds()) {
        PhaseReport.Latency micros = kind.felt();
        PhaseReport.Percentiles percentiles = micros.percentiles();
        table.row(
            first ? phase.name() : "",
            first ? format("%,d", phase.speed().operations()) : "",
            first ? format("%,.0f", phase.speed().operationsPerSecond()) : "",
            first ? format("%,d", phase.errors()) : "",
            kind.operation(),
            format("%,d", kind.succeeded()),
            format("%,.1f", percentiles.p50()),
            format("%,.1f", percentiles.p99()),
            format("%,.1f", percentiles.p999()),
            format("%,.1f", micros.max()));
        first = false;
      }
    }
    return table + (intended ? "latencies count from the intended start of an operation\n" : "");
  }

  private static String storage(RunReport report) {
    TextTable table = new TextTable(1);
    table.row(
        "phase",
        "user MB",
        "written MB",
        "write amp",
        "settle s",
        "stalled s",
        "records MB",
        "on disk MB",
        "space amp");
    for (PhaseReport phase : report.phases()) {
      StorageReport storage = phase.storage();
      table.row(
          phase.name(),
          megabytes(storage.written().userBytes()),
          megabytes(storage.written().bytesWritten()),
          ratio(storage.written().writeAmplification()),
          storage.settleSeconds() == null ? NOTHING : format("%.1f", storage.settleSeconds()),
          format("%.1f", storage.stallSeconds()),
          megabytes(storage.space().liveUserBytes()),
          megabytes(storage.space().directory().onDisk()),
          ratio(storage.space().spaceAmplification()));
    }
    return table.toString();
  }

  private static String verified(RunReport report) {
    long ok = 0;
    long missing = 0;
    long wrong = 0;
    long incomplete = 0;
    for (PhaseReport phase : report.phases()) {
      VerifiedRows rows = phase.verified();
      if (rows != null) {
        ok += rows.ok();
        missing += rows.missing();
        wrong += rows.wrong();
        incomplete += rows.incomplete();
      }
    }
    return format(
        "data integrity: %,d OK, %,d ERROR (nothing read), %,d UNEXPECTED_STATE (wrong content),"
            + " %,d incomplete%n",
        ok, missing, wrong, incomplete);
  }

  private static String errors(RunReport report) {
    StringBuilder text = new StringBuilder();
    for (PhaseReport phase : report.phases()) {
      for (PhaseReport.Kind kind : phase.kinds()) {
        for (Map.Entry<String, Long> failed : kind.failed().entrySet()) {
          text.append(format(
              "phase %s: %,d of the %ss failed with %s%n",
              phase.name(), failed.getValue(), kind.operation(), failed.getKey()));
        }
      }
    }
    return text.append(
            report.outcome().errors() == 0
                ? "no errors\n"
                : format("%,d errors%n", report.outcome().errors()))
        .toString();
  }

  private static String megabytes(long bytes) {
    return format("%,.1f", bytes / MB);
  }

  private static String ratio(@Nullable Double ratio) {
    return ratio == null ? NOTHING : format("%.2f", ratio);
  }

  @SuppressWarnings("AnnotateFormatMethod") // all patterns are constants in this file
  private static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern, arguments);
  }
}
