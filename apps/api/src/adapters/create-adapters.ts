/**
 * Builds every port from the adapter that the configuration names for it; no other place does. The sandbox is loaded
 * where it exists, which is never in production.
 */
import type { Clock } from "../platform/clock.ts";
import { type Config, WrongConfiguration } from "../platform/config.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";
import type { Log } from "../platform/log.ts";
import { type PortName, sandboxAdapter, variableOfPort } from "../ports/adapter-choice.ts";
import type { Ports } from "../ports/ports.ts";
import type { Rails } from "../ports/rails.ts";
import type { Adapters, OpenAdapter } from "./adapters.ts";
import { adapterProblems, type Catalogue, catalogue } from "./catalogue.ts";
import { connectionProblems, type OpenedConnection } from "./connection-problems.ts";
import { observed } from "./observed.ts";

interface Needs {
  db: DatabaseWithSandbox;
  log: Log;
  /** Time of an installation without the sandbox, whose own clock is movable. */
  clock?: Clock;
}

const reportingPorts = ["rails", "charges", "infractions", "directory"] as const;

const realClock: Clock = { now: () => new Date() };

export async function createAdapters(
  config: Config,
  { db, log, clock: given = realClock }: Needs,
  available: Catalogue = catalogue,
): Promise<Adapters> {
  const problems = adapterProblems(config.adapters, config.sandbox, available);
  if (problems.length > 0) throw new WrongConfiguration(problems);
  const sandbox = config.sandbox
    ? (await import("./sandbox/index.ts")).createSandbox({ config, db, log })
    : undefined;
  const clock = sandbox?.clock ?? given;
  const opened = new Map<string, OpenAdapter>(sandbox && [[sandboxAdapter, sandbox]]);

  /** Returns the port as this adapter plays it. An adapter of several ports is opened once. */
  async function createPort<P extends PortName>(name: string | undefined, port: P): Promise<Ports[P]> {
    if (name === undefined) throw new Error(`no adapter of ${port}`);
    const adapter = opened.get(name) ?? (await available[name]?.open({ config, log, clock }));
    const built = adapter?.ports[port];
    if (!adapter || !built) throw new Error(`the adapter ${name} does not play ${port}`);
    opened.set(name, adapter);
    return built;
  }
  const build = <P extends PortName>(port: P) => createPort(config.adapters.byPort[port], port);

  const connections = new Map<string, Rails>();
  const ports: Ports = {
    rails: await build("rails"),
    connections,
    accountCheck: await build("accountCheck"),
    boletoRegister: await build("boletoRegister"),
    pixCodes: await build("pixCodes"),
    directory: await build("directory"),
    charges: await build("charges"),
    infractions: await build("infractions"),
    mailer: await build("mailer"),
    sms: await build("sms"),
  };
  const reporting: OpenedConnection[] = reportingPorts.map((port) => ({
    variable: variableOfPort[port],
    adapter: config.adapters.byPort[port] ?? "",
    connection: ports[port],
  }));
  for (const adapter of config.adapters.connections) {
    const rails = await createPort(adapter, "rails");
    connections.set(rails.id, rails);
    reporting.push({ variable: "MALOTE_CONNECTIONS", adapter, connection: rails });
  }
  const wrong = connectionProblems(reporting, ports.rails);
  if (wrong.length > 0) throw new WrongConfiguration(wrong);

  return {
    ports: observed(ports, log),
    clock,
    loadClock: async () => sandbox?.loadClock(),
    prepare: async () => sandbox?.prepare(),
    start(handlers, options) {
      for (const adapter of opened.values()) adapter.start?.(handlers, options);
    },
    async stop() {
      for (const adapter of opened.values()) await adapter.stop?.();
    },
    routes: (serve) => sandbox?.routes(serve),
    greeting: (url) => sandbox?.greeting(url) ?? [],
  };
}
