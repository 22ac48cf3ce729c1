-- A status only takes the steps that the domain's tables allow (batchTransitions, transferTransitions,
-- payinTransitions, pixKeyTransitions, infractionTransitions; decision 0048), also when a statement is wrong. A test
-- compares each function with its table. A step is changed by replacing the function; the triggers stay.

-- Each is one expression without a look at any table, so that PostgreSQL takes it into the trigger's condition and no function
-- is called for the hundred thousand payments of a batch.
CREATE FUNCTION batch_may_become(status text, next text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN CASE status
  WHEN 'DRAFT' THEN next IN ('VALIDATING', 'WAITING_APPROVAL', 'PENDING', 'WAITING', 'REMOVED')
  WHEN 'VALIDATING' THEN next IN ('DRAFT', 'REMOVED')
  WHEN 'WAITING_APPROVAL' THEN next IN ('DRAFT', 'PENDING', 'WAITING')
  WHEN 'PENDING' THEN next IN ('RECEIVED')
  WHEN 'WAITING' THEN next IN ('DRAFT', 'RECEIVED', 'REMOVED')
  WHEN 'RECEIVED' THEN next IN ('FINISHED', 'RETURNED')
  ELSE false END;
CREATE FUNCTION payment_may_become(status text, next text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN CASE status
  WHEN 'CREATED' THEN next IN ('RECEIVED', 'SCHEDULED')
  WHEN 'RECEIVED' THEN next IN ('EXECUTING')
  WHEN 'SCHEDULED' THEN next IN ('EXECUTING', 'RETURNED')
  WHEN 'EXECUTING' THEN next IN ('EM_REMESSA', 'TRANSFERRED', 'FINISHED', 'FAILED', 'FAILED_INTERNAL')
  WHEN 'EM_REMESSA' THEN next IN ('TRANSFERRED', 'FINISHED', 'FAILED', 'FAILED_INTERNAL')
  WHEN 'FAILED_INTERNAL' THEN next IN ('TRANSFERRED', 'FINISHED', 'FAILED')
  WHEN 'TRANSFERRED' THEN next IN ('FINISHED', 'BEING_RETURNED', 'RETURNED')
  WHEN 'FINISHED' THEN next IN ('BEING_RETURNED', 'RETURNED')
  WHEN 'FAILED' THEN next IN ('RECEIVED', 'SCHEDULED', 'REQUESTED_REFUND', 'BEING_RETURNED', 'RETURNED')
  WHEN 'REQUESTED_REFUND' THEN next IN ('BEING_RETURNED', 'RETURNED')
  WHEN 'BEING_RETURNED' THEN next IN ('RETURNED')
  ELSE false END;
CREATE FUNCTION payin_may_become(status text, next text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN CASE status
  WHEN 'pending' THEN next IN ('active', 'authorized', 'unauthorized', 'received', 'canceled',
    'canceled_by_user', 'canceled_by_psp', 'expired')
  WHEN 'active' THEN next IN ('authorized', 'unauthorized', 'received', 'canceled', 'canceled_by_user',
    'canceled_by_psp', 'expired')
  WHEN 'authorized' THEN next IN ('received', 'refunding')
  WHEN 'unauthorized' THEN next IN ('received')
  WHEN 'canceled' THEN next IN ('received')
  WHEN 'canceled_by_user' THEN next IN ('received')
  WHEN 'canceled_by_psp' THEN next IN ('received')
  WHEN 'expired' THEN next IN ('received')
  WHEN 'received' THEN next IN ('blocked', 'refunding', 'partially_refunded', 'refunded')
  WHEN 'blocked' THEN next IN ('rejected', 'received', 'refunding', 'partially_refunded', 'refunded')
  WHEN 'rejected' THEN next IN ('received', 'refunding', 'partially_refunded', 'refunded')
  WHEN 'refunding' THEN next IN ('authorized', 'received', 'blocked', 'rejected', 'partially_refunded', 'refunded')
  WHEN 'partially_refunded' THEN next IN ('blocked', 'refunding', 'refunded')
  ELSE false END;
CREATE FUNCTION pix_key_may_become(status text, next text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN CASE status
  WHEN 'VALIDATING' THEN next IN ('PENDING', 'REMOVED')
  WHEN 'PENDING' THEN next IN ('REGISTERED', 'WAITING_PORTABILITY', 'WAITING_CLAIM', 'ERROR')
  WHEN 'ERROR' THEN next IN ('REMOVED')
  WHEN 'REGISTERED' THEN next IN ('PENDING_REMOVAL', 'WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL', 'REMOVED')
  WHEN 'PENDING_REMOVAL' THEN next IN ('REMOVED', 'REGISTERED', 'WAITING_PORTABILITY_APPROVAL', 'WAITING_CLAIM_APPROVAL')
  WHEN 'WAITING_PORTABILITY_APPROVAL' THEN next IN ('REGISTERED', 'PENDING_REMOVAL', 'REMOVED')
  WHEN 'WAITING_CLAIM_APPROVAL' THEN next IN ('REGISTERED', 'PENDING_REMOVAL', 'REMOVED')
  WHEN 'WAITING_PORTABILITY' THEN next IN ('PORTABILITY_REQUESTED', 'PORTABILITY_IN_PROGRESS', 'REGISTERED', 'REMOVED')
  WHEN 'WAITING_CLAIM' THEN next IN ('CLAIM_REQUESTED', 'CLAIM_IN_PROGRESS', 'REGISTERED', 'REMOVED')
  WHEN 'PORTABILITY_REQUESTED' THEN next IN ('PORTABILITY_IN_PROGRESS', 'WAITING_PORTABILITY', 'REGISTERED')
  WHEN 'CLAIM_REQUESTED' THEN next IN ('CLAIM_IN_PROGRESS', 'WAITING_CLAIM', 'REGISTERED')
  WHEN 'PORTABILITY_IN_PROGRESS' THEN next IN ('WAITING_PORTABILITY', 'REGISTERED')
  WHEN 'CLAIM_IN_PROGRESS' THEN next IN ('WAITING_CLAIM', 'REGISTERED')
  ELSE false END;
CREATE FUNCTION infraction_may_become(status text, next text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN CASE status
  WHEN 'pending' THEN next IN ('accepted', 'rejected', 'delayed', 'canceled')
  ELSE false END;

CREATE FUNCTION refuse_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE integrity_constraint_violation USING
    MESSAGE = format('%s: %s may not become %s', TG_TABLE_NAME, to_jsonb(OLD) ->> TG_ARGV[0], to_jsonb(NEW) ->> TG_ARGV[0]),
    CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER batches_take_legal_steps BEFORE UPDATE OF status ON batches FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NOT batch_may_become(OLD.status, NEW.status)) EXECUTE FUNCTION refuse_status('status');
CREATE TRIGGER transfers_take_legal_steps BEFORE UPDATE OF status ON transfers FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NOT payment_may_become(OLD.status, NEW.status)) EXECUTE FUNCTION refuse_status('status');
CREATE TRIGGER payins_take_legal_steps BEFORE UPDATE OF status ON payins FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NOT payin_may_become(OLD.status, NEW.status)) EXECUTE FUNCTION refuse_status('status');
CREATE TRIGGER pix_keys_take_legal_steps BEFORE UPDATE OF status ON pix_keys FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NOT pix_key_may_become(OLD.status, NEW.status)) EXECUTE FUNCTION refuse_status('status');
CREATE TRIGGER infractions_take_legal_steps BEFORE UPDATE OF analysis_status ON infractions FOR EACH ROW
  WHEN (NEW.analysis_status <> OLD.analysis_status AND NOT infraction_may_become(OLD.analysis_status, NEW.analysis_status))
  EXECUTE FUNCTION refuse_status('analysis_status');
