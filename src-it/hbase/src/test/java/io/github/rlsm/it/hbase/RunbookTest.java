// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rlsm.it.hbase.InstalledHBase.Ended;
import io.github.rlsm.it.hbase.Runbook.Block;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executes the lines of docs/hbase.md on a standalone HBase and checks their effect. The test
 * spells the names of classes and keys as the page does. A new section with lines needs a check
 * here.
 */
@EnabledForJreRange(
    max = JRE.JAVA_22,
    disabledReason = "HBase 2.6.1 brings a Hadoop whose UserGroupInformation calls"
        + " Subject.getSubject, which Java 23 and later refuse (HADOOP-19212)")
class RunbookTest {

  private static final TableName TABLE = TableName.valueOf("orders");
  private static final byte[] OTHER_FAMILY = Bytes.toBytes("m");
  private static final String ENGINE_KEY = "hbase.hstore.engine.class";
  private static final String ENGINE = "io.github.rlsm.hbase.RlsmStoreEngine";
  private static final String OWN = "org.apache.hadoop.hbase.regionserver.DefaultStoreEngine";
  private static final String METRICS = "Namespace_default_table_orders_metric_";
  private static final String MARK = "RLSM_PARTITION";
  private static final int SECONDS_MAX = 60;
  private static final int ALTER_SECONDS = 20;
  private static final int WAIT_SECONDS = 5;
  private static final long BYPASS_MILLIS = 5_000;
  private static final String MEMSTORE_KEY = "hbase.regionserver.memstore.class";
  private static final String MEMBUFFER = "io.github.rlsm.hbase.memstore.MembufferMemStore";
  private static final Pattern MODIFICATION =
      Pattern.compile("ModifyTableProcedure\",\"procId\":\"(\\d+)\"[^{}]*\"state\":\"WAITING\"");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path temporary;

  @Test
  void linesEnableVerifyTuneAndRollBack() throws Exception {
    List<Block> blocks = Runbook.read();
    try (InstalledHBase hbase = new InstalledHBase(temporary)) {
      hbase.server().start();
      try (Operator operator = new Operator(hbase)) {
        operator.create(TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(OTHER_FAMILY))
            .build());
        for (int i = 0; i < blocks.size(); i++) {
          Block block = blocks.get(i);
          String output = operator.run(block);
          operator.write();
          boolean lastOfSection =
              i + 1 == blocks.size() || !blocks.get(i + 1).section().equals(block.section());
          check(operator, block, lastOfSection, output);
          assertThat(operator.rows.problems(operator.connection)).isEmpty();
        }
      }
    }
  }

  private void check(Operator operator, Block block, boolean lastOfSection, String output)
      throws Exception {
    TableDescriptor table = operator.admin.getDescriptor(TABLE);
    String ofFamily = table.getColumnFamily(LinkedRows.FAMILY).getConfigurationValue(ENGINE_KEY);
    switch (block.section()) {
      case "Install" -> {
        assertThat(operator.hbase.installed()).exists();
        if (lastOfSection) {
          assertThat(output).contains("'" + ENGINE_KEY + "' => '" + ENGINE + "'");
        }
      }
      case "Canary" -> {
        assertThat(ofFamily).isEqualTo(ENGINE);
        assertThat(table.getValue(ENGINE_KEY)).isEqualTo(lastOfSection ? ENGINE : null);
        operator.await("metrics", figures -> figures.containsKey(METRICS + "partitionCount"));
        if (!lastOfSection) {
          assertThat(operator.admin.listSnapshots()).hasSize(1);
        }
      }
      case "Verify" -> {
        if (lastOfSection) {
          operator.awaitMarked(true);
        } else {
          assertThat(output).contains(METRICS + "partitionCount", METRICS + "runCount");
        }
      }
      case "Tune" ->
        operator.await(
            "value files", figures -> figures.getOrDefault(METRICS + "valueFileCount", 0L) > 0);
      case "Roll back" -> {
        assertThat(ofFamily).isEqualTo(OWN);
        assertThat(table.getValue(ENGINE_KEY)).isEqualTo(OWN);
        operator.awaitMarked(false);
        operator.await("no metrics", figures -> !figures.containsKey(METRICS + "partitionCount"));
      }
      default -> throw new AssertionError("no check for the section " + block.section());
    }
  }

  /** An alteration cannot help: it waits for the lock of the procedure that opens the region. */
  @Test
  void regionThatDoesNotOpenOpensWithTheJar() throws Exception {
    Block install = Runbook.read().get(0);
    assertThat(install.section()).isEqualTo("Install");
    try (InstalledHBase hbase = new InstalledHBase(temporary)) {
      Files.copy(InstalledHBase.dropIn(), hbase.installed());
      hbase.server().start();
      try (Operator operator = new Operator(hbase)) {
        TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LinkedRows.FAMILY))
            .setValue(ENGINE_KEY, ENGINE)
            .build();
        operator.create(table);
        hbase.server().kill();
        Files.delete(hbase.installed());
        hbase.server().start();
        operator.awaitOpening();
        CompletableFuture<Void> altered = operator.alter(table, ENGINE_KEY, OWN);
        assertThatThrownBy(() -> altered.get(ALTER_SECONDS, TimeUnit.SECONDS))
            .isInstanceOf(TimeoutException.class);
        assertThat(Files.readString(hbase.server().log(), StandardCharsets.ISO_8859_1))
            .contains("Unable to load configured store engine '" + ENGINE + "'");
        operator.run(install);
        assertThat(operator.rows.problems(operator.connection)).isEmpty();
      }
    }
  }

  /** The calls of HBCK2 that the page names: bypass and assigns. */
  @Test
  void regionsWithAWrongMemstoreOpenAfterBypassAndAssigns() throws Exception {
    try (InstalledHBase hbase = new InstalledHBase(temporary)) {
      Files.copy(InstalledHBase.dropIn(), hbase.installed());
      hbase.server().start();
      try (Operator operator = new Operator(hbase);
          Hbck hbck = operator.connection.getHbck()) {
        TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(LinkedRows.FAMILY)
                .setInMemoryCompaction(MemoryCompactionPolicy.BASIC)
                .build())
            .build();
        operator.create(table);
        CompletableFuture<Void> wrong = operator.alter(table, MEMSTORE_KEY, MEMBUFFER);
        operator.awaitOpening();
        assertThat(wrong).isNotDone();

        bypassAlteration(operator, hbck);
        // It fails or waits, because the regions are not open, but changes the table first.
        CompletableFuture<Void> undone = operator.async.getAdmin().modifyTable(table);
        operator.awaitDescriptorWithout(MEMSTORE_KEY);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(WAIT_SECONDS));
        if (!undone.isDone()) {
          bypassAlteration(operator, hbck);
        }
        hbck.assigns(List.of(operator.admin.getRegions(TABLE).get(0).getEncodedName()), true);
        assertThat(operator.rows.problems(operator.connection)).isEmpty();
      }
    }
  }

  private static void bypassAlteration(Operator operator, Hbck hbck) throws IOException {
    Matcher procedure = MODIFICATION.matcher(operator.admin.getProcedures());
    assertThat(procedure.find()).isTrue();
    assertThat(hbck.bypassProcedure(
            List.of(Long.valueOf(procedure.group(1))), BYPASS_MILLIS, true, true))
        .containsExactly(true);
  }

  /** The connections of an operator, and the rows of the table. */
  private static final class Operator implements AutoCloseable {

    static final int ROWS = 200;

    final InstalledHBase hbase;
    final Connection connection;
    final AsyncConnection async;
    final Admin admin;
    final LinkedRows rows = new LinkedRows(TABLE, new Random(1), 2_000, 1);

    Operator(InstalledHBase hbase) throws Exception {
      this.hbase = hbase;
      Configuration conf = hbase.server().client();
      this.connection = ConnectionFactory.createConnection(conf);
      this.async = ConnectionFactory.createAsyncConnection(conf).get();
      this.admin = connection.getAdmin();
    }

    /** Creates the table and writes its first rows. */
    void create(TableDescriptor table) throws IOException {
      admin.createTable(table);
      write();
    }

    /** Begins to change a key of the table. */
    CompletableFuture<Void> alter(TableDescriptor table, String key, String value) {
      return async
          .getAdmin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(table).setValue(key, value).build());
    }

    void write() throws IOException {
      rows.write(connection, 2, ROWS / 2);
      admin.flush(TABLE);
    }

    /** Returns the output of lines of bash, or an empty string. */
    String run(Block block) throws Exception {
      if (block.language().equals("ruby")) {
        new HBaseShell(admin, async.getAdmin()).run(block.text());
        return "";
      }
      assertThat(block.language()).isEqualTo("bash");
      Ended ended = hbase.bash(block.text());
      assertThat(ended.code()).as(ended.output()).isZero();
      return ended.output();
    }

    /** HBase shows a new metric after up to ten seconds. */
    void await(String what, Predicate<Map<String, Long>> condition) throws IOException {
      assertThat(poll(() -> hbase.server().figures().engine(), condition))
          .as(what)
          .matches(condition);
    }

    /** Waits until a compaction of the engine has written a file, or until none is left. */
    void awaitMarked(boolean some) throws IOException {
      poll(this::hasMarkedFile, found -> found == some);
      assertThat(hasMarkedFile()).as("a file has " + MARK).isEqualTo(some);
    }

    private boolean hasMarkedFile() throws IOException {
      Configuration conf = hbase.server().client();
      Path table = hbase.server().data().resolve("data/default").resolve(TABLE.toString());
      List<Path> files;
      try (Stream<Path> walk = Files.walk(table)) {
        files = walk.filter(file -> file.getFileName().toString().matches("[0-9a-f]{32}"))
            .filter(file -> Files.isRegularFile(file) && !file.toString().contains("/.tmp/"))
            .toList();
      }
      for (Path file : files) {
        if (isMarked(file, conf)) {
          return true;
        }
      }
      return false;
    }

    private static boolean isMarked(Path file, Configuration conf) throws IOException {
      var path = new org.apache.hadoop.fs.Path(file.toUri());
      try (HFile.Reader reader = HFile.createReader(path.getFileSystem(conf), path, conf)) {
        return reader.getHFileInfo().containsKey(Bytes.toBytes(MARK));
      } catch (FileNotFoundException e) {
        return false; // It was archived after the folder was read.
      }
    }

    void awaitDescriptorWithout(String key) throws IOException {
      TableDescriptor table =
          poll(() -> admin.getDescriptor(TABLE), read -> read.getValue(key) == null);
      assertThat(table.getValue(key)).isNull();
    }

    /** Waits until a region of the table is in transition because it cannot be opened. */
    void awaitOpening() throws IOException {
      assertThat(poll(this::statesInTransition, states -> !states.isEmpty()))
          .containsExactly("OPENING");
    }

    private List<String> statesInTransition() throws IOException {
      return admin
          .getClusterMetrics(EnumSet.of(Option.REGIONS_IN_TRANSITION))
          .getRegionStatesInTransition()
          .stream()
          .filter(state -> state.getRegion().getTable().equals(TABLE))
          .map(state -> state.getState().toString())
          .toList();
    }

    /** Reads a state after each second until it is wanted, and returns the last state. */
    private static <S> S poll(Reading<S> reading, Predicate<S> wanted) throws IOException {
      S state;
      int seconds = 0;
      do {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        state = reading.read();
        seconds++;
      } while (seconds < SECONDS_MAX && !wanted.test(state));
      return state;
    }

    /** Reads a state of the cluster. */
    @FunctionalInterface
    private interface Reading<S> {
      S read() throws IOException;
    }

    @Override
    public void close() throws IOException {
      admin.close();
      async.close();
      connection.close();
    }
  }
}
