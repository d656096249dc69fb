package io.counterkit.examples.shop;

import io.counterkit.spring.CounterTransactions;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders under numbers without a gap. */
// docs: orders
@RestController
class Orders {
    private final CounterTransactions transactions;
    private final JdbcTemplate jdbc;

    Orders(CounterTransactions transactions, JdbcTemplate jdbc) {
        this.transactions = transactions;
        this.jdbc = jdbc;
    }

    /** Uses up a number only if the order is stored. */
    @PostMapping("/orders")
    @Transactional
    long order(@RequestParam("customer") String customer) {
        long number = transactions.current().append("orders/2026", Map.of("customer", customer));
        jdbc.update("INSERT INTO orders (number, customer) VALUES (?, ?)", number, customer);
        return number;
    }
}
// docs: end
