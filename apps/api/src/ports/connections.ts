/** The networks that carry payments, by the ids that rows keep. */
import type { Ports } from "./ports.ts";
import type { Rails } from "./rails.ts";

type Needs = Pick<Ports, "rails" | "connections">;

export const allConnections = ({ rails, connections }: Needs): readonly Rails[] => [
  rails,
  ...connections.values(),
];

export const connectionIds = (ports: Needs): readonly string[] => allConnections(ports).map(({ id }) => id);

/** Null: from before a row said which, so the installation's own. Undefined where none has the id any more. */
export const connectionOf = ({ rails, connections }: Needs, id: string | null): Rails | undefined =>
  id === null || id === rails.id ? rails : connections.get(id);
