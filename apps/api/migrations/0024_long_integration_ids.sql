-- A sheet may bring an id far longer than one may be. Its payment stays in the draft with its mistake, and no index has to
-- hold it: PostgreSQL refuses rows of an index above 2,704 bytes, and the whole sheet would be lost with it.
DROP INDEX transfers_by_integration_id;
CREATE INDEX transfers_by_integration_id ON transfers (company_id, integration_id) WHERE length(integration_id) <= 255;
