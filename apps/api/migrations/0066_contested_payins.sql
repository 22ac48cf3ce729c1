-- A payin names the contestations of it, which its Pix is known by.
CREATE INDEX infractions_by_transaction ON infractions (company_id, transaction_id);
