-- A correction none of whose payments is failed any more ends by itself: no person decided it, and nothing is left to
-- decide.
ALTER TABLE approval_requests DROP CONSTRAINT approval_requests_status_check, ADD CONSTRAINT approval_requests_status_check
  CHECK (status IN ('pending', 'approved', 'rejected', 'cancelled', 'expired', 'obsolete'));
