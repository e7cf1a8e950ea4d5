// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreContext;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.security.EncryptionUtil;
import org.jspecify.annotations.Nullable;

/**
 * Creates the writers of a store's key files. They equal HBase's writers for other files, except
 * for the block size: an {@value #PART}th of the family's, but not below {@value #BYTES_MIN} bytes
 * unless the family's is. HBase finds a cell by walking through its block from the beginning, and a
 * block of the usual size has hundreds of shadows.
 *
 * <p>Threads: any.
 */
public final class KeyFileFactory {

  private static final int PART = 8;
  private static final int BYTES_MIN = 4 << 10;

  /** HBase does not expose its favoured nodes to other packages; HDFS places these small files. */
  private static final InetSocketAddress[] NO_FAVORED_NODES = {};

  private final Configuration conf;
  private final HStore store;

  @GuardedBy("this")
  private @Nullable StoreFileTracker tracker;

  /** Creates the factory of a store, with the store's own configuration. */
  public KeyFileFactory(Configuration conf, HStore store) {
    this.conf = conf;
    this.store = store;
  }

  /** Creates a writer of a key file, which has tags and the sequence ids of cells. */
  public StoreFileWriter create(CreateStoreFileWriterParams params) throws IOException {
    return tracker().createWriter(params.includesTag(true).includeMVCCReadpoint(true));
  }

  /** Created on first use, because the engine is created while its store is under construction. */
  private synchronized StoreFileTracker tracker() throws IOException {
    StoreFileTracker made = tracker;
    if (made == null) {
      made = StoreFileTrackerFactory.create(conf, store.isPrimaryReplicaStore(), context());
      tracker = made;
    }
    return made;
  }

  private StoreContext context() throws IOException {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(
            store.getColumnFamilyDescriptor())
        .setBlocksize(blockBytes(store.getColumnFamilyDescriptor().getBlocksize()))
        .build();
    return StoreContext.getBuilder()
        .withBlockSize(family.getBlocksize())
        .withEncryptionContext(EncryptionUtil.createEncryptionContext(conf, family))
        .withBloomType(family.getBloomFilterType())
        .withCacheConfig(store.getCacheConfig())
        .withCellComparator(store.getComparator())
        .withColumnFamilyDescriptor(family)
        .withCompactedFilesSupplier(store::getCompactedFiles)
        .withRegionFileSystem(store.getRegionFileSystem())
        .withFavoredNodesSupplier(() -> NO_FAVORED_NODES)
        .withFamilyStoreDirectoryPath(
            store.getRegionFileSystem().getStoreDir(family.getNameAsString()))
        .withRegionCoprocessorHost(store.getHRegion().getCoprocessorHost())
        .build();
  }

  private static int blockBytes(int familyBlockBytes) {
    return Math.min(familyBlockBytes, Math.max(BYTES_MIN, familyBlockBytes / PART));
  }
}
