-- Who must approve before money leaves: the company's own versions of its controls, what people approved, and the
-- requests that wait for them.

-- The highest version whose time has come is in force. A company without one has the settings it began with.
CREATE TABLE control_policies (
  company_id uuid NOT NULL REFERENCES companies,
  version int NOT NULL CHECK (version > 0),
  policy jsonb NOT NULL,
  in_force_at timestamptz NOT NULL,
  made_at timestamptz NOT NULL,
  made_by uuid NOT NULL,
  made_by_name text NOT NULL,
  approved_by uuid,
  approved_by_name text,
  PRIMARY KEY (company_id, version),
  FOREIGN KEY (company_id, made_by) REFERENCES users,
  CONSTRAINT control_policies_approved_by_another CHECK (approved_by <> made_by),
  CONSTRAINT control_policies_approved_by_somebody CHECK ((approved_by IS NULL) = (approved_by_name IS NULL)),
  CONSTRAINT control_policies_never_before CHECK (in_force_at >= made_at)
);
SELECT protect_company_table('control_policies', 'SELECT, INSERT');

-- A request to move money otherwise than by a batch, such as a refund, which waits until enough people approve. The last
-- approval carries it out.
CREATE TABLE approval_requests (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('CORRECTION', 'WITHDRAWAL', 'PAYIN_REFUND', 'INFRACTION', 'WITHDRAWAL_ACCOUNT', 'POLICY')),
  -- The object it is about: one open request of a kind for the same object.
  object_id uuid NOT NULL,
  payload jsonb NOT NULL,
  -- What an approver reads, as text.
  facts jsonb NOT NULL,
  -- Null where no money moves at once.
  amount bigint CHECK (amount BETWEEN 1 AND 9007199254740991),
  -- Of kind, object and payload: what was approved is exactly what is carried out.
  digest text NOT NULL,
  requested_by_kind text NOT NULL CHECK (requested_by_kind IN ('user', 'machine')),
  requested_by uuid NOT NULL,
  requested_by_name text NOT NULL,
  preparers uuid[] NOT NULL,
  has_unknown_preparer boolean NOT NULL,
  -- Counts only approvers who do not count among the preparers.
  approvers_min int NOT NULL CHECK (approvers_min BETWEEN 1 AND 4),
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled', 'expired')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  decided_at timestamptz,
  decided_by uuid,
  decided_by_name text,
  reason text CHECK (char_length(reason) <= 255),
  PRIMARY KEY (company_id, id),
  CONSTRAINT approval_requests_decided CHECK ((status = 'pending') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX approval_requests_open ON approval_requests (company_id, kind, object_id) WHERE status = 'pending';
CREATE INDEX approval_requests_by_date ON approval_requests (company_id, created_at DESC, id DESC);
SELECT protect_company_table('approval_requests', 'SELECT, INSERT, UPDATE');

-- One approval by one person of one content. It survives the removal of payments from the batch; any other change
-- voids it.
CREATE TABLE approvals (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  batch_id uuid,
  request_id uuid,
  revision int,
  digest text NOT NULL,
  user_id uuid NOT NULL,
  user_name text NOT NULL,
  with_factor boolean NOT NULL,
  approved_at timestamptz NOT NULL,
  voided_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, batch_id) REFERENCES batches,
  FOREIGN KEY (company_id, request_id) REFERENCES approval_requests,
  FOREIGN KEY (company_id, user_id) REFERENCES users,
  CONSTRAINT approvals_of_one_thing CHECK (num_nonnulls(batch_id, request_id) = 1),
  CONSTRAINT approvals_of_a_revision CHECK ((batch_id IS NULL) = (revision IS NULL))
);
CREATE UNIQUE INDEX approvals_of_a_batch ON approvals (company_id, batch_id, user_id)
  WHERE voided_at IS NULL AND batch_id IS NOT NULL;
CREATE UNIQUE INDEX approvals_of_a_request ON approvals (company_id, request_id, user_id) WHERE request_id IS NOT NULL;
SELECT protect_company_table('approvals', 'SELECT, INSERT, UPDATE');

-- What people sent out on a day, of every kind: small payments are added up.
CREATE TABLE outflows (
  company_id uuid NOT NULL REFERENCES companies,
  id uuid NOT NULL,
  way text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  people uuid[] NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX outflows_by_day ON outflows (company_id, at);
SELECT protect_company_table('outflows', 'SELECT, INSERT, UPDATE, DELETE');

-- How many other people a closed batch needed; checked again when its money arrives.
ALTER TABLE batches ADD COLUMN approvers_min int NOT NULL DEFAULT 0;

-- Since when a person has their present access: invited, made an admin, with another factor or a password set by
-- link. Null for those before.
ALTER TABLE users ADD COLUMN known_since timestamptz;

-- When the account for withdrawals became another one; null for the first.
ALTER TABLE company_bank_accounts ADD COLUMN changed_at timestamptz;
