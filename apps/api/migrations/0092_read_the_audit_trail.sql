-- Indexes for reading the audit trail by day, and by person, action and object within a day (decision 0041). A
-- requested sheet of it is kept with the other sheets that are written while they are fetched.
CREATE INDEX audit_entries_by_moment ON audit_entries (company_id, at DESC, id DESC);
CREATE INDEX audit_entries_by_actor ON audit_entries (company_id, actor_id, at DESC) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_by_action ON audit_entries (company_id, action, at DESC);
CREATE INDEX audit_entries_by_subject ON audit_entries (company_id, subject_id, at DESC) WHERE subject_id IS NOT NULL;

ALTER TABLE receivable_reports DROP CONSTRAINT receivable_reports_kind_check;
ALTER TABLE receivable_reports ADD CONSTRAINT receivable_reports_kind_check
  CHECK (kind IN ('payins', 'card_receivables', 'audit_trail'));
