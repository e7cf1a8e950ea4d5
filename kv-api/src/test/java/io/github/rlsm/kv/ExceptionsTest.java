// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static io.github.rlsm.kv.TestBytes.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that messages name the failure, its place, and the next step. */
class ExceptionsTest {

  private final IOException cause = new IOException("No space left on device");

  @Test
  void corruptionNamesFileAndOffset() {
    CorruptionException e = new CorruptionException("000012.table", 4_096, "checksum differs");
    assertThat(e)
        .hasMessage("corrupt data in 000012.table at offset 4096: checksum differs;"
            + " restore the store's whole directory from a backup;"
            + " if the store opens, verify() lists all damage");
    assertThat(e.file()).isEqualTo("000012.table");
    assertThat(e.offset()).isEqualTo(4_096);
    assertThat(new CorruptionException("f", 0, "d", cause)).hasCause(cause);
  }

  @Test
  void corruptionMayNameItsOwnRemedy() {
    CorruptionException e = CorruptionException.withRemedy("set 2", 7, "wrong copy", "copy again");
    assertThat(e).hasMessage("corrupt data in set 2 at offset 7: wrong copy; copy again");
    assertThat(e.file()).isEqualTo("set 2");
    assertThat(e.offset()).isEqualTo(7);
  }

  @Test
  void aListOfDamagesDoesNotRepeatTheRemedy() {
    CorruptionException e = new CorruptionException("f", 4, "checksum differs");
    assertThat(new VerifyReport.Damage("f", 4, List.of(), e))
        .hasToString(
            "f at offset 4, unknown keys: corrupt data in f at offset 4: checksum differs");
  }

  @Test
  void ioErrorsNameOperationAndFile() {
    StoreIoException e = new StoreIoException("force", "000003.log", cause);
    assertThat(e)
        .hasMessage("force failed on 000003.log: No space left on device")
        .hasCause(cause);
    assertThat(e.file()).isEqualTo("000003.log");
    assertThat(new StoreIoException("force", "000003.log", null))
        .hasMessage("force failed on 000003.log");
    DiskFullException full = new DiskFullException("append", "000003.log", cause);
    assertThat(full).isInstanceOf(StoreIoException.class).hasMessageContaining("append");
    assertThat(full.file()).isEqualTo("000003.log");
  }

  @Test
  void aFailedStoreNamesTheFirstFailureAndTheWayOut() {
    StoreIoException first = new StoreIoException("force", "000003.log", cause);
    assertThat(new StoreFailedException(first))
        .hasMessageContaining("force failed on 000003.log")
        .hasMessageContaining("open it again")
        .hasCause(first);
  }

  @Test
  void aLockedStoreNamesDirectoryAndOwner() {
    assertThat(new StoreLockedException("/data/store", "process 4711"))
        .hasMessage("/data/store is in use by process 4711; close that store first");
  }

  @Test
  void aForeignFormatNamesTheFile() {
    FormatVersionException e = new FormatVersionException("MANIFEST", "version 9, newest known 1");
    assertThat(e).hasMessage("MANIFEST: version 9, newest known 1");
    assertThat(e.file()).isEqualTo("MANIFEST");
  }

  @Test
  void allWrongOptionsAreNamedAtOnce() {
    List<String> problems = List.of("pageBytes is 3", "shards is 0");
    InvalidOptionsException e = new InvalidOptionsException(problems);
    assertThat(e).hasMessage("invalid options: pageBytes is 3; shards is 0");
    assertThat(e.problems()).isEqualTo(problems);
  }

  @Test
  void aMissingKeyspaceIsNamed() {
    NoSuchKeyspaceException e = new NoSuchKeyspaceException("orders");
    assertThat(e).hasMessageContaining("\"orders\"");
    assertThat(e.name()).isEqualTo("orders");
  }

  @Test
  void closedObjectIsNamed() {
    assertThat(new StoreClosedException("snapshot")).hasMessage("snapshot is closed");
  }

  @Test
  void aKeyIsShownInHexAndShortenedWhenLong() {
    assertThat(new InvalidEntryException("too large", bytes(1, 0xAB)))
        .hasMessage("too large (key 01ab)");
    assertThat(new InvalidEntryException("too large", new byte[5_000]).getMessage())
        .startsWith("too large (key 0000")
        .endsWith("… (5000 bytes))")
        .hasSizeLessThan(120);
    assertThat(new InvalidEntryException("too large", new byte[32]).getMessage())
        .isEqualTo("too large (key " + "00".repeat(32) + ")");
  }

  @Test
  void everyKindIsAnUncheckedKvException() {
    for (Class<?> kind : KvException.class.getPermittedSubclasses()) {
      assertThat(kind).isAssignableTo(RuntimeException.class);
    }
  }
}
