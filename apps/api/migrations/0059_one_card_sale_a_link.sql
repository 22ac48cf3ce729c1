-- A link is charged to one card. Two payers who pay at the same moment are two rows of this table, and only the
-- database sees both.

-- A second payment for what was paid already: no rule of ours can refuse it, so it is recorded and the company is
-- notified.
ALTER TABLE payins ADD COLUMN is_double boolean NOT NULL DEFAULT false;

-- As a role that sees all companies: the table's owner may be subject to row security.
SET LOCAL ROLE malote_system;
UPDATE payins p SET is_double = true
FROM (SELECT company_id, id, row_number() OVER (PARTITION BY company_id, payment_link_id ORDER BY coalesce(received_at, created_at), id) AS place
      FROM payins WHERE payment_link_id IS NOT NULL
        AND status IN ('authorized', 'received', 'blocked', 'refunding', 'partially_refunded', 'refunded')) paid
WHERE p.company_id = paid.company_id AND p.id = paid.id AND paid.place > 1;
-- A second sale that waits for its answer while this runs is neither refused nor reported as double before it is
-- made.
UPDATE payins p SET is_double = true
FROM (SELECT company_id, id, row_number() OVER (PARTITION BY company_id, payment_link_id ORDER BY (status = 'pending'), created_at, id) AS place
      FROM payins WHERE payment_link_id IS NOT NULL AND payment_type = 'credit_card' AND NOT is_double
        AND status IN ('pending', 'authorized', 'received', 'blocked', 'refunding', 'partially_refunded', 'refunded')) living
WHERE p.company_id = living.company_id AND p.id = living.id AND living.place > 1;
RESET ROLE;

CREATE UNIQUE INDEX payins_one_card_sale_a_link ON payins (company_id, payment_link_id)
  WHERE payment_type = 'credit_card' AND NOT is_double
    AND status IN ('pending', 'authorized', 'received', 'blocked', 'refunding', 'partially_refunded', 'refunded');
