// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.ycsb;

import io.github.rlsm.kv.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import site.ycsb.Client;
import site.ycsb.db.rlsm.ClientSettings;
import site.ycsb.db.rlsm.RlsmClient;
import site.ycsb.workloads.CoreWorkload;

/**
 * The options of a run from the command line.
 *
 * <p>Threads: filled by the command line parser, then read-only.
 */
final class LaunchOptions {

  /** The default directory for the files of runs. The launcher script sets it. */
  private static final String HOME = "rlsm.ycsb.home";

  private static final int SCAN_OPERATIONS_DIVISOR = 10;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records to load (default: ${DEFAULT-VALUE}).")
  int records = 500_000;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Operations of each workload (default: ${DEFAULT-VALUE}).")
  int operations = 500_000;

  @Option(
      names = "--scan-operations",
      paramLabel = "N",
      description = "Operations of workload e, whose scans read 50 records each on average"
          + " (default: a tenth of --operations).")
  @Nullable
  Integer scanOperations;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Client threads (default: ${DEFAULT-VALUE}, this machine's processors).")
  int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "a,b,...",
      hideParamSyntax = true,
      description = "YCSB's core workloads to run (default: all of a,b,c,d,e,f). They run in YCSB's"
          + " recommended order, a b c f d e. After a workload that inserts (d, e), the data is"
          + " deleted and loaded again.")
  Set<StandardWorkload> workloads = EnumSet.allOf(StandardWorkload.class);

  @Option(
      names = "--durability",
      paramLabel = "LEVEL",
      description = "Durability of every write: ${COMPLETION-CANDIDATES} (default:"
          + " ${DEFAULT-VALUE}). BUFFERED survives only a close; OS kill -9; SYNC power loss.")
  Durability durability = Durability.OS;

  @ArgGroup
  RecordShape shape = new RecordShape();

  @Option(
      names = "--dir",
      paramLabel = "PATH",
      description = "The store's directory; must be absent or empty. Default: a new one under"
          + " ${sys:rlsm.ycsb.home:-ycsb-results}.")
  @Nullable
  Path directory;

  @Option(names = "--keep", description = "Keep the store at the end; default: delete it.")
  boolean keep;

  @Option(
      names = "--store",
      paramLabel = "NAME",
      description = "The kind of store (default: ${DEFAULT-VALUE}); other kinds need a StoreOpener"
          + " on the class path.")
  String store = "rlsm";

  @Option(
      names = "--options",
      arity = "1..*",
      paramLabel = "K=V",
      description = "Options of the store.")
  Map<String, String> storeOptions = new TreeMap<>();

  @Option(
      names = "--data-integrity",
      description = "Write content derived from the key, and check every record read.")
  boolean dataIntegrity;

  @Option(
      names = "--target",
      paramLabel = "OPS",
      description = "Total operations per second, evenly spaced. Latencies then also count from"
          + " the intended start of an operation (default: as many as possible).")
  int target;

  @Option(
      names = "--settle",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Wait for background work after each phase that writes (the default). With"
          + " --no-settle the remaining work is charged to the next phase.")
  boolean settle = true;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "The machine-readable report (default: a new file under"
          + " ${sys:rlsm.ycsb.home:-ycsb-results}).")
  @Nullable
  Path json;

  @Option(
      names = "--progress",
      paramLabel = "STYLE",
      defaultValue = "${sys:rlsm.ycsb.progress:-LINES}",
      description = "${COMPLETION-CANDIDATES} (default here: ${DEFAULT-VALUE}).")
  Progress.Style progress = Progress.Style.LINES;

  /** The shape of a record: one value, or fields as in YCSB. */
  static final class RecordShape {

    @Option(
        names = "--value-size",
        required = true,
        paramLabel = "BYTES",
        description = "Records of one field of this size; updates overwrite it without a read.")
    int valueSize;

    @ArgGroup(exclusive = false)
    FieldShape fields = new FieldShape();

    boolean isOneValue() {
      return valueSize != 0;
    }

    int fieldCount() {
      return isOneValue() ? 1 : fields.count;
    }

    int fieldLength() {
      return isOneValue() ? valueSize : fields.length;
    }
  }

  /** Records with fields of equal length. An update changes one field. */
  static final class FieldShape {

    @Option(
        names = "--fields",
        paramLabel = "N",
        description = "Fields per record (default: ${DEFAULT-VALUE}).")
    int count = 10;

    @Option(
        names = "--field-length",
        paramLabel = "BYTES",
        description = "Bytes per field (default: ${DEFAULT-VALUE}).")
    int length = 100;
  }

  /** All errors in the options, one message each. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    atLeastOne(problems, "--records", records);
    atLeastOne(problems, "--operations", operations);
    atLeastOne(problems, "--threads", threads);
    atLeastOne(problems, "--fields", shape.fieldCount());
    atLeastOne(
        problems, shape.isOneValue() ? "--value-size" : "--field-length", shape.fieldLength());
    if (scanOperations != null) {
      atLeastOne(problems, "--scan-operations", scanOperations);
    }
    if (target < 0) {
      problems.add("--target is " + target + ", must be 0 or more");
    }
    if (threads > records) {
      problems.add("--threads is " + threads + ", more than the " + records + " records");
    }
    return problems;
  }

  private static void atLeastOne(List<String> problems, String option, int value) {
    if (value < 1) {
      problems.add(option + " is " + value + ", must be 1 or more");
    }
  }

  /** The directory for files without an explicit path. */
  static Path home() {
    return Path.of(System.getProperty(HOME, "ycsb-results"));
  }

  /** The number of operations of a workload. */
  int operationsOf(StandardWorkload workload) {
    if (!workload.scans()) {
      return operations;
    }
    return scanOperations != null
        ? scanOperations
        : Math.max(1, operations / SCAN_OPERATIONS_DIVISOR);
  }

  /** YCSB's properties for a load into a directory. */
  Properties loadProperties(Path storeDirectory) {
    Properties properties = new Properties();
    properties.setProperty(Client.WORKLOAD_PROPERTY, CoreWorkload.class.getName());
    properties.setProperty(Client.DB_PROPERTY, RlsmClient.class.getName());
    set(properties, Client.RECORD_COUNT_PROPERTY, records);
    set(properties, Client.OPERATION_COUNT_PROPERTY, operations);
    set(properties, Client.THREAD_COUNT_PROPERTY, threads);
    set(properties, CoreWorkload.FIELD_COUNT_PROPERTY, shape.fieldCount());
    set(properties, CoreWorkload.FIELD_LENGTH_PROPERTY, shape.fieldLength());
    // YCSB verifies records of constant size only.
    set(properties, CoreWorkload.FIELD_LENGTH_DISTRIBUTION_PROPERTY, "constant");
    set(properties, CoreWorkload.DATA_INTEGRITY_PROPERTY, dataIntegrity);
    set(properties, ClientSettings.DIRECTORY, storeDirectory);
    set(properties, ClientSettings.STORE, store);
    set(properties, ClientSettings.DURABILITY, durability);
    set(properties, ClientSettings.BLIND_UPDATES, shape.isOneValue());
    storeOptions.forEach(
        (name, value) -> set(properties, ClientSettings.OPTION_PREFIX + name, value));
    return properties;
  }

  /** YCSB's properties for a workload on what {@link #loadProperties} loaded. */
  Properties runProperties(Path storeDirectory, StandardWorkload workload) {
    Properties properties = loadProperties(storeDirectory);
    properties.putAll(workload.properties());
    set(properties, Client.OPERATION_COUNT_PROPERTY, operationsOf(workload));
    return properties;
  }

  private static void set(Properties properties, String name, Object value) {
    properties.setProperty(name, value.toString());
  }
}
