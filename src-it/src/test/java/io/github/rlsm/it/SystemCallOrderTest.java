// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.io.StoreFileName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The order of the system calls that durability rests on, from a trace of {@link TracedChild}.
 * Skipped where there is no strace or it may not trace.
 */
class SystemCallOrderTest {

  private static final Pattern MAPPED =
      Pattern.compile("MAP_SHARED, \\d+<([^>]*)>, 0(?:x0)?\\) += (0x[0-9a-f]+)");
  private static final Pattern FORCED = Pattern.compile("^(0x[0-9a-f]+), (\\d+), MS_SYNC");
  private static final Pattern MAPPED_LENGTH = Pattern.compile("^[^,]*, (\\d+), ");

  @TempDir
  static Path temporary;

  private static Path directory;
  private static List<SystemCall> calls;
  private static TracedManifest manifest;

  @BeforeAll
  static void trace() throws Exception {
    Machine.needsProgram("strace");
    directory = temporary.toRealPath().resolve("store");
    Path trace = temporary.resolve("trace");
    List<String> strace = List.of(
        "strace",
        "-f",
        "-y",
        "-s",
        "1000000",
        "-o",
        trace.toString(),
        "-e",
        "trace=openat,write,pwrite64,fsync,fdatasync,msync,mmap,rename,renameat,renameat2,unlink,"
            + "unlinkat");
    try (ChildJvm child = ChildJvm.start(
        strace, TracedChild.class, List.of(directory.toString()), temporary.resolve("errors"))) {
      assertThat(child.report()).isEmpty();
      assertThat(child.exitCode()).as(child.errors()).isZero();
    }
    calls = SystemCall.parse(Files.readAllLines(trace));
    manifest =
        new TracedManifest(calls, directory, Files.createDirectory(temporary.resolve("manifests")));
  }

  /** Tables and their names are durable before the manifest can name them. */
  @Test
  void tablesAreForcedBeforeTheManifestIsWritten() {
    List<SystemCall> tables =
        creates("tab-").filter(table -> !isGivenUp(createdPath(table))).toList();
    assertThat(tables).hasSizeGreaterThan(TracedChild.FLUSHES);
    for (SystemCall table : tables) {
      String path = createdPath(table);
      SystemCall naming = manifest.naming(number(path)).orElseThrow().write();
      SystemCall last = last(writes(path).toList(), write -> true);
      assertThat(between(last, naming)).as(path).anyMatch(call -> forces(call, path));
      assertThat(between(table, naming)).as(path).anyMatch(SystemCallOrderTest::forcesDirectory);
    }
  }

  /** Values are durable before the table with their pointers is named by the manifest. */
  @Test
  void valuesAreForcedBeforeTheManifestIsWritten() {
    List<SystemCall> flushing = said(TracedChild.FLUSHING).toList();
    assertThat(flushing).hasSize(TracedChild.FLUSHES);
    for (SystemCall begin : flushing) {
      SystemCall naming = flushedTable(begin).write();
      assertThat(between(begin, naming)).anyMatch(call -> mappedFile(call).contains("/val-"));
    }
  }

  /** A flush has returned only when the edit with its table is durable. */
  @Test
  void flushIsForcedBeforeItIsAcknowledged() {
    List<SystemCall> flushing = said(TracedChild.FLUSHING).toList();
    List<SystemCall> flushed = said(TracedChild.FLUSHED).toList();
    assertThat(flushed).hasSize(TracedChild.FLUSHES);
    for (int i = 0; i < flushed.size(); i++) {
      assertForced(flushedTable(flushing.get(i)), flushed.get(i));
    }
  }

  /** No table's file is removed before the edit that drops it is durable. */
  @Test
  void tablesAreRemovedAfterTheEditThatDropsThemIsForced() {
    List<SystemCall> removals = calls.stream()
        .filter(call -> isRemoval(call, "/tab-") && !isGivenUp(createdPath(call)))
        .toList();
    assertThat(removals).isNotEmpty();
    for (SystemCall removal : removals) {
      assertForced(manifest.dropping(number(createdPath(removal))).orElseThrow(), removal);
    }
  }

  private static boolean isRemoval(SystemCall call, String path) {
    return call.name().startsWith("unlink") && call.text().contains(path);
  }

  /** Whether a table was removed unnamed: a job was given up because the store was closed. */
  private static boolean isGivenUp(String table) {
    return manifest.naming(number(table)).isEmpty()
        && calls.stream().anyMatch(call -> isRemoval(call, table));
  }

  private static void assertForced(TracedManifest.Edit edit, SystemCall relying) {
    SystemCall write = edit.write();
    assertThat(write.isBefore(relying)).as("%s before %s", write, relying).isTrue();
    assertThat(between(write, relying))
        .as("between %s and %s", write, relying)
        .anyMatch(call -> forces(call, write.file()));
  }

  /** The edit that adds to level 0 the first table made for it after a flush began. */
  private static TracedManifest.Edit flushedTable(SystemCall flushing) {
    return creates("tab-")
        .filter(flushing::isBefore)
        .map(table -> number(createdPath(table)))
        .flatMap(table -> manifest.naming(table).filter(edit -> edit.isInLevel0(table)).stream())
        .findFirst()
        .orElseThrow();
  }

  private static long number(String table) {
    String name = table.substring(table.lastIndexOf('/') + 1);
    return StoreFileName.parse(name).orElseThrow().number();
  }

  /** The marker's content and both names come before the rename, the rename before its use. */
  @Test
  void markerIsSwitchedInOrder() {
    List<SystemCall> renames = calls.stream()
        .filter(call -> call.name().startsWith("rename") && call.text().contains("CURRENT.tmp"))
        .toList();
    assertThat(renames).hasSizeGreaterThanOrEqualTo(2);
    for (SystemCall rename : renames) {
      SystemCall manifest = last(creates("MANIFEST-").toList(), call -> call.isBefore(rename));
      SystemCall marker = last(writes("CURRENT.tmp").toList(), call -> call.isBefore(rename));
      SystemCall manifestWrite =
          last(writes(createdPath(manifest)).toList(), call -> call.isBefore(rename));
      assertThat(between(marker, rename)).anyMatch(call -> forces(call, marker.file()));
      assertThat(between(manifestWrite, rename))
          .anyMatch(call -> forces(call, createdPath(manifest)));
      assertThat(between(marker, rename)).anyMatch(SystemCallOrderTest::forcesDirectory);
      Predicate<SystemCall> use = call -> call.name().startsWith("unlink")
          || (call.name().equals("write") && call.file().contains("/MANIFEST-"))
          || call.text().contains(TracedChild.BEGIN);
      SystemCall used = first(calls, call -> rename.isBefore(call) && use.test(call));
      assertThat(between(rename, used)).anyMatch(SystemCallOrderTest::forcesDirectory);
    }
  }

  /** No SYNC write is acknowledged before its segment, and the segment's name, are forced. */
  @Test
  void syncWritesAreForcedBeforeTheyAreAcknowledged() {
    List<SystemCall> begins = said(TracedChild.BEGIN).toList();
    List<SystemCall> acknowledgements = said(TracedChild.ACKNOWLEDGED).toList();
    assertThat(begins).hasSize(TracedChild.SYNC_WRITES);
    assertThat(acknowledgements).hasSize(TracedChild.SYNC_WRITES);
    for (int i = 0; i < begins.size(); i++) {
      SystemCall acknowledged = acknowledgements.get(i);
      // Values of 600 bytes and more are in the value log.
      String kind = i % 3 == 0 ? "/wal-" : "/val-";
      List<String> forced = between(begins.get(i), acknowledged).stream()
          .map(SystemCallOrderTest::mappedFile)
          .filter(file -> file.contains(kind))
          .toList();
      assertThat(forced).as("write %d", i).isNotEmpty();
      for (String file : forced) {
        SystemCall create = first(creates(file).toList(), call -> true);
        assertThat(between(create, acknowledged)).anyMatch(SystemCallOrderTest::forcesDirectory);
      }
    }
  }

  /** Calls that begin after one ended and end before another begins. */
  private static List<SystemCall> between(SystemCall from, SystemCall to) {
    return calls.stream()
        .filter(call -> from.isBefore(call) && call.isBefore(to))
        .toList();
  }

  private static Stream<SystemCall> writes(String name) {
    return calls.stream()
        .filter(call -> call.name().equals("write") || call.name().equals("pwrite64"))
        .filter(call -> call.file().startsWith(directory + "/") && call.file().contains(name));
  }

  private static Stream<SystemCall> creates(String name) {
    return calls.stream()
        .filter(call -> call.name().equals("openat") && call.text().contains("O_CREAT|O_EXCL"))
        .filter(call -> createdPath(call).startsWith(directory + "/"))
        .filter(call -> createdPath(call).contains(name));
  }

  private static String createdPath(SystemCall create) {
    return create.text().split("\"", 3)[1];
  }

  private static Stream<SystemCall> said(String what) {
    return calls.stream()
        .filter(call -> call.name().equals("write") && call.text().contains("\"" + what));
  }

  private static boolean forces(SystemCall call, String file) {
    return (call.name().equals("fsync") || call.name().equals("fdatasync"))
        && call.file().equals(file);
  }

  private static boolean forcesDirectory(SystemCall call) {
    return call.name().equals("fsync") && call.file().equals(directory.toString());
  }

  /** The file whose mapping a call forces; empty if it is no such call. */
  private static String mappedFile(SystemCall call) {
    Matcher forced = FORCED.matcher(call.text());
    if (!call.name().equals("msync") || !forced.find()) {
      return "";
    }
    long address = Long.decode(forced.group(1));
    String file = "";
    for (SystemCall other : calls) {
      Matcher mapped = MAPPED.matcher(other.text());
      if (other.name().equals("mmap") && other.isBefore(call) && mapped.find()) {
        Matcher length = MAPPED_LENGTH.matcher(other.text());
        long begin = Long.decode(mapped.group(2));
        if (length.find()
            && address >= begin
            && address < begin + Long.parseLong(length.group(1))) {
          file = mapped.group(1);
        }
      }
    }
    return file;
  }

  private static SystemCall first(List<SystemCall> among, Predicate<SystemCall> which) {
    return among.stream().filter(which).findFirst().orElseThrow();
  }

  private static SystemCall last(List<SystemCall> among, Predicate<SystemCall> which) {
    List<SystemCall> matching = new ArrayList<>(among.stream().filter(which).toList());
    assertThat(matching).isNotEmpty();
    return matching.get(matching.size() - 1);
  }
}
