/** Tables that this folder owns (decision 0060). */
export const owns = ["network_files", "rail_dead_letters", "rail_events"];
