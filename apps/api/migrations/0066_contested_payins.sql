-- A payin lists its contestations, which are found by its Pix.
CREATE INDEX infractions_by_transaction ON infractions (company_id, transaction_id);
