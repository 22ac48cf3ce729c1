-- Who requested a sheet: requesting the same one again replaces the earlier one. NULL for older rows.
ALTER TABLE receivable_reports ADD COLUMN asked_by uuid;
CREATE INDEX receivable_reports_by_person ON receivable_reports (company_id, asked_by, kind);
GRANT UPDATE ON receivable_reports TO malote_app;
