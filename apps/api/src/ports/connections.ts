/** Finds the networks that carry payments, by the ids in rows. */
import type { Ports } from "./ports.ts";
import type { Rails } from "./rails.ts";

type Needs = Pick<Ports, "rails" | "connections">;

export const allConnections = ({ rails, connections }: Needs): readonly Rails[] => [
  rails,
  ...connections.values(),
];

export const connectionIds = (ports: Needs): readonly string[] => allConnections(ports).map(({ id }) => id);

/**
 * Returns the connection with this id; for null, the installation's main one, because older rows have no id. Undefined
 * when no connection has the id any more.
 */
export const connectionOf = ({ rails, connections }: Needs, id: string | null): Rails | undefined =>
  id === null || id === rails.id ? rails : connections.get(id);
