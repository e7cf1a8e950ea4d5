// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import io.github.rlsm.kv.KvStore;
import io.github.rlsm.kv.VerifyListener;
import io.github.rlsm.kv.VerifyReport;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./rlsm verify}. */
@Command(
    name = "verify",
    description = {
      "Reads a whole store and checks it. Prints each damage on a separate line, with file,"
          + " offset, keyspace and keys.",
      "Opening the store recovers its log, which may write to it. If a file that opening needs is"
          + " damaged, such as log or manifest, the command prints that damage only."
    },
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "the store's directory")
  private @Nullable Path directory;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description = "option for opening the store; may be repeated")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(names = "--progress", description = "print progress to standard error")
  private boolean showsProgress;

  @Spec
  private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec);
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    try (KvStore store = open(command)) {
      VerifyReport report = store.verify(new VerifyListener() {
        @Override
        public void progress(long bytesRead, long bytesTotal) {
          if (showsProgress) {
            err.printf(Locale.ROOT, "%,d of about %,d bytes%n", bytesRead, bytesTotal);
          }
        }

        @Override
        public void damaged(VerifyReport.Damage damage) {
          out.println(damage);
        }
      });
      out.printf(
          Locale.ROOT, "%,d bytes read, %,d damages%n", report.bytesRead(), report.damageCount());
      return report.isSound() ? 0 : command.exitCodeOnExecutionException();
    }
  }

  private KvStore open(CommandSpec command) {
    Path path = Objects.requireNonNull(directory);
    OptionalInt shards = Files.isDirectory(path) ? Rlsm.shardCount(path) : OptionalInt.empty();
    if (shards.isEmpty()) {
      throw new ParameterException(command.commandLine(), "there is no store in " + path);
    }
    Map<String, String> all = new LinkedHashMap<>(options);
    all.putIfAbsent("shards", Integer.toString(shards.getAsInt()));
    return Rlsm.open(path, RlsmOptions.fromProperties(all));
  }
}
