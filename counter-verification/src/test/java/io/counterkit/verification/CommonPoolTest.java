package io.counterkit.verification;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.counterkit.spi.Timers;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Our code runs no timers and no callbacks on the JDK's common pool, which belongs to the application. {@link Timers}
 * provides threads for them.
 */
class CommonPoolTest {
    private static final Set<String> TIMERS = Set.of("delayedExecutor", "orTimeout", "completeOnTimeout");

    private static final ArchRule RULE = noClasses()
            .should()
            .accessTargetWhere(new DescribedPredicate<JavaAccess<?>>("it runs on the JDK's common pool") {
                @Override
                public boolean test(JavaAccess<?> access) {
                    return access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                            && runsOnTheCommonPool(target);
                }
            })
            .because("it belongs to the application; use Timers, or name an executor");

    private static boolean runsOnTheCommonPool(AccessTarget.CodeUnitAccessTarget target) {
        String name = target.getName();
        if (target.getOwner().isAssignableTo(CompletionStage.class)) {
            boolean hasExecutor =
                    target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
            return TIMERS.contains(name) || (name.endsWith("Async") && !hasExecutor);
        }
        return switch (name) {
            case "commonPool" -> target.getOwner().isEquivalentTo(ForkJoinPool.class);
            case "parallelStream" -> target.getOwner().isAssignableTo(Collection.class);
            case "parallel" -> target.getOwner().isAssignableTo(BaseStream.class);
            default -> name.startsWith("parallel") && target.getOwner().isEquivalentTo(Arrays.class);
        };
    }

    @Test
    void nothingRunsOnTheCommonPool() {
        assertThat(List.of("spi.Timers", "cli.Main", "benchmarks.MemoryUse", "examples.likes.Main"))
                .allMatch(type -> ProjectClasses.ALL.contain("io.counterkit." + type));
        RULE.check(ProjectClasses.ALL);
    }

    @Test
    void everyWayToTheCommonPool_isFound() {
        List<String> found = RULE.evaluate(new ClassFileImporter().importClasses(Culprit.class))
                .getFailureReport()
                .getDetails();
        assertThat(found).hasSize(Culprit.WAYS).noneMatch(way -> way.contains("innocent"));
    }

    /** Makes each forbidden call once, and similar calls that are allowed. */
    @SuppressWarnings({"unused", "FutureReturnValueIgnored", "ReturnValueIgnored"})
    private static final class Culprit {
        static final int WAYS = 11;

        void guilty(CompletableFuture<String> future, List<String> names, int[] numbers) {
            future.orTimeout(1, TimeUnit.SECONDS);
            future.completeOnTimeout("", 1, TimeUnit.SECONDS);
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> {});
            CompletableFuture.runAsync(() -> {});
            CompletionStage<String> stage = future.thenApplyAsync(name -> name);
            stage.whenCompleteAsync((name, failure) -> {});
            Function<Runnable, CompletableFuture<Void>> reference = CompletableFuture::runAsync;
            ForkJoinPool.commonPool();
            names.parallelStream().count();
            IntStream.of(numbers).parallel().sum();
            Arrays.parallelSort(numbers);
        }

        void innocent(CompletableFuture<String> future, Timers timers, int[] numbers) {
            timers.orTimeout(future, 1, "late");
            future.thenApplyAsync(name -> name, timers.executor());
            IntStream.of(numbers).sum();
        }
    }
}
