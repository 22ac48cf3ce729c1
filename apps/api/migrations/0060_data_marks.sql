-- Which fields of a payment were not entered for that payment alone: an array of {field, origin, before, after, by:
-- {id, name} | null, at}, with the fields' wire names. `origin` is 'guessed' (the sheet reader corrected it by
-- itself), 'suggested' (a person accepted the proposed value) or 'corrected' (one answer for many payments). Usually
-- null. A field that a person types afterwards loses its mark. The checks before paying read it here.
ALTER TABLE transfers ADD COLUMN data_marks jsonb CHECK (jsonb_typeof(data_marks) = 'array');
