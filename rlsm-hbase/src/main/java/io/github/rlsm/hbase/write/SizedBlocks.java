// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.hbase.write;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreContext;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.security.EncryptionUtil;

/**
 * Creates the writers of store files whose blocks may be smaller than the family's. In all else
 * they equal HBase's writers.
 *
 * <p>Threads: any.
 */
public final class SizedBlocks {

  /** HBase does not expose its favoured nodes to other packages; HDFS places these files. */
  private static final InetSocketAddress[] NO_FAVORED_NODES = {};

  private final Configuration conf;
  private final HStore store;

  private final ConcurrentMap<Integer, StoreFileTracker> trackers = new ConcurrentHashMap<>();

  /** Creates the writers of a store, with the store's own configuration. */
  public SizedBlocks(Configuration conf, HStore store) {
    this.conf = conf;
    this.store = store;
  }

  /** The sizes of blocks of a store. */
  public BlockBytes bytes() {
    return new BlockBytes(store.getColumnFamilyDescriptor().getBlocksize());
  }

  /** Creates a writer of files with blocks of some bytes. */
  public StoreFileWriter create(CreateStoreFileWriterParams params, int blockBytes)
      throws IOException {
    if (blockBytes == bytes().family()) {
      return store.getStoreEngine().createWriter(params);
    }
    StoreFileTracker tracker = trackers.get(blockBytes);
    if (tracker == null) {
      // Created on first use, because the engine is created while its store is under construction.
      tracker =
          StoreFileTrackerFactory.create(conf, store.isPrimaryReplicaStore(), context(blockBytes));
      trackers.put(blockBytes, tracker);
    }
    return tracker.createWriter(params);
  }

  /** The offsets of cells in a file that {@link #create} writes. */
  public CellOffsets offsets(CreateStoreFileWriterParams params) {
    ColumnFamilyDescriptor family = store.getColumnFamilyDescriptor();
    boolean isPlain = params.compression() == Compression.Algorithm.NONE
        && family.getDataBlockEncoding() == DataBlockEncoding.NONE
        && family.getEncryptionType() == null;
    return new CellOffsets(isPlain, params.includeMVCCReadpoint(), params.includesTag());
  }

  private StoreContext context(int blockBytes) throws IOException {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(
            store.getColumnFamilyDescriptor())
        .setBlocksize(blockBytes)
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
}
