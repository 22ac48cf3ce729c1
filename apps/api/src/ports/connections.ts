/** Finds connections by the ids in rows: the networks that carry payments, and every service that reports. */
import type { Connection } from "./connection.ts";
import type { Ports } from "./ports.ts";
import type { RailReport, Rails } from "./rails.ts";

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

/** Returns whether the network carries payments of this method. */
export const carries = ({ methods }: Rails, method: string): boolean => methods.some((one) => one === method);

/** Ports that report. */
export type ReportingPorts = Pick<Ports, "rails" | "connections" | "charges" | "infractions" | "directory">;

/** Connection of a port, with the port that its reports are of. One service may play several ports under one id. */
export type Reporting =
  | { port: "rails" | "charges"; connection: Connection<RailReport> }
  | { port: "infractions" | "directory"; connection: Connection<unknown> };

export const reportingConnections = (ports: ReportingPorts): readonly Reporting[] => [
  ...allConnections(ports).map((connection) => ({ port: "rails", connection }) as const),
  { port: "charges", connection: ports.charges },
  { port: "infractions", connection: ports.infractions },
  { port: "directory", connection: ports.directory },
];

/** Returns the ids of all services that report, each once. */
export const reportingIds = (ports: ReportingPorts): readonly string[] => [
  ...new Set(reportingConnections(ports).map(({ connection }) => connection.id)),
];

/** Returns what this service reports by calls or in files; undefined when it does not report in this way. */
export const reportingBy = (
  ports: ReportingPorts,
  id: string,
  feed: "webhook" | "file",
): Reporting | undefined =>
  reportingConnections(ports).find(({ connection }) => connection.id === id && connection[feed]);
