package io.counterkit.spring.test;

import org.springframework.stereotype.Component;

/** A component that a test of the counts does not want. */
@Component
class Mail {}
