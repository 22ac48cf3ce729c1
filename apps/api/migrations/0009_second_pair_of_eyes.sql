-- Every person and credential who created or changed the content of a batch. None of them counts as the second
-- approver that a company may demand.
ALTER TABLE batches ADD COLUMN edited_by uuid[] NOT NULL DEFAULT '{}';
UPDATE batches SET edited_by = ARRAY[created_by] WHERE created_by IS NOT NULL;
