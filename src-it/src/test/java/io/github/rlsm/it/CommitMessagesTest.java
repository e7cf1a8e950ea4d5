// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code .ci/commits} in a repository with a few commits. */
class CommitMessagesTest {
  private static final String BODY = "\n\nBefore, nothing checked it. Tested by hand.";

  @TempDir
  Path repository;

  private String base;

  @BeforeEach
  void createRepository() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/git")), "git is not installed");
    Path script = repository.resolve(".ci/commits");
    Files.createDirectories(script.getParent());
    Files.copy(Path.of("..", ".ci", "commits"), script);
    git("init", "-q");
    commit("an old message");
    base = git("rev-parse", "HEAD");
  }

  @Test
  void messageWithAreaAndBodyPasses() throws Exception {
    commit("engine, src-it: check the order of locks" + BODY);
    commit("docs: need less space" + BODY);
    assertThat(check(base)).contains("2 checked, 0 problems");
  }

  @Test
  void badMessagesAreRefused() throws Exception {
    refused("no area here" + BODY, "is not \"area: imperative subject\"");
    refused("engine: added a check" + BODY, "\"added\" is not an imperative");
    refused("engine: " + "check ".repeat(11) + BODY, "columns, the limit is 72");
    refused("engine: check the order." + BODY, "ends with a period");
    refused("engine: check the order\nof locks" + BODY, "second line is not empty");
    refused("engine: check the order", "no body says");
  }

  @Test
  void messagesUpToTheBaseAreNotChecked() throws Exception {
    assertThat(check(base)).contains("0 checked, 0 problems");
  }

  @Test
  void checkoutWithoutTheBaseIsNotChecked() throws Exception {
    assertThat(check("0123456789012345678901234567890123456789"))
        .contains("not checked, this checkout does not have the commit");
  }

  @Test
  void folderWithoutHistoryIsNotChecked(@TempDir Path archive) throws Exception {
    Files.createDirectories(archive.resolve(".ci"));
    Files.copy(Path.of("..", ".ci", "commits"), archive.resolve(".ci/commits"));
    assertThat(Machine.run("bash", archive.resolve(".ci/commits").toString()))
        .contains("not checked");
  }

  private void refused(String message, String problem) throws IOException, InterruptedException {
    commit(message);
    assertThatThrownBy(() -> check(base)).as(message).hasMessageContaining(problem);
    git("reset", "-q", "--hard", base);
  }

  private String check(String since) throws IOException, InterruptedException {
    return Machine.run("bash", repository.resolve(".ci/commits").toString(), since);
  }

  private void commit(String message) throws IOException, InterruptedException {
    git(
        "-c",
        "user.name=test",
        "-c",
        "user.email=test",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        message);
  }

  private String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", repository.toString()));
    command.addAll(List.of(arguments));
    return Machine.run(command.toArray(new String[0]));
  }
}
