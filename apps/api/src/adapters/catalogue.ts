/** Adapters that this version offers beside the sandbox, by the names that the environment uses. */

import type { Clock } from "../platform/clock.ts";
import type { Config } from "../platform/config.ts";
import type { Log } from "../platform/log.ts";
import {
  type AdapterChoice,
  type PortName,
  portNames,
  sandboxAdapter,
  variableOfPort,
} from "../ports/adapter-choice.ts";
import type { OpenAdapter } from "./adapters.ts";

export interface AdapterSource {
  /** Ports that it can play. */
  plays: readonly PortName[];
  /** Loads the adapter's code and returns its ports. Called once, and only where the configuration names the adapter. */
  open(needs: AdapterNeeds): Promise<OpenAdapter>;
}

export interface AdapterNeeds {
  config: Config;
  log: Log;
  clock: Clock;
}

export type Catalogue = Readonly<Record<string, AdapterSource>>;

/** An adapter for a real network is one more entry. Code is imported lazily: unused adapters cost the start nothing. */
export const catalogue: Catalogue = {
  smtp: {
    plays: ["mailer"],
    async open({ config: { smtpUrl, mailFrom } }) {
      if (!smtpUrl) throw new Error("SMTP without an address");
      const { smtpMailer } = await import("./smtp/mailer.ts");
      return { ports: { mailer: smtpMailer(smtpUrl, mailFrom) } };
    },
  },
};

/** Returns a sentence for each port whose adapter is missing, unknown, or not one of that port. */
export function adapterProblems(
  { byPort, connections }: AdapterChoice,
  isSandbox: boolean,
  available: Catalogue = catalogue,
): string[] {
  const offered = (port: PortName) => [
    ...(isSandbox ? [sandboxAdapter] : []),
    ...Object.keys(available).filter((name) => available[name]?.plays.includes(port)),
  ];
  const problems: string[] = [];
  function check(variable: string, name: string | undefined, names: readonly string[]): void {
    if (name !== undefined && names.includes(name)) return;
    const hint =
      names.length > 0 ? `use ${names.join(" ou ")}` : "esta versão não traz adaptador para este serviço";
    if (name === undefined) problems.push(`${variable} é obrigatório em produção: ${hint}`);
    else if (name === sandboxAdapter) problems.push(`${variable} não pode ser sandbox em produção: ${hint}`);
    else problems.push(`${variable} não conhece o adaptador "${name}": ${hint}`);
  }
  for (const port of portNames) check(variableOfPort[port], byPort[port], offered(port));
  for (const name of connections) check("MALOTE_CONNECTIONS", name, offered("rails"));
  const carrying = [byPort.rails, ...connections];
  const repeated = carrying.find((name, index) => carrying.indexOf(name) < index);
  if (repeated) problems.push(`MALOTE_CONNECTIONS repete "${repeated}": cada rede é uma conexão só`);
  return problems;
}
