// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.rlsm.kv.KvException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import site.ycsb.DBException;

/**
 * The program behind {@code ./ycsb}. It loads a store, runs YCSB's core workloads, and prints a
 * report.
 *
 * <p>Exit codes: 0 success, 1 an operation failed or the run did not finish, 2 wrong arguments, 130
 * interrupted.
 */
@Command(
    name = "ycsb",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    version = "RLSM YCSB launcher, YCSB core 0.17.0",
    description = "Loads a store and runs YCSB's core workloads against it.",
    footer = {
      "",
      "The load and each workload are measured separately. The store is closed and opened again"
          + " after the load. Progress goes to standard error, the report to standard output.",
      "Exit codes: 0 no errors, 1 errors, 2 wrong arguments, 130 interrupted."
    })
public final class YcsbLauncher implements Callable<Integer> {

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int INTERRUPTED = 130;
  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final PrintStream out;
  private final PrintStream err;

  @Spec
  private CommandSpec spec = CommandSpec.create();

  @Mixin
  private LaunchOptions options = new LaunchOptions();

  private YcsbLauncher(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command line and exits with its exit code. */
  public static void main(String[] arguments) {
    System.exit(execute(System.out, System.err, arguments));
  }

  /** Runs the command line and returns its exit code. */
  static int execute(PrintStream out, PrintStream err, String... arguments) {
    return new CommandLine(new YcsbLauncher(out, err))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(YcsbLauncher::explain)
        .setOut(new PrintWriter(out, true, Charset.defaultCharset()))
        .setErr(new PrintWriter(err, true, Charset.defaultCharset()))
        .execute(arguments);
  }

  private static int explain(ParameterException wrong, String[] arguments) {
    PrintWriter err = wrong.getCommandLine().getErr();
    err.println(wrong.getMessage());
    err.println("./ycsb --help lists the options");
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    Instant started = Instant.now();
    DataDirectory directory = options.directory == null
        ? DataDirectory.under(LaunchOptions.home())
        : directory(options.directory);
    Benchmark benchmark = new Benchmark(options, directory, err);
    try (InterruptGuard guard = new InterruptGuard(benchmark::stop)) {
      String failure = null;
      try {
        err.println("store in " + directory.path());
        benchmark.run();
      } catch (DBException | KvException | PhaseFailedException e) {
        failure = String.valueOf(e.getMessage());
      } finally {
        if (!options.keep) {
          directory.delete();
        }
      }
      if (failure == null && benchmark.isStopped()) {
        failure = "interrupted";
      }
      RunReport report = report(started, failure, benchmark.sessions());
      out.println();
      out.print(ReportText.of(report));
      writeJson(report, started);
      if (options.keep) {
        out.println("store: " + directory.path());
      }
      if (benchmark.isStopped()) {
        return INTERRUPTED;
      }
      return report.outcome().isClean() ? OK : FAILED;
    }
  }

  private void checkOptions() {
    List<String> problems = options.problems();
    if (!problems.isEmpty()) {
      throw wrong(String.join("; ", problems));
    }
  }

  private DataDirectory directory(Path path) {
    try {
      return DataDirectory.at(path);
    } catch (IOException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private RunReport report(
      Instant started, @Nullable String failure, List<RunReport.Session> sessions) {
    long errors = sessions.stream()
        .flatMap(session -> session.phases().stream())
        .mapToLong(PhaseReport::errors)
        .sum();
    return new RunReport(
        RunReport.FORMAT_VERSION,
        started.toString(),
        new RunReport.Outcome(failure == null, failure, errors),
        RunReport.Machine.current(),
        RunReport.Settings.of(options),
        sessions);
  }

  private void writeJson(RunReport report, Instant started) throws IOException {
    Path file = options.json != null
        ? options.json
        : LaunchOptions.home().resolve("ycsb-" + FILE_TIME.format(started) + ".json");
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    ObjectWriter writer = new ObjectMapper().writer(printer);
    Files.writeString(file, writer.writeValueAsString(report) + System.lineSeparator());
    out.println("machine-readable: " + file);
  }
}
