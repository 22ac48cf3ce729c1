-- What a company sends is summed by day, by night and by weekend, for each kind of payment, and no sum passes its
-- limit. The statements that reserve money for payments, or give it back before they left, keep the sums (decision
-- 0033); the books check recounts them.

CREATE TABLE limit_sums (
  company_id uuid NOT NULL REFERENCES companies,
  -- A night is dated by its evening, a weekend by its Saturday.
  day date NOT NULL,
  period text NOT NULL CHECK (period IN ('DAILY', 'NIGHTLY', 'WEEKEND')),
  payment_method text NOT NULL CHECK (payment_method IN ('PIX', 'TED', 'TEV', 'BILLET')),
  value bigint NOT NULL CHECK (value <= 9007199254740991),
  PRIMARY KEY (company_id, day, period, payment_method)
);
SELECT protect_company_table('limit_sums', 'SELECT, INSERT, UPDATE');

-- Not a CHECK: one would refuse the row that says "less" before it meets the row it is taken from.
CREATE FUNCTION limit_sums_never_below_zero() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation
    USING MESSAGE = 'less was sent than nothing', CONSTRAINT = 'limit_sums_never_below_zero';
END $$;
CREATE TRIGGER limit_sums_never_below_zero AFTER INSERT OR UPDATE ON limit_sums FOR EACH ROW
  WHEN (NEW.value < 0) EXECUTE FUNCTION limit_sums_never_below_zero();

-- The period a payment counts in. NULL for a draft's, and for what left before sums were kept.
ALTER TABLE transfers ADD COLUMN limit_day date, ADD COLUMN limit_period text;

ALTER TABLE batches
  -- What a batch that is being closed counts for, until its payments hold their own periods.
  ADD COLUMN limit_takes jsonb,
  -- Why a batch still waits although its money is there, and until when the schedule does not try it again.
  ADD COLUMN waiting_reason text,
  ADD COLUMN limited_until timestamptz;

-- A higher limit that is not in force yet.
CREATE TABLE limit_raises (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  period text NOT NULL CHECK (period IN ('TRANSACTION', 'DAILY', 'NIGHTLY', 'WEEKEND')),
  payment_method text NOT NULL CHECK (payment_method IN ('PIX', 'TED', 'TEV', 'BILLET')),
  value bigint NOT NULL CHECK (value BETWEEN 0 AND 9007199254740991),
  requested_at timestamptz NOT NULL,
  requested_by uuid NOT NULL,
  requested_by_name text NOT NULL,
  takes_effect_at timestamptz NOT NULL CHECK (takes_effect_at >= requested_at + interval '24 hours'),
  ended_at timestamptz,
  ended_as text CHECK (ended_as IN ('applied', 'cancelled', 'replaced')),
  PRIMARY KEY (company_id, id),
  CONSTRAINT limit_raises_end_whole CHECK ((ended_at IS NULL) = (ended_as IS NULL))
);
-- One at a time for each limit.
CREATE UNIQUE INDEX limit_raises_open ON limit_raises (company_id, period, payment_method) WHERE ended_at IS NULL;
CREATE INDEX limit_raises_due ON limit_raises (takes_effect_at) WHERE ended_at IS NULL;
SELECT protect_company_table('limit_raises', 'SELECT, INSERT, UPDATE');

-- As a role that sees all companies: the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
-- What is scheduled, and what left since yesterday, counts from the first moment on.
WITH placed AS (
  SELECT company_id, id, local::date AS date, extract(isodow FROM local) AS weekday,
    CASE WHEN local::time = '00:00' THEN '12:00' ELSE local::time END AS hour
  FROM (SELECT company_id, id, execute_at AT TIME ZONE 'America/Sao_Paulo' AS local FROM transfers
        WHERE execute_at >= now() - interval '2 days' AND status NOT IN ('CREATED', 'RETURNED')) leaving
)
UPDATE transfers t
SET limit_period = CASE WHEN hour < '06:00' OR hour >= '20:00' THEN 'NIGHTLY' WHEN weekday >= 6 THEN 'WEEKEND' ELSE 'DAILY' END,
  limit_day = CASE WHEN hour < '06:00' OR (hour < '20:00' AND weekday = 7) THEN date - 1 ELSE date END
FROM placed WHERE t.company_id = placed.company_id AND t.id = placed.id;
INSERT INTO limit_sums (company_id, day, period, payment_method, value)
SELECT company_id, limit_day, limit_period, payment_method, sum(value) FROM transfers WHERE limit_day IS NOT NULL
GROUP BY 1, 2, 3, 4;
RESET ROLE;
