-- A person or credential that assigns the column of the key or the value is a preparer of the payments, like the
-- uploader of the sheet.
ALTER TABLE sheets ADD COLUMN choice_by uuid;
