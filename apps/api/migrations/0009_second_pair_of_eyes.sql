-- Everybody who made or changed the content of a batch, people and credentials alike: none of them is the second pair of
-- eyes that a company may ask for.
ALTER TABLE batches ADD COLUMN edited_by uuid[] NOT NULL DEFAULT '{}';
UPDATE batches SET edited_by = ARRAY[created_by] WHERE created_by IS NOT NULL;
