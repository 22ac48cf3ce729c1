/** Tables that this folder owns (decision 0060). */
export const owns = [
  "sandbox.calls",
  "sandbox.charges",
  "sandbox.directory_claims",
  "sandbox.directory_entries",
  "sandbox.directory_news",
  "sandbox.directory_requests",
  "sandbox.events",
  "sandbox.infraction_events",
  "sandbox.infractions",
  "sandbox.mails",
  "sandbox.orders",
  "sandbox.refunds",
  "sandbox.settings",
  "sandbox.texts",
];
