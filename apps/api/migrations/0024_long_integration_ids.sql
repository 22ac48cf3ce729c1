-- A sheet may contain an id far longer than the limit. Its payment stays in the draft with its error, and no index
-- may have to hold it: PostgreSQL refuses index rows above 2,704 bytes, and the whole sheet would be lost with it.
DROP INDEX transfers_by_integration_id;
CREATE INDEX transfers_by_integration_id ON transfers (company_id, integration_id) WHERE length(integration_id) <= 255;
