-- Who was notified of each request for an approval: requests shortly after an e-mail wait and go with the next one,
-- so that one person cannot fill the others' mailboxes and no request is left out.
CREATE TABLE approval_notices (
  company_id uuid NOT NULL REFERENCES companies,
  request_id uuid NOT NULL,
  user_id uuid NOT NULL,
  told_at timestamptz,
  PRIMARY KEY (company_id, request_id, user_id),
  FOREIGN KEY (company_id, request_id) REFERENCES approval_requests (company_id, id)
);
CREATE INDEX approval_notices_untold ON approval_notices (company_id, user_id) WHERE told_at IS NULL;
CREATE INDEX approval_notices_by_person ON approval_notices (company_id, user_id, told_at DESC) WHERE told_at IS NOT NULL;
SELECT protect_company_table('approval_notices', 'SELECT, INSERT, UPDATE');

-- Counts the recent requests of a person.
CREATE INDEX approval_requests_by_asker ON approval_requests (company_id, requested_by, created_at DESC);
