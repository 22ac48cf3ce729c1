/** Begins SQL text without values that damages rows: for it alone, the triggers that would refuse the damage are off. */
export const byForce = "SET LOCAL session_replication_role = replica; ";
