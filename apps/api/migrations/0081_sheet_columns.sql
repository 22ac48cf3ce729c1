-- How the columns of a sheet were read and which of them a person chose, the row that held the totals, and what was
-- wrong, as text.
ALTER TABLE sheets ADD COLUMN layout jsonb, ADD COLUMN choice jsonb, ADD COLUMN total jsonb, ADD COLUMN mistakes jsonb;

-- What the people of a company answered about the columns of sheets with the same headings, so that they are asked
-- once.
CREATE TABLE sheet_column_choices (
  company_id uuid NOT NULL REFERENCES companies,
  -- SHA-256 of the headings without accents, case and signs.
  headings_key text NOT NULL CHECK (char_length(headings_key) = 64),
  -- Position of the column → the field it holds, or null.
  columns jsonb NOT NULL CHECK (jsonb_typeof(columns) = 'object'),
  -- A person, or a credential.
  chosen_by uuid NOT NULL,
  chosen_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, headings_key)
);
SELECT protect_company_table('sheet_column_choices', 'SELECT, INSERT, UPDATE, DELETE');
