-- Tables and columns take the names of the glossary. Nothing else changes.
ALTER TABLE rail_events_aside RENAME TO rail_dead_letters;
ALTER TABLE rail_dead_letters RENAME COLUMN put_aside_at TO since;
ALTER TABLE rail_dead_letters RENAME CONSTRAINT rail_events_aside_once TO rail_dead_letters_once;
ALTER TABLE rail_dead_letters RENAME CONSTRAINT rail_events_aside_pkey TO rail_dead_letters_pkey;
ALTER TABLE rail_dead_letters RENAME CONSTRAINT rail_events_aside_why_check TO rail_dead_letters_why_check;
ALTER INDEX rail_events_aside_to_try RENAME TO rail_dead_letters_to_try;

ALTER TABLE billet_lookups RENAME TO boleto_lookups;
ALTER TABLE boleto_lookups RENAME CONSTRAINT billet_lookups_known_are_registered TO boleto_lookups_known_are_registered;

-- When an answer to an infraction goes to the network, and since when the network has it.
ALTER TABLE infractions RENAME COLUMN tell_at TO report_at;
ALTER TABLE infractions RENAME COLUMN tell_tries TO report_tries;
ALTER TABLE infractions RENAME COLUMN told_at TO reported_at;
ALTER INDEX infractions_untold RENAME TO infractions_unreported;

ALTER TABLE approval_notices RENAME COLUMN told_at TO sent_at;
ALTER INDEX approval_notices_untold RENAME TO approval_notices_unsent;

-- The instant of the newest payment that a receiver's status comes from.
ALTER TABLE receivers RENAME COLUMN told_at TO status_at;
