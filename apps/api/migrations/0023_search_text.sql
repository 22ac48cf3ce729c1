-- A search finds a name whatever its accents and capitals, without folding the texts of a hundred thousand rows each
-- time: folded texts are stored beside the originals, and this function is the one place that defines the folding.

-- The same as `foldText` of the domain, except for blanks. Most texts have no accents at all, and nearly all others
-- have those of Portuguese, for which replacing character by character takes half the time of decomposing each one.
CREATE FUNCTION fold_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(given) = char_length(given) THEN lower(given COLLATE pg_c_utf8)
  WHEN given COLLATE "C" ~ '[^ -~áàâãçéêíóôõúüÁÀÂÃÇÉÊÍÓÔÕÚÜ]'
    THEN lower(regexp_replace(normalize(given, NFD), '[\u0300-\u036f]', '', 'g') COLLATE pg_c_utf8)
  ELSE replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    lower(given COLLATE pg_c_utf8), 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ã', 'a'), 'ç', 'c'), 'é', 'e'),
    'ê', 'e'), 'í', 'i'), 'ó', 'o'), 'ô', 'o'), 'õ', 'o'), 'ú', 'u'), 'ü', 'u')
END;

-- In no index: an index would be written at each change of a payment's status, on the path of every payment.
ALTER TABLE transfers ADD COLUMN search_text text COLLATE "C" GENERATED ALWAYS AS (
  coalesce(fold_text(name), '') || E'\n' || coalesce(fold_text(pix_key), '') || E'\n'
    || coalesce(fold_text(integration_id), '')) STORED;

ALTER TABLE batches ADD COLUMN search_text text COLLATE "C" GENERATED ALWAYS AS (fold_text(name)) STORED;
DROP INDEX batches_by_creation;
CREATE INDEX batches_by_creation ON batches (company_id, created_at DESC, id DESC) INCLUDE (value, search_text)
  WHERE status <> 'REMOVED';

-- Receivers were folded by a rule of their own, which knew fewer characters. Runs as a role that sees all companies:
-- the tables' owner may be subject to row security.
SET LOCAL ROLE malote_system;
UPDATE receivers SET search_text = fold_text(search_text) WHERE search_text <> fold_text(search_text);
RESET ROLE;
