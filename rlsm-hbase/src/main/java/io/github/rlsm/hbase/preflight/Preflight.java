// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.config.MembufferSettings;
import io.github.rlsm.hbase.config.StoreSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A command that checks whether the engine can be enabled for a table: {@code hbase
 * io.github.rlsm.hbase.preflight.Preflight [table]}. It inspects the region servers of the running
 * cluster, reads the table's files and writes nothing.
 *
 * <p>Threads: one.
 */
public final class Preflight {

  /** The HBase release line that the engine is built for. */
  private static final String LINE = "2.6.";

  private final Configuration conf;
  private final PrintStream out;
  private final Servers servers;
  private int problems;

  /** The inspection of the region servers. */
  @FunctionalInterface
  interface Servers {
    void inspect(Configuration conf, PrintStream out, Consumer<String> problems);
  }

  Preflight(Configuration conf, PrintStream out, Servers servers) {
    this.conf = conf;
    this.out = out;
    this.servers = servers;
  }

  /** Runs the checks and exits with 0 if there is no problem. */
  public static void main(String[] arguments) throws IOException {
    Preflight preflight = new Preflight(
        HBaseConfiguration.create(),
        System.out,
        (conf, out, problems) -> new ServerInspection(LINE, out, problems).run(conf));
    System.exit(preflight.run(arguments));
  }

  /** Returns the exit status: 0 without a problem, 1 with problems, 2 for wrong arguments. */
  int run(String... arguments) throws IOException {
    if (arguments.length > 1 || (arguments.length == 1 && arguments[0].startsWith("-"))) {
      out.println("usage: hbase " + Preflight.class.getName() + " [table]");
      return 2;
    }
    checkVersion();
    servers.inspect(conf, out, this::problem);
    checkOptions("hbase-site.xml", conf);
    if (arguments.length == 1) {
      checkTable(TableName.valueOf(arguments[0]));
    }
    if (problems > 0) {
      out.println(problems + " problem(s); solve them before you enable the engine");
      return 1;
    }
    String table = arguments.length == 1 ? arguments[0] : "a table";
    out.println("No problem. Run in the shell:");
    out.println("  alter '" + table + "', CONFIGURATION => {'" + StoreEngine.STORE_ENGINE_CLASS_KEY
        + "' => '" + RlsmStoreEngine.class.getName() + "'}");
    return 0;
  }

  private void checkVersion() {
    String version = VersionInfo.getVersion();
    out.println("HBase " + version + ", Java " + Runtime.version().feature());
    if (!version.startsWith(LINE)) {
      problem("the engine is built for HBase " + LINE + "x");
    }
  }

  private void checkOptions(String where, Configuration options) {
    Consumer<String> problems = text -> problem(where + ": " + text);
    StoreSettings settings = StoreSettings.of(options, problems);
    out.println(where + ": " + settings + ", " + MembufferSettings.of(options, problems));
  }

  private void checkTable(TableName name) throws IOException {
    // A writable instance deletes older descriptors, and descriptors that a live master is writing.
    boolean readOnly = true;
    TableDescriptor table = new FSTableDescriptors(
            CommonFSUtils.getCurrentFileSystem(conf),
            CommonFSUtils.getRootDir(conf),
            readOnly,
            false)
        .get(name);
    if (table == null) {
      problem("table " + name + " does not exist");
      return;
    }
    new TableInspection(conf, table, out, this::problem).run(this::checkOptions);
  }

  private void problem(String text) {
    problems++;
    out.println("PROBLEM: " + text);
  }
}
