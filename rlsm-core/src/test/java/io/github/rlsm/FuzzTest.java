// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rlsm.kv.TestSeed;
import io.github.rlsm.proof.Proof;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Runs every decoder of bytes from disk over the corpus in the repository and over random changes
 * of it. The script {@code fuzz} runs Jazzer over the same decoders and adds to the corpus.
 *
 * <p>The system property {@code rlsm.t12.inputs} sets the number of random inputs for each decoder,
 * {@value #INPUTS} by default. The decoder of whole stores gets a tenth of a larger number, because
 * each of its inputs is a store that is opened, compacted and read.
 */
@ExtendWith(SilentLog.class)
class FuzzTest {

  private static final int INPUTS = 2_000;
  private static final int STORE_SHARE = 10;

  /** Numbers at which code for lengths, counts and offsets tends to fail. */
  private static final int[] NUMBERS = {
    0, 1, -1, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, Integer.MAX_VALUE, Integer.MIN_VALUE
  };

  private static final int CHANGES_MAX = 4;

  @ParameterizedTest
  @EnumSource
  void corpus(FuzzTarget target) throws Exception {
    List<byte[]> corpus = corpusOf(target);
    assertThat(corpus).hasSizeGreaterThanOrEqualTo(target.seeds().size());
    corpus.forEach(input -> run(target, input, "in the corpus"));
    Proof.ran("T12", "inputs of the corpus", corpus.size());
  }

  @ParameterizedTest
  @EnumSource
  void randomChanges(FuzzTarget target) throws Exception {
    long seed = Proof.seed("T12");
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> corpus = corpusOf(target);
    int asked = Proof.count("t12.inputs", INPUTS);
    int inputs = target == FuzzTarget.STORE ? Math.max(INPUTS, asked / STORE_SHARE) : asked;
    for (int i = 0; i < inputs; i++) {
      byte[] input = changed(corpus.get(random.nextInt(corpus.size())), random);
      run(target, input, TestSeed.howToReplay(seed));
    }
    Proof.ran("T12", "random inputs", inputs);
  }

  private static void run(FuzzTarget target, byte[] input, String origin) {
    try {
      target.run(input);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          target + ", " + origin + ", input " + HexFormat.of().formatHex(input), e);
    }
  }

  private static List<byte[]> corpusOf(FuzzTarget target) throws IOException, URISyntaxException {
    List<byte[]> corpus = new ArrayList<>(target.seeds());
    String path = "/fuzz/" + target.folder();
    URL folder = Objects.requireNonNull(FuzzTest.class.getResource(path), path);
    try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
      for (Path file : files.sorted().toList()) {
        corpus.add(Files.readAllBytes(file));
      }
    }
    return corpus;
  }

  private static byte[] changed(byte[] input, SplittableRandom random) {
    byte[] changed = input.clone();
    int changes = 1 + random.nextInt(CHANGES_MAX);
    for (int i = 0; i < changes && changed.length > 0; i++) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(6)) {
        case 0 -> changed[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        case 1 -> changed[at] = (byte) random.nextInt();
        case 2, 3 -> {
          int number = NUMBERS[random.nextInt(NUMBERS.length)];
          for (int j = 0; j < Integer.BYTES && at + j < changed.length; j++) {
            changed[at + j] = (byte) (number >>> (Byte.SIZE * j));
          }
        }
        case 4 -> {
          int from = random.nextInt(changed.length);
          int length = Math.min(random.nextInt(64), changed.length - Math.max(from, at));
          System.arraycopy(changed, from, changed, at, length);
        }
        default -> changed = Arrays.copyOf(changed, at + random.nextInt(16));
      }
    }
    return changed;
  }
}
