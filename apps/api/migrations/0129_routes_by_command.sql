-- The operator's command writes a route in the transaction of its company, with an entry in the company's audit trail.
GRANT INSERT, UPDATE, DELETE ON payment_routes TO malote_app;
