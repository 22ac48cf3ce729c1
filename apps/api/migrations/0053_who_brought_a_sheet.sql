-- The person or the credential that uploaded the file. uploaded_by is null for a credential, so a draft made of its
-- sheet had no author, and the person who controls the credential could approve it.
ALTER TABLE sheets ADD COLUMN editor_id uuid;
-- As a role that sees all companies: the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
UPDATE sheets SET editor_id = uploaded_by;
-- A file is uploaded once, and the audit trail has always recorded by whom.
UPDATE sheets s SET editor_id = e.actor_id FROM audit_entries e
WHERE s.editor_id IS NULL AND e.company_id = s.company_id AND e.action = 'sheet_uploaded' AND e.subject_id = s.id::text;
UPDATE batches b SET edited_by = ARRAY[s.editor_id] || b.edited_by FROM sheets s
WHERE s.company_id = b.company_id AND s.id = b.sheet_id AND s.uploaded_by IS NULL AND s.editor_id <> ALL (b.edited_by);
RESET ROLE;
