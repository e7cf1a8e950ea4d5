// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import io.github.rlsm.it.SystemCallOrderTest.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The ways to break a rule in a trace. They show that the checks can fail. */
enum TraceFault {
  TABLE_NOT_FORCED(TracedOrder::tablesAreForcedBeforeTheManifestIsWritten) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isForce(call) && call.file().endsWith(table(trace)));
    }
  },
  TABLE_WRITTEN_AFTER_ITS_FORCE(TracedOrder::tablesAreForcedBeforeTheManifestIsWritten) {
    @Override
    List<SystemCall> seed(Trace trace) {
      List<SystemCall> calls = new ArrayList<>();
      for (SystemCall call : trace.calls()) {
        boolean moves = isForce(call) && call.file().endsWith(table(trace));
        calls.add(moves ? call.at(0) : call);
      }
      return calls;
    }
  },
  TABLE_NAME_NOT_FORCED(TracedOrder::tablesAreForcedBeforeTheManifestIsWritten) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isDirectoryForce(trace, call));
    }
  },
  VALUES_NOT_FORCED(TracedOrder::valuesAreForcedBeforeTheManifestIsWritten) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> call.name().equals("msync"));
    }
  },
  VALUES_FORCED_TOO_SHORT(TracedOrder::valuesAreForcedBeforeTheManifestIsWritten) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return changed(trace, call -> call.name().equals("msync"), TraceFault::shorten);
    }
  },
  EDIT_NOT_FORCED(TracedOrder::flushIsForcedBeforeItIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isForce(call) && call.file().contains("/MANIFEST-"));
    }
  },
  TABLE_REMOVED_TOO_EARLY(TracedOrder::tablesAreRemovedAfterTheEditThatDropsThemIsForced) {
    @Override
    List<SystemCall> seed(Trace trace) {
      // Not a table of an abandoned job, because no edit ever named it.
      SystemCall removal = firstOf(
          trace,
          call -> TracedOrder.isRemoval(call, "/tab-")
              && trace.manifest().dropping(TracedOrder.removedTable(call)).isPresent());
      long table = TracedOrder.removedTable(removal);
      SystemCall edit = trace.manifest().dropping(table).orElseThrow().write();
      return changed(trace, removal::equals, call -> call.at(edit.begin()));
    }
  },
  MARKER_NOT_FORCED(TracedOrder::markerIsSwitchedInOrder) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isForce(call) && call.file().endsWith("/CURRENT.tmp"));
    }
  },
  MANIFEST_NOT_FORCED_BEFORE_THE_MARKER(TracedOrder::markerIsSwitchedInOrder) {
    @Override
    List<SystemCall> seed(Trace trace) {
      SystemCall rename = firstOf(trace, call -> call.name().startsWith("rename"));
      return without(
          trace,
          call -> isForce(call) && call.file().contains("/MANIFEST-") && call.isBefore(rename));
    }
  },
  RENAME_NOT_FORCED(TracedOrder::markerIsSwitchedInOrder) {
    @Override
    List<SystemCall> seed(Trace trace) {
      SystemCall rename = firstOf(trace, call -> call.name().startsWith("rename"));
      SystemCall begin = firstOf(trace, call -> call.printed().startsWith(TracedChild.BEGIN));
      return without(
          trace,
          call -> isDirectoryForce(trace, call) && rename.isBefore(call) && call.isBefore(begin));
    }
  },
  ACKNOWLEDGED_BEFORE_ITS_FORCE(TracedOrder::everyByteIsDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      TracedWrite write = lastForced(trace);
      return changed(
          trace, write.acknowledged()::equals, call -> call.at(write.begin().end() + 1));
    }
  },
  WRITE_NOT_FORCED(TracedOrder::everyByteIsDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      TracedWrite write = lastForced(trace);
      return without(trace, call -> isLogForce(trace, call) && isWithin(call, write));
    }
  },
  FORCED_RANGE_TOO_SHORT(TracedOrder::everyByteIsDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      TracedWrite write = longForced(trace);
      return changed(
          trace, call -> call.name().equals("msync") && isWithin(call, write), TraceFault::shorten);
    }

    @Override
    boolean suitsDevice() {
      return false;
    }
  },
  EARLIER_WRITE_NOT_FORCED(TracedOrder::everyByteIsDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      // As if a part of its record were in an unforced range.
      String located = TracedChild.LOCATED + unforced(trace) + " ";
      return changed(
          trace,
          call -> call.printed().startsWith(located),
          call -> call.with(call.text().replaceFirst("log (\\d+) (\\d+)", "log $1 9$2")));
    }
  },
  SEGMENT_NAME_NOT_FORCED(TracedOrder::segmentsAreDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isDirectoryForce(trace, call));
    }
  },
  SEGMENT_HEAD_NOT_FORCED(TracedOrder::segmentsAreDurableBeforeAForcedWriteIsAcknowledged) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return without(trace, call -> isLogForce(trace, call));
    }
  },
  COPY_DIFFERS(TracedOrder::everyByteIsDurableBeforeAForcedWriteIsAcknowledged, true) {
    @Override
    List<SystemCall> seed(Trace trace) {
      TracedWrite write = lastForced(trace);
      return changed(
          trace,
          call -> isLogForce(trace, call) && isWithin(call, write),
          call -> call.with(call.text().replaceFirst("unique", "Unique")));
    }
  },
  DEVICE_WITHOUT_O_DSYNC(TracedOrder::logDeviceIsWrittenDurably, true) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return changed(
          trace,
          call -> call.text().contains("O_DIRECT"),
          call -> call.with(call.text().replaceFirst("\\|O_D?SYNC", "")));
    }
  },
  DEVICE_WITHOUT_O_DIRECT(TracedOrder::logDeviceIsWrittenDurably, true) {
    @Override
    List<SystemCall> seed(Trace trace) {
      return changed(
          trace,
          call -> call.text().contains("O_DIRECT"),
          call -> call.with(call.text().replaceFirst("\\|O_DIRECT", "")));
    }
  },
  DEVICE_WRITTEN_UNALIGNED(TracedOrder::logDeviceIsWrittenDurably, true) {
    @Override
    List<SystemCall> seed(Trace trace) {
      TracedWrite write = lastForced(trace);
      return changed(
          trace,
          call -> isLogForce(trace, call) && isWithin(call, write),
          call -> call.with(call.text().replaceFirst(", (\\d+)(\\) += \\d+)$", ", 7$2")));
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a method reference without state
  private final Consumer<TracedOrder> noticedBy;

  private final boolean onlyDevice;

  TraceFault(Consumer<TracedOrder> noticedBy) {
    this(noticedBy, false);
  }

  TraceFault(Consumer<TracedOrder> noticedBy, boolean onlyDevice) {
    this.noticedBy = noticedBy;
    this.onlyDevice = onlyDevice;
  }

  /** The calls of a trace, with the fault. */
  abstract List<SystemCall> seed(Trace trace);

  /** The check that must detect the fault. */
  Consumer<TracedOrder> noticedBy() {
    return noticedBy;
  }

  /** Whether the fault applies to a trace of a store with its log in files. */
  boolean suitsFiles() {
    return !onlyDevice;
  }

  /** Whether the fault applies to a trace of a store with its log on a device. */
  boolean suitsDevice() {
    return true;
  }

  private static List<SystemCall> without(Trace trace, Predicate<SystemCall> which) {
    return trace.calls().stream().filter(which.negate()).toList();
  }

  private static List<SystemCall> changed(
      Trace trace, Predicate<SystemCall> which, UnaryOperator<SystemCall> change) {
    return trace.calls().stream()
        .map(call -> which.test(call) ? change.apply(call) : call)
        .toList();
  }

  private static SystemCall firstOf(Trace trace, Predicate<SystemCall> which) {
    return trace.calls().stream().filter(which).findFirst().orElseThrow();
  }

  /** An msync of one byte. */
  private static SystemCall shorten(SystemCall msync) {
    return msync.with(msync.text().replaceFirst(", \\d+, MS_SYNC", ", 1, MS_SYNC"));
  }

  /** The file name of a table that an edit names. */
  private static String table(Trace trace) {
    SystemCall flushing = firstOf(trace, call -> call.printed().equals(TracedChild.FLUSHING));
    SystemCall created = firstOf(
        trace,
        call -> flushing.isBefore(call)
            && call.text().contains("/tab-")
            && call.text().contains("O_EXCL"));
    String path = created.text().split("\"", 3)[1];
    return path.substring(path.lastIndexOf('/'));
  }

  private static boolean isForce(SystemCall call) {
    return call.name().equals("fsync") || call.name().equals("fdatasync");
  }

  private static boolean isDirectoryForce(Trace trace, SystemCall call) {
    return call.name().equals("fsync") && call.file().equals(trace.directory().toString());
  }

  /** Whether a call makes records durable. */
  private static boolean isLogForce(Trace trace, SystemCall call) {
    return call.name().equals("msync")
        || (call.name().equals("pwrite64")
            && trace.device().map(Object::toString).filter(call.file()::equals).isPresent());
  }

  private static boolean isWithin(SystemCall call, TracedWrite write) {
    return write.begin().isBefore(call) && call.isBefore(write.acknowledged());
  }

  /** The last forced write that no other thread could have forced. */
  private static TracedWrite lastForced(Trace trace) {
    return last(trace, (write, next) -> write.isForced());
  }

  /** A forced write whose record ends after the first page of its file. */
  private static TracedWrite longForced(Trace trace) {
    return last(trace, (write, next) -> write.isForced() && write.to() > 4096);
  }

  /** The number of a write that only the next write forces. */
  private static int unforced(Trace trace) {
    return last(trace, (write, next) -> !write.isForced() && next.isForced()).number();
  }

  private static TracedWrite last(Trace trace, BiPredicate<TracedWrite, TracedWrite> which) {
    for (int i = TracedChild.WRITES - 2; i >= TracedChild.WRITES - TracedChild.WRITES_ALONE; i--) {
      TracedWrite write = trace.write(i);
      if (which.test(write, trace.write(i + 1))) {
        return write;
      }
    }
    throw new AssertionError("no such write");
  }
}
