-- What a bank clerk reads on a boleto: where the company is, and what paying late costs.
ALTER TABLE companies
  -- Street, number, complement, district, city, state and postal code, in the wire's own names.
  ADD COLUMN address jsonb CONSTRAINT companies_address CHECK (
    address IS NULL OR (jsonb_typeof(address) = 'object' AND address ->> 'postal_code' ~ '^[0-9]{8}$' AND address ->> 'city' <> ''));
ALTER TABLE payment_links
  ADD COLUMN late_terms jsonb CONSTRAINT payment_links_late_terms CHECK (
    late_terms IS NULL OR (jsonb_typeof(late_terms) = 'object' AND 'boleto' = ANY (payment_methods)));
