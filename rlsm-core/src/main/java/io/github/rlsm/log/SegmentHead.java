// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.log;

import io.github.rlsm.io.FileHeader;
import io.github.rlsm.io.FileKind;
import io.github.rlsm.io.MappedFile;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The head of a segment that will be put into use, encoded except for its base seqno. The
 * constructor allocates everything, so that {@link #write} only stores into the segment.
 *
 * <p>Threads: one thread at a time.
 */
final class SegmentHead {

  private final ByteBuffer segment;
  private final ByteBuffer encoded;
  private final CRC32C crc = new CRC32C();

  SegmentHead(MappedFile file, FileKind kind, SegmentLayout layout, long storeId) {
    this.segment = file.memory();
    this.encoded = layout.encode(new FileHeader(kind, storeId, SegmentFiles.numberOf(file)));
  }

  /** Puts the segment into use, see {@link SegmentLayout#write}. */
  void write(long baseSeqno) {
    encoded.putLong(SegmentLayout.BASE_SEQNO, baseSeqno);
    crc.reset();
    encoded.limit(SegmentLayout.CRC).position(SegmentLayout.BASE_SEQNO);
    crc.update(encoded);
    encoded.clear();
    encoded.putInt(SegmentLayout.CRC, (int) crc.getValue());
    SegmentLayout.write(segment, encoded);
  }
}
