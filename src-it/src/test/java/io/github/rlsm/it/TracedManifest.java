// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.os.OsDirectory;
import io.github.rlsm.version.Version;
import io.github.rlsm.versionset.ManifestRecovery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The state of the manifests after each of their writes, read back from the bytes in a trace. So a
 * test can distinguish the edit on which a call relies from other edits of about the same time.
 *
 * <p>Threads: one thread at a time.
 */
final class TracedManifest {

  /**
   * A write of an edit, or of the version with which a manifest begins.
   *
   * @param write the call
   * @param version the manifest's version after the write
   */
  record Edit(SystemCall write, Version version) {

    boolean names(long table) {
      return version.table(table) != null;
    }

    boolean isInLevel0(long table) {
      return version.l0().stream().anyMatch(run -> run.table() == table);
    }
  }

  private static final Pattern FILE = Pattern.compile(".*/(MANIFEST-\\d+)");
  private static final Pattern CREATED =
      Pattern.compile("\"[^\"]*/((?:tab|val)-[^\"/]*)\", .*O_EXCL");

  /** The writes of a manifest's header, of its first version, and of the end record after it. */
  private static final int FIRST_WRITES = 3;

  private final List<SystemCall> calls;
  private final Path store;
  private final Path scratch;
  private final List<Edit> edits = new ArrayList<>();

  /** @param scratch an empty directory to read in */
  TracedManifest(List<SystemCall> calls, Path store, Path scratch) throws IOException {
    this.calls = calls;
    this.store = store;
    this.scratch = scratch;
    for (String name : createdFiles()) {
      Files.createFile(scratch.resolve(name));
    }
    Map<String, List<SystemCall>> manifests = new LinkedHashMap<>();
    for (SystemCall call : writes()) {
      Matcher file = FILE.matcher(call.file());
      if (file.matches()) {
        manifests.computeIfAbsent(file.group(1), name -> new ArrayList<>()).add(call);
      }
    }
    for (Map.Entry<String, List<SystemCall>> manifest : manifests.entrySet()) {
      replay(manifest.getKey(), manifest.getValue());
    }
    edits.sort(Comparator.comparingInt(edit -> edit.write().end()));
  }

  /** All edits, in the order of their writes. */
  List<Edit> edits() {
    return edits;
  }

  /** The edit that added a table; empty if no edit did. */
  Optional<Edit> naming(long table) {
    return first(edit -> edit.names(table));
  }

  /** The edit that dropped a table; empty if it was never added or never dropped. */
  Optional<Edit> dropping(long table) {
    return naming(table)
        .flatMap(
            named -> first(edit -> named.write().isBefore(edit.write()) && !edit.names(table)));
  }

  private Optional<Edit> first(Predicate<Edit> which) {
    return edits.stream().filter(which).findFirst();
  }

  /** The files that were created. Recovery requires the files that a manifest names. */
  private Set<String> createdFiles() {
    Set<String> names = new TreeSet<>();
    for (SystemCall call : calls) {
      Matcher created = CREATED.matcher(call.text());
      if (call.name().equals("openat") && created.find()) {
        names.add(created.group(1));
      }
    }
    return names;
  }

  private List<SystemCall> writes() {
    return calls.stream()
        .filter(call -> call.name().equals("write") || call.name().equals("pwrite64"))
        .filter(call -> call.file().startsWith(store + "/"))
        .toList();
  }

  private void replay(String manifest, List<SystemCall> writes) throws IOException {
    assertThat(writes).as(manifest).hasSizeGreaterThanOrEqualTo(FIRST_WRITES);
    Files.write(scratch.resolve("CURRENT"), marker(writes.get(0)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < writes.size(); i++) {
      bytes.write(writes.get(i).written());
      boolean end = i % 2 == 0;
      if (i == FIRST_WRITES - 1 || (i >= FIRST_WRITES && !end)) {
        Files.write(scratch.resolve(manifest), bytes.toByteArray());
        Version version = ManifestRecovery.recover(OsDirectory.open(scratch)).version();
        edits.add(new Edit(writes.get(end ? i - 1 : i), version));
      }
    }
  }

  /** The next marker that was written after the start of a manifest. */
  private byte[] marker(SystemCall begun) {
    return writes().stream()
        .filter(call -> call.file().endsWith("/CURRENT.tmp") && begun.isBefore(call))
        .findFirst()
        .orElseThrow()
        .written();
  }
}
