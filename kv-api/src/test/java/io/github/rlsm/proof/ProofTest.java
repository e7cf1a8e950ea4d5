// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that sizes of reliability tests come from properties, and that wrong ones are refused. */
class ProofTest {

  private static final String NAME = "t0.things";
  private static final String PROPERTY = "rlsm." + NAME;

  @AfterEach
  void clear() {
    System.clearProperty(PROPERTY);
  }

  @Test
  void countIsTheDefaultWithoutAProperty() {
    assertThat(Proof.count(NAME, 7)).isEqualTo(7);
  }

  @Test
  void propertyReplacesTheDefault() {
    System.setProperty(PROPERTY, "1000000");
    assertThat(Proof.count(NAME, 7)).isEqualTo(1_000_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "many", "1e6"})
  void propertyThatIsNoCountIsRefused(String text) {
    System.setProperty(PROPERTY, text);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Proof.count(NAME, 7))
        .withMessageContaining("-D" + PROPERTY + "=" + text);
  }
}
