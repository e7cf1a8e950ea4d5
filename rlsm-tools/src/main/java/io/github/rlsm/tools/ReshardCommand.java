// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.tools;

import io.github.rlsm.Rlsm;
import io.github.rlsm.RlsmOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./rlsm reshard}. */
@Command(
    name = "reshard",
    description = {
      "Changes the number of shards of a store; also to and from a store without shards.",
      "Copies all entries to new shards, compares, and then replaces the old store. Needs disk"
          + " space for a second copy. After an interruption the store is either unchanged or"
          + " completely resharded; the next opening deletes leftovers."
    },
    mixinStandardHelpOptions = true)
final class ReshardCommand implements Callable<Integer> {

  @Parameters(paramLabel = "DIR", description = "the store's directory")
  private @Nullable Path directory;

  @Option(
      names = "--shards",
      paramLabel = "N",
      required = true,
      description = "new number of shards, 1 to 1024; 0 for a store without shards")
  private int shards;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description = "option for opening the store; may be repeated")
  private Map<String, String> options = new LinkedHashMap<>();

  @Spec
  private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Map<String, String> all = new LinkedHashMap<>(options);
    all.put("shards", Integer.toString(shards));
    long entries = Rlsm.reshard(Objects.requireNonNull(directory), RlsmOptions.fromProperties(all));
    String copied = entries == 0
        ? "nothing was copied"
        : String.format(Locale.ROOT, "%,d entries copied", entries);
    Objects.requireNonNull(spec).commandLine().getOut().println(shards + " shards, " + copied);
    return 0;
  }
}
