-- A person or credential that says which column holds the key or the value prepares the payments, as the one that uploads the sheet does.
ALTER TABLE sheets ADD COLUMN choice_by uuid;
