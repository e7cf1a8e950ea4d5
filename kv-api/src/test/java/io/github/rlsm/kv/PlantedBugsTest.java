// Copyright 2026 The RLSM Authors
// SPDX-License-Identifier: Apache-2.0
package io.github.rlsm.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests the contract tests: each of these stores breaks one promise and must fail. */
class PlantedBugsTest {

  /** A store that breaks a promise, and the part of the contract that must fail. */
  record Bug(String name, Class<?> part, Supplier<ModelStore> store) {
    @Override
    public String toString() {
      return name;
    }
  }

  @SuppressWarnings("unused") // named by the test
  private static final List<Bug> BUGS = List.of(
      bug("an empty value is absent", KvStoreContract.Points.class, BadPoints.EmptyIsAbsent::new),
      bug("a returned array is shared", KvStoreContract.Points.class, BadPoints.SharesArrays::new),
      bug("an array is kept", KvStoreContract.Points.class, BadPoints.KeepsArrays::new),
      bug("multiGet sorts", KvStoreContract.Points.class, BadPoints.SortsAnswers::new),
      bug("a buffer is consumed", KvStoreContract.Overloads.class, BadPoints.ConsumesKeys::new),
      bug("a small buffer is refused", KvStoreContract.Overloads.class, BadPoints.NeedsRoom::new),
      bug("a long key is cut", KvStoreContract.Arguments.class, BadPoints.CutsKeys::new),
      bug("null deletes", KvStoreContract.Arguments.class, BadPoints.NullDeletes::new),
      bug("null expects anything", KvStoreContract.Conditionals.class, BadPoints.NullIsAny::new),
      bug("CAS in two steps", KvStoreContract.Concurrency.class, BadPoints.TwoStepSwap::new),
      bug("put in two steps", KvStoreContract.Concurrency.class, BadPoints.TwoStepPut::new),
      bug("one entry too many", KvStoreContract.Scans.class, BadScans.OffByOne::new),
      bug("signed order", KvStoreContract.Scans.class, BadScans.SignedOrder::new),
      bug("an inclusive end", KvStoreContract.Scans.class, BadScans.InclusiveEnd::new),
      bug("FF has no successor", KvStoreContract.Scans.class, BadScans.MissesLastByte::new),
      bug("later writes show", KvStoreContract.Iterators.class, BadScans.ReadsLive::new),
      bug("no rest after the end", KvStoreContract.Iterators.class, BadScans.StartsAgain::new),
      bug("closed iterators go on", KvStoreContract.Closing.class, BadScans.NeverCloses::new),
      bug("a batch in steps", KvStoreContract.Concurrency.class, BadStores.BatchSeenInSteps::new),
      bug("half a batch", KvStoreContract.Batches.class, BadStores.BatchInSteps::new),
      bug("dropping keeps", KvStoreContract.Keyspaces.class, BadStores.KeepsDropped::new),
      bug("one keyspace for all", KvStoreContract.Keyspaces.class, BadStores.OneForAll::new),
      bug("a live snapshot", KvStoreContract.Snapshots.class, BadStores.LiveSnapshots::new),
      bug("snapshots survive", KvStoreContract.Closing.class, BadStores.SurvivingSnapshots::new),
      bug("close loses a write", KvStoreContract.Persistence.class, BadStores.LosesLastPut::new),
      bug("close loses names", KvStoreContract.Persistence.class, BadStores.LosesKeyspaces::new),
      bug("interrupts are lost", KvStoreContract.Interrupts.class, BadStores.EatsInterrupts::new),
      bug("nothing is counted", KvStoreContract.Statistics.class, BadStores.CountsNothing::new));

  private static Bug bug(String name, Class<?> part, Supplier<ModelStore> store) {
    return new Bug(name, part, store);
  }

  /** The contract of the planted store. Its name keeps the build from running it as a test. */
  static final class PlantedContract extends KvStoreContract {

    private static Supplier<ModelStore> planted = ModelStore::new;

    private final StoreFactory factory = new ModelStoreTest.ModelFactory(planted);

    @Override
    protected StoreFactory factory() {
      return factory;
    }
  }

  @Test
  void aSoundStorePasses() {
    TestExecutionSummary summary = run(KvStoreContract.Points.class, ModelStore::new);
    assertThat(summary.getTestsFailedCount()).isZero();
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(10);
  }

  @ParameterizedTest
  @FieldSource("BUGS")
  void everyBugIsNoticed(Bug bug) {
    TestExecutionSummary summary = run(bug.part(), bug.store());
    assertThat(summary.getTestsFoundCount()).isPositive();
    assertThat(summary.getTestsFailedCount()).isPositive();
  }

  private static TestExecutionSummary run(Class<?> part, Supplier<ModelStore> store) {
    PlantedContract.planted = store;
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(selectNestedClass(List.of(PlantedContract.class), part))
        .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
