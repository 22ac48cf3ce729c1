/** Tables that this folder owns (decision 0060). */
export const owns = [
  "bearer_epochs",
  "password_links",
  "recovery_codes",
  "sessions",
  "sign_in_failures",
  "sign_in_places",
];
