// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.hbase.RlsmStoreEngine;
import io.github.rlsm.hbase.RunsHBase;
import io.github.rlsm.hbase.TestRegion;
import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.memstore.MembufferMemStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.CompactingMemStore;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@RunsHBase
class PreflightTest {

  @TempDir
  private Path folder;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  /** The problems of region servers. */
  private List<String> servers = List.of();

  @Test
  void aTableWithoutProblemsGetsTheAlterCommand() throws IOException {
    try (TestRegion region = filled()) {
      assertThat(run(region.conf(), "t")).isZero();
      assertThat(text())
          .contains("1 files, 1 partitions, 0 wide files, at most 1 files for a row")
          .contains("alter 't', CONFIGURATION => {'hbase.hstore.engine.class' =>");
    }
  }

  @Test
  void badOptionsAndDamagedFilesAreNamed() throws IOException {
    try (TestRegion region = filled()) {
      HStoreFile file = region.store().getStorefiles().iterator().next();
      Files.write(Path.of(file.getPath().toUri().getPath()), new byte[100]);
      Configuration conf = new Configuration(region.conf());
      conf.set(StoreSettings.ROW_FILES, "many");
      assertThat(run(conf, "t")).isEqualTo(1);
      assertThat(text())
          .contains("PROBLEM: hbase-site.xml: hbase.rlsm.row.files.max is 'many'")
          .contains("CorruptHFileException")
          .doesNotContain("alter");
    }
  }

  @Test
  void aMissingTableIsAProblem() throws IOException {
    try (TestRegion region = filled()) {
      assertThat(run(region.conf(), "u")).isEqualTo(1);
      assertThat(text()).contains("PROBLEM: table u does not exist");
      assertThat(run(region.conf(), "-h")).isEqualTo(2);
    }
  }

  @Test
  void aMembufferBesideInMemoryCompactionIsAProblem() throws IOException {
    try (TestRegion region = filled()) {
      Configuration conf = new Configuration(region.conf());
      conf.set(HStore.MEMSTORE_CLASS_NAME, MembufferMemStore.class.getName());
      assertThat(run(conf, "t")).isZero();
      conf.set(CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY, "basic");
      assertThat(run(conf, "t")).isEqualTo(1);
      assertThat(text()).contains("PROBLEM: family f: hbase.regionserver.memstore.class is the");
    }
  }

  @Test
  void aProblemOfAServerIsAProblem() throws IOException {
    servers = List.of("server s");
    try (TestRegion region = filled()) {
      assertThat(run(region.conf(), "t")).isEqualTo(1);
      assertThat(text()).contains("PROBLEM: server s").doesNotContain("alter");
    }
  }

  /** A live master may be writing a descriptor, and deletes older ones itself. */
  @Test
  void descriptorsOfALiveMasterStay() throws IOException {
    try (TestRegion region = filled()) {
      Path folderOfDescriptors;
      try (Stream<Path> paths = Files.walk(folder)) {
        folderOfDescriptors = paths
            .filter(path -> path.getFileName().toString().equals(".tabledesc"))
            .findFirst()
            .orElseThrow();
      }
      Path halfWritten = folderOfDescriptors.resolve(".tableinfo.0000000009.5000");
      Files.write(halfWritten, new byte[100]);
      Path older = folderOfDescriptors.resolve(".tableinfo.0000000000.100");
      Files.write(older, new byte[100]);
      assertThat(run(region.conf(), "t")).isZero();
      assertThat(halfWritten).exists();
      assertThat(older).exists();
    }
  }

  private TestRegion filled() throws IOException {
    TestRegion region = new TestRegion(
        folder,
        "t",
        RlsmStoreEngine.class.getName(),
        ColumnFamilyDescriptorBuilder.of(TestRegion.FAMILY));
    byte[] row = Bytes.toBytes("row");
    region.region().put(new Put(row).addColumn(TestRegion.FAMILY, row, row));
    region.region().flush(true);
    new FSTableDescriptors(region.conf()).createTableDescriptor(region.table());
    return region;
  }

  private int run(Configuration conf, String... arguments) throws IOException {
    return new Preflight(
            conf,
            new PrintStream(printed, true, UTF_8),
            (site, out, problems) -> servers.forEach(problems))
        .run(arguments);
  }

  private String text() {
    return printed.toString(UTF_8);
  }
}
