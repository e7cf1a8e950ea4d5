// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.it.full;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the reliability tests at full size, chunk by chunk: {@code ./check --full --help}.
 *
 * <p>Chunks that were recorded for the current code are not repeated, so a run may be interrupted
 * at any time. A failed chunk is recorded, too; its output stays in {@code target/full}, and its
 * seed replays it.
 *
 * <p>Threads: the main thread prints; each job thread runs one chunk at a time. All state is
 * guarded by the monitor of the object.
 */
final class FullRun {

  private static final String HELP = """
      ./check --full [--only NAME[,NAME...]] [--jobs N] [--minutes N] [--list] [--report]

      Runs the reliability tests at full size (docs/reliability.md). It may be interrupted and
      started again: it goes on behind the last recorded chunk.

        --only NAMES   run these campaigns only
        --jobs N       chunks at the same time (default 2)
        --minutes N    start no chunk after so many minutes
        --list         list the campaigns and what is recorded of each, run nothing
        --report       write the table into docs/reliability.md, run nothing
      """;

  private static final Path CHUNKS = Path.of("docs", "reliability", "chunks.tsv");
  private static final Path DOCUMENT = Path.of("docs", "reliability.md");
  private static final Path LOGS = Path.of("target", "full");

  /** A chunk that takes longer counts as hanging. */
  private static final long HOURS_MAX = 26;

  private final String code;
  private final long deadlineNanos;
  private final Map<String, Long> done = new HashMap<>();
  private final Map<String, Long> secondsSpent = new HashMap<>();
  private final Deque<Campaign> waiting;
  private int failures;

  private FullRun(String code, List<Campaign> campaigns, long deadlineNanos, List<Chunk> earlier) {
    this.code = code;
    this.deadlineNanos = deadlineNanos;
    this.waiting = new ArrayDeque<>(campaigns);
    for (Chunk chunk : earlier) {
      if (chunk.code().equals(code) && chunk.failures() == 0) {
        done.merge(chunk.campaign(), chunk.count(), Long::sum);
        secondsSpent.merge(chunk.campaign(), chunk.seconds(), Long::sum);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    List<Campaign> campaigns = Campaigns.all();
    int jobs = 2;
    long minutes = TimeUnit.DAYS.toMinutes(365);
    boolean lists = false;
    boolean reports = false;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--only" -> campaigns = only(campaigns, args[++i]);
        case "--jobs" -> jobs = Integer.parseInt(args[++i]);
        case "--minutes" -> minutes = Long.parseLong(args[++i]);
        case "--list" -> lists = true;
        case "--report" -> reports = true;
        default -> {
          System.out.print(HELP);
          System.exit(args[i].equals("--help") ? 0 : 2);
        }
      }
    }
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    FullRun run = new FullRun(codeVersion(), campaigns, deadline, Chunk.readAll(CHUNKS));
    if (lists) {
      campaigns.forEach(campaign -> System.out.println(run.status(campaign)));
      return;
    }
    if (!reports) {
      run.runAll(jobs);
    }
    Report.write(DOCUMENT, Report.table(Campaigns.all(), Chunk.readAll(CHUNKS)));
    System.exit(run.failures == 0 ? 0 : 1);
  }

  private static List<Campaign> only(List<Campaign> all, String names) {
    List<String> wanted = Arrays.asList(names.split(",", -1));
    List<Campaign> chosen =
        all.stream().filter(one -> wanted.contains(one.name())).toList();
    if (chosen.size() != wanted.size()) {
      throw new IllegalArgumentException("--only " + names + ": the names are "
          + all.stream().map(Campaign::name).toList());
    }
    return chosen;
  }

  /** The last commit that changed the engine. The figures are for this commit. */
  private static String codeVersion() throws IOException, InterruptedException {
    List<String> command = List.of(
        "git",
        "log",
        "-1",
        "--format=%h",
        "--abbrev=10",
        "--",
        "kv-api/src/main",
        "rlsm-core/src/main");
    Process git = new ProcessBuilder(command).start();
    String answer = new String(git.getInputStream().readAllBytes(), UTF_8).trim();
    if (git.waitFor() != 0 || answer.isEmpty()) {
      throw new IllegalStateException(
          "not a git checkout, so the tested commit is unknown; run in a checkout");
    }
    return answer;
  }

  private void runAll(int jobs) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < jobs; i++) {
      Thread thread = new Thread(this::work, "full-run-" + i);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work() {
    try {
      for (Campaign next = next(); next != null; next = next()) {
        run(next);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The next incomplete campaign. Campaigns take turns, so that all make progress. */
  private synchronized @Nullable Campaign next() {
    while (System.nanoTime() - deadlineNanos < 0 && !waiting.isEmpty()) {
      Campaign campaign = waiting.remove();
      if (done.getOrDefault(campaign.name(), 0L) < campaign.goal()) {
        return campaign;
      }
    }
    return null;
  }

  private void run(Campaign campaign) throws IOException, InterruptedException {
    long seed = new SplittableRandom().nextLong();
    Files.createDirectories(LOGS);
    String name = campaign.name() + "-" + Long.toHexString(seed);
    Path log = LOGS.resolve(name + ".log").toAbsolutePath();
    Path proof = LOGS.resolve(name + ".tsv").toAbsolutePath();
    Process child = new ProcessBuilder(command(campaign, seed, proof))
        .directory(Path.of(campaign.module()).toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
    long began = System.nanoTime();
    boolean ended = child.waitFor(HOURS_MAX, TimeUnit.HOURS);
    if (!ended) {
      child.destroyForcibly();
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    boolean passed = ended && child.exitValue() == 0;
    long count = passed ? counted(campaign, proof) : 0;
    if (passed && count == 0) {
      throw new IllegalStateException(
          campaign.name() + " reported no \"" + campaign.reported() + "\"; see " + log);
    }
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    record(
        campaign,
        new Chunk(campaign.name(), code, today, seed, count, passed ? 0 : 1, seconds),
        log);
  }

  private static List<String> command(Campaign campaign, long seed, Path proof) throws IOException {
    Path classPath = Path.of(campaign.module(), "target", "test.classpath");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx1g"));
    command.addAll(campaign.jvmOptions(seed));
    command.add("-Drlsm.proof.report=" + proof);
    command.add("-cp");
    command.add(String.join(
        System.getProperty("path.separator"),
        Path.of(campaign.module(), "target", "test-classes").toAbsolutePath().toString(),
        Path.of(campaign.module(), "target", "classes").toAbsolutePath().toString(),
        Files.readString(classPath, UTF_8).trim(),
        System.getProperty("java.class.path")));
    command.add("org.junit.platform.console.ConsoleLauncher");
    command.addAll(List.of("execute", "--disable-banner", "--details=tree"));
    command.addAll(List.of("--disable-ansi-colors", "--fail-if-no-tests"));
    campaign.classes().forEach(name -> command.add("--select-class=" + name));
    return command;
  }

  private static long counted(Campaign campaign, Path proof) throws IOException {
    if (!Files.exists(proof)) {
      return 0;
    }
    long count = 0;
    for (String line : Files.readAllLines(proof, UTF_8)) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals(campaign.test()) && fields[1].equals(campaign.reported())) {
        count += Long.parseLong(fields[2]);
      }
    }
    return count;
  }

  private synchronized void record(Campaign campaign, Chunk chunk, Path log) throws IOException {
    chunk.append(CHUNKS);
    done.merge(campaign.name(), chunk.count(), Long::sum);
    secondsSpent.merge(campaign.name(), chunk.seconds(), Long::sum);
    if (chunk.failures() > 0) {
      failures++;
      System.out.println("FAILED " + campaign.name() + ", seed " + chunk.seed() + ": " + log);
      return; // do not repeat this campaign before its failure was examined
    }
    System.out.println(status(campaign));
    Files.deleteIfExists(log);
    Files.deleteIfExists(Path.of(log.toString().replaceFirst("log$", "tsv")));
    waiting.addLast(campaign);
  }

  private String status(Campaign campaign) {
    long count = done.getOrDefault(campaign.name(), 0L);
    long seconds = secondsSpent.getOrDefault(campaign.name(), 0L);
    long left = Math.max(0, campaign.goal() - count);
    String rest = left == 0
        ? "complete"
        : count == 0 ? "not begun" : "about " + left * seconds / count / 60 + " min left";
    return String.format(
        Locale.ROOT,
        "%-18s %-5s %,12d of %,12d %s (%s)",
        campaign.name(),
        campaign.test(),
        count,
        campaign.goal(),
        campaign.reported(),
        rest);
  }
}
