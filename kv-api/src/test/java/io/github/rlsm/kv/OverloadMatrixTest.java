// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that every operation exists for arrays, slices of arrays, and buffers. */
class OverloadMatrixTest {

  /** Adjacent parameters. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Part(Class<?>... types) {}

  private static final Part ARRAY = new Part(byte[].class);
  private static final Part SLICE = new Part(byte[].class, int.class, int.class);
  private static final Part BUFFER = new Part(ByteBuffer.class);
  private static final List<Part> FORMS = List.of(ARRAY, SLICE, BUFFER);

  private static final Part NOTHING = new Part();
  private static final Part LIST = new Part(List.class);
  private static final List<Part> DURABILITIES = List.of(NOTHING, new Part(Durability.class));
  private static final List<Part> KEYSPACES = List.of(NOTHING, new Part(Keyspace.class));

  /** Asserts that a method with these parameters exists, the parts one after another. */
  private static void assertExists(Class<?> type, String name, Part... parts) {
    List<Class<?>> parameters =
        Arrays.stream(parts).flatMap(part -> Arrays.stream(part.types())).toList();
    assertThat(Arrays.stream(type.getMethods())
            .filter(method -> method.getName().equals(name))
            .map(method -> List.of(method.getParameterTypes())))
        .as("%s.%s", type.getSimpleName(), name)
        .contains(parameters);
  }

  @Test
  void reads() {
    for (Part key : FORMS) {
      assertExists(KvReader.class, "get", key);
      assertExists(KvReader.class, "get", key, BUFFER);
      assertExists(KvReader.class, "contains", key);
    }
    assertExists(KvReader.class, "multiGet", LIST);
    assertExists(KvReader.class, "multiGetBuffers", LIST);
  }

  @Test
  void writes() {
    for (Part form : FORMS) {
      for (Part durability : DURABILITIES) {
        assertExists(Keyspace.class, "put", form, form, durability);
        assertExists(Keyspace.class, "delete", form, durability);
        assertExists(Keyspace.class, "putIfAbsent", form, form, durability);
      }
    }
    for (Part form : List.of(ARRAY, BUFFER)) {
      for (Part durability : DURABILITIES) {
        assertExists(Keyspace.class, "compareAndSet", form, form, form, durability);
      }
    }
  }

  @Test
  void batches() {
    for (Part form : FORMS) {
      for (Part keyspace : KEYSPACES) {
        assertExists(WriteBatch.class, "put", keyspace, form, form);
        assertExists(WriteBatch.class, "delete", keyspace, form);
      }
    }
  }

  @Test
  void scans() {
    for (Part form : FORMS) {
      for (String bound : List.of("from", "to", "prefix")) {
        assertExists(ScanOptions.Builder.class, bound, form);
      }
    }
    for (Part form : List.of(ARRAY, BUFFER)) {
      assertExists(ScanOptions.class, "range", form, form);
      assertExists(ScanOptions.class, "prefix", form);
    }
    for (Part form : List.of(NOTHING, BUFFER)) {
      assertExists(KvIterator.class, "key", form);
      assertExists(KvIterator.class, "value", form);
    }
  }

  /** Fails for an operation that is added later until it has a row above. */
  @Test
  void noOtherMethodTakesBytes() {
    Set<String> names = new TreeSet<>();
    for (Class<?> type : List.of(
        KvStore.class,
        Snapshot.class,
        KvIterator.class,
        WriteBatch.class,
        ScanOptions.class,
        ScanOptions.Builder.class)) {
      for (Method method : type.getMethods()) {
        List<Class<?>> parameters = new ArrayList<>(List.of(method.getParameterTypes()));
        parameters.retainAll(List.of(byte[].class, ByteBuffer.class, List.class));
        if (!parameters.isEmpty()) {
          names.add(method.getName());
        }
      }
    }
    assertThat(names)
        .containsExactly(
            "compareAndSet",
            "contains",
            "delete",
            "from",
            "get",
            "key",
            "multiGet",
            "multiGetBuffers",
            "prefix",
            "put",
            "putIfAbsent",
            "range",
            "to",
            "value");
  }

  @Test
  void onlyInterfacesAndFinalTypesArePublished() {
    for (Class<?> type : List.of(
        WriteBatch.class, ScanOptions.class, ScanOptions.Builder.class, EntryLimits.class)) {
      assertThat(Modifier.isFinal(type.getModifiers())).as("%s", type).isTrue();
    }
    assertThat(Arrays.stream(KvException.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .collect(Collectors.toSet()))
        .hasSize(9);
  }
}
