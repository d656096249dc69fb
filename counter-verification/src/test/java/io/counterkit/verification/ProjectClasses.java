package io.counterkit.verification;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of this project. */
final class ProjectClasses {
    /** All classes but tests. */
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.counterkit");

    /** Those without examples and benchmarks. */
    static final JavaClasses LIBRARIES =
            ALL.that(not(resideInAnyPackage("io.counterkit.benchmarks..", "io.counterkit.examples..")));

    private ProjectClasses() {}
}
