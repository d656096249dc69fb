CREATE TABLE IF NOT EXISTS orders (
    number INTEGER PRIMARY KEY,
    customer TEXT NOT NULL CHECK (length(customer) BETWEEN 1 AND 40)
);
