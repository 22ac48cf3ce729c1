-- What of a payment is not as somebody gave it for that payment alone: an array of
-- {field, origin, before, after, by: {id, name} | null, at}, with the fields' wire names. `origin` is 'guessed' (the reading of a
-- sheet put it right by itself), 'suggested' (a person took the value proposed) or 'corrected' (one answer for many payments).
-- Null is the usual case. A field that a person typed since loses its mark. Whoever asks for a confirmation before paying reads it here.
ALTER TABLE transfers ADD COLUMN data_marks jsonb CHECK (jsonb_typeof(data_marks) = 'array');
