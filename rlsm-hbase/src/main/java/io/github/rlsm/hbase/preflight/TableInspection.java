// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.preflight;

import io.github.rlsm.hbase.config.StoreSettings;
import io.github.rlsm.hbase.files.StoreFileSet;
import io.github.rlsm.hbase.layout.Layout;
import io.github.rlsm.hbase.memstore.MembufferMemStore;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.CompactingMemStore;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreContext;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreUtils;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSUtils;

/**
 * Opens the files of a table for reading, as the engine would, and prints the layout they would
 * have.
 *
 * <p>Threads: one.
 */
final class TableInspection {

  private final Configuration conf;
  private final TableDescriptor table;
  private final PrintStream out;
  private final Consumer<String> problems;

  TableInspection(
      Configuration conf, TableDescriptor table, PrintStream out, Consumer<String> problems) {
    this.conf = conf;
    this.table = table;
    this.out = out;
    this.problems = problems;
  }

  /**
   * Inspects all stores of the table.
   *
   * @param options receives the name of each family and the configuration that HBase layers for it
   */
  void run(BiConsumer<String, Configuration> options) throws IOException {
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.isMobEnabled()) {
        out.println("family " + family.getNameAsString() + " uses MOB; HBase's engine serves it");
      }
      options.accept("family " + family.getNameAsString(), layered(family));
      checkMemstore(family);
    }
    Path folder = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), table.getTableName());
    FileSystem files = folder.getFileSystem(conf);
    for (Path region : FSUtils.getRegionDirs(files, folder)) {
      HRegionFileSystem regionFiles = HRegionFileSystem.openRegionFromFileSystem(
          conf, files, folder, HRegionFileSystem.loadRegionInfoFileContent(files, region), true);
      for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
        inspect(regionFiles, family);
      }
    }
  }

  /** Reports a Membuffer with in-memory compaction, because HBase opens no region with both. */
  private void checkMemstore(ColumnFamilyDescriptor family) {
    Configuration options = layered(family);
    MemoryCompactionPolicy ofFamily = family.getInMemoryCompaction();
    String compaction = ofFamily != null
        ? ofFamily.name()
        : options.get(
            CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY,
            CompactingMemStore.COMPACTING_MEMSTORE_TYPE_DEFAULT);
    boolean membuffer =
        MembufferMemStore.class.getName().equals(options.get(HStore.MEMSTORE_CLASS_NAME));
    if (membuffer && !MemoryCompactionPolicy.NONE.name().equalsIgnoreCase(compaction)) {
      problems.accept("family " + family.getNameAsString() + ": " + HStore.MEMSTORE_CLASS_NAME
          + " is the Membuffer, but in-memory compaction is " + compaction
          + ", so its regions would not open; set IN_MEMORY_COMPACTION to NONE");
    }
  }

  private Configuration layered(ColumnFamilyDescriptor family) {
    return StoreUtils.createStoreConfiguration(conf, table, family);
  }

  private void inspect(HRegionFileSystem region, ColumnFamilyDescriptor family) {
    String where =
        "region " + region.getRegionInfo().getEncodedName() + " " + family.getNameAsString();
    List<HStoreFile> opened = new ArrayList<>();
    try {
      for (StoreFileInfo info : list(region, family)) {
        HStoreFile file = new HStoreFile(info, BloomType.NONE, CacheConfig.DISABLED);
        opened.add(file);
        file.initReader();
      }
      out.println(where + ": " + describe(opened, family));
    } catch (IOException e) {
      problems.accept(where + ": " + e);
    } finally {
      opened.forEach(file -> close(where, file));
    }
  }

  private List<StoreFileInfo> list(HRegionFileSystem region, ColumnFamilyDescriptor family)
      throws IOException {
    StoreContext context = StoreContext.getBuilder()
        .withColumnFamilyDescriptor(family)
        .withRegionFileSystem(region)
        .withFamilyStoreDirectoryPath(region.getStoreDir(family.getNameAsString()))
        .build();
    // The tracker is created as for a replica, which writes nothing.
    return StoreFileTrackerFactory.create(layered(family), false, context).load();
  }

  private String describe(List<HStoreFile> opened, ColumnFamilyDescriptor family) {
    StoreSettings settings = StoreSettings.of(layered(family), ignored -> {});
    Layout<HStoreFile> layout = StoreFileSet.layoutOf(opened, settings.partitions());
    long keyFiles = opened.stream()
        .filter(file -> file.getMetadataValue(StoreFileSet.VALUES_KEY) != null)
        .count();
    return opened.size() + " files, " + layout.partitions().size() + " partitions, "
        + layout.wide().size() + " wide files, at most " + layout.depth()
        + " files for a row"
        + (keyFiles == 0 ? "" : ", " + keyFiles + " key files");
  }

  private void close(String where, HStoreFile file) {
    try {
      file.closeStoreFile(false);
    } catch (IOException e) {
      problems.accept(where + ": " + e);
    }
  }
}
