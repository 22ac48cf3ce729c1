/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = [
  "audit_chain",
  "audit_entries",
  "audit_heads",
  "event_cursors",
  "event_dead_letters",
  "event_heads",
  "event_log",
  "event_relay",
  "event_subscribers",
  "idempotency_keys",
  "mails",
  "migrations",
  "outbox",
  "pgboss.job",
  "pgboss.queue",
];

export const reads = {
  companies: "brand, name and reply address of e-mails; the name beside a dead letter",
};
