/**
 * Prefix of SQL without parameters that damages rows: it disables, for this text only, the triggers that would refuse
 * the damage.
 */
export const byForce = "SET LOCAL session_replication_role = replica; ";
