-- Names are compared as a person sees them: the check for like names also finds a name with characters of another script,
-- with full-width ones, or with signs that show nothing.

-- Characters of the Cyrillic, Greek and Latin scripts that are drawn as a basic Latin one (Unicode TR39, confusables),
-- before case is folded: Cyrillic В is drawn as B, its lower case is not. Then a sign in a word where it is not written
-- and is drawn as what is: I, 1 and | among lower case as l, l, 1 and | among capitals as I, 0 as o, rn as m, vv as w.
CREATE FUNCTION drawn_alike(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN replace(replace(fold_text(CASE
  WHEN octet_length(name) = char_length(name) AND name !~ '[A-Za-z][01|]|[01|][A-Za-z]|[A-Za-z]I[a-z]|[A-Z]l' THEN name
  ELSE regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    translate(regexp_replace(normalize(normalize(name, NFKC), NFD), '[\u0300-\u036f]', '', 'g'),
    'АВЕЅІЈКМНОРСТУХҮԌԚԜаеѕіјһорсухԁԛԝүΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυχικıɑɡɩꞮ',
    'ABESIJKMHOPCTYXYGQWaesijhopcyxdqwyABEZHIKMNOPTYXavopuxikiagiI'),
    '(?<=[A-Za-z])0|0(?=[A-Za-z])', 'o', 'g'), '(?<=[A-Z])[l1|](?![a-z])', 'i', 'g'),
    '(?<=[a-z])[1|I]|(?<=[A-Za-z])I(?=[a-z])', 'l', 'g'), '[1|](?=[a-z])', 'l', 'g') END), 'rn', 'm'), 'vv', 'w');

-- A name normalised for comparison: without accents, separators, small words and legal forms. A sign that is not
-- alphanumeric, punctuation or a blank parts no word. Sá is a surname, so SA is a legal form at the end only.
CREATE OR REPLACE FUNCTION compared_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(regexp_replace(
  regexp_replace(drawn_alike(name), '[^ -~\s\u00b7\u2010-\u2015\u2800]+', '', 'g'),
  '\y(ltda|me|mei|epp|eireli|s[/.]a|cia|de|da|do|das|dos|e|sa(?=[^a-z0-9]*$))\y|[^a-z0-9]+', '', 'g'), '');
