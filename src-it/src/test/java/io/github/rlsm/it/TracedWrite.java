// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A write of the {@link TracedChild}, and the place of its record.
 *
 * @param number number of the write
 * @param begin the call that printed the start of the write
 * @param acknowledged the call that printed the acknowledgement
 * @param segment name of the file with the record
 * @param from offset of the record
 * @param to end offset of the record
 * @param seqno seqno of the record
 * @param checksum CRC32C of the record's bytes
 */
record TracedWrite(
    int number,
    SystemCall begin,
    SystemCall acknowledged,
    String segment,
    int from,
    int to,
    long seqno,
    long checksum) {

  /** All writes of a trace, by number. */
  static List<TracedWrite> parse(List<SystemCall> calls) {
    Map<String, SystemCall> printed = new HashMap<>();
    List<TracedWrite> writes = new ArrayList<>();
    for (SystemCall call : calls) {
      String line = call.printed();
      if (line.startsWith(TracedChild.BEGIN) || line.startsWith(TracedChild.ACKNOWLEDGED)) {
        printed.put(line, call);
      } else if (line.startsWith(TracedChild.LOCATED)) {
        String[] words = line.split(" ", -1);
        writes.add(new TracedWrite(
            Integer.parseInt(words[1]),
            printed.get(TracedChild.BEGIN + words[1]),
            printed.get(TracedChild.ACKNOWLEDGED + words[1]),
            words[2],
            Integer.parseInt(words[3]),
            Integer.parseInt(words[4]),
            Long.parseLong(words[5]),
            Long.parseLong(words[6])));
      }
    }
    writes.sort((a, b) -> Integer.compare(a.number, b.number));
    return writes;
  }

  /** Whether the write waited for a force. */
  boolean isForced() {
    return TracedChild.isForced(number);
  }
}
