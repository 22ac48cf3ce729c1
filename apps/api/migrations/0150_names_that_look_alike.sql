-- Names are compared as a person sees them: the check for like names also finds a name with characters of another script,
-- with full-width ones, or with signs that show nothing.

-- Characters of the Cyrillic, Greek and Latin scripts that are drawn as a basic Latin one (Unicode TR39, confusables),
-- before case is folded: Cyrillic В is drawn as B, its lower case is not. Then what a proportional font draws alike:
-- I, l, 1 and |; O and 0; rn and m; vv and w.
CREATE FUNCTION drawn_alike(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(replace(translate(fold_text(CASE WHEN octet_length(name) = char_length(name) THEN name ELSE
  translate(normalize(name, NFKC),
    'АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјһорсухԁԛԝүΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχικıɑɡɩꞮ',
    'ABESIJKMHOPCTYXYGQWaesijhopcyxdqwyABEZHIKMNOPTYXavopuxikiagiI') END),
  'l1|0', 'iiio'), 'rn', 'm'), 'vv', 'w');

-- A name normalised for comparison: without accents, separators, small words and legal forms. A sign that is not
-- alphanumeric, punctuation or a blank parts no word.
CREATE OR REPLACE FUNCTION compared_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(regexp_replace(
  regexp_replace(drawn_alike(name), '[^ -~\s\u00b7\u2010-\u2015\u2800]+', '', 'g'),
  '\y(itda|me|mei|epp|eireii|s/?a|cia|de|da|do|das|dos|e)\y|[^a-z0-9]+', '', 'g'), '');
