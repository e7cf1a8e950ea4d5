// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Keeps docs/messages.md, which has every message and description that a user may read, so that a
 * review sees each change. Run with {@code -Drlsm.messages.write=true} to write the file again.
 */
class MessagesTest {
  private static final Path LIST = SourceTrees.REPOSITORY.resolve("docs/messages.md");
  private static final List<String> MODULES =
      List.of("kv-api", "rlsm-core", "rlsm-hbase", "ycsb-binding");
  private static final String HEAD = """
      # Messages

      Every exception message, log line and option description of the main sources, by module and
      class. Each line has the use of a text and the text: the class of the exception, `log`, the
      annotation, the option, or the method that builds the text. An expression is in braces.
      `MessagesTest` writes this file (`-Drlsm.messages.write=true`) and fails if it is not current.

      A message says what happened, where (file, offset, key or option), and what to do.
      """;

  @Test
  void listOfMessagesIsCurrent() throws IOException {
    String current = list();
    if (Boolean.getBoolean("rlsm.messages.write")) {
      Files.writeString(LIST, current);
    }
    assertThat(SourceTrees.read(LIST))
        .as("docs/messages.md; run this test with -Drlsm.messages.write=true and review the change")
        .isEqualTo(current);
  }

  private static String list() {
    StringBuilder text = new StringBuilder(HEAD);
    for (String module : MODULES) {
      text.append("\n## ").append(module).append('\n');
      messages(module).forEach((type, messages) -> {
        text.append("\n### ").append(type).append("\n\n");
        messages.forEach(message -> text.append("- ").append(message).append('\n'));
      });
    }
    return text.toString();
  }

  /** Returns the messages of a module by the name of the source. */
  private static Map<String, Set<String>> messages(String module) {
    Path folder = SourceTrees.REPOSITORY.resolve(module);
    List<Path> sources = SourceTrees.sources().stream()
        .filter(SourceTrees::isMain)
        .filter(file -> file.startsWith(folder))
        .toList();
    Map<String, Set<String>> found = new TreeMap<>();
    SourceTrees.parse(sources, (unit, trees) -> {
      Set<String> messages = MessageCollector.in(unit, trees);
      String name = Path.of(unit.getSourceFile().getName()).getFileName().toString();
      if (!messages.isEmpty()) {
        found.put(name.replace(".java", ""), messages);
      }
    });
    return found;
  }
}
