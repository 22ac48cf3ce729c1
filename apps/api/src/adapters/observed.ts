/**
 * Reports every call to an external service to the operator: as a span of the calling work, in the log and in metrics.
 */
import { adapterSeconds } from "../platform/http/metrics.ts";
import type { Log } from "../platform/log.ts";
import { runOutside } from "../platform/work.ts";
import type { Ports } from "../ports/ports.ts";

export function observed(ports: Ports, log: Log): Ports {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      port instanceof Map
        ? new Map([...port].map(([id, one]) => [id, observedPort(`${name}.${id}`, one as object, log)]))
        : observedPort(name, port as object, log),
    ]),
  ) as unknown as Ports;
}

/** Ports whose empty answer means that there was no response. */
const silentPorts: ReadonlySet<string> = new Set(["accountCheck"] satisfies (keyof Ports)[]);

type Call = (...args: unknown[]) => Promise<unknown>;

function observedPort(port: string, adapter: object, log: Log): object {
  return new Proxy(adapter, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name !== "string") return value;
      return (...args: unknown[]) => call(port, name, () => (value as Call).apply(target, args));
    },
  });

  async function call(port: string, method: string, callAdapter: () => Promise<unknown>): Promise<unknown> {
    const since = performance.now();
    /** Records the result of a call without requests and answers, because they hold personal data. */
    function ended(result: "answered" | "unanswered" | "failed") {
      const ms = performance.now() - since;
      adapterSeconds.observe({ port, call: method, result }, ms / 1_000);
      return { port, call: method, ms: Math.round(ms * 10) / 10 };
    }
    try {
      const answer = await runOutside(`${port}.${method}`, callAdapter);
      const isSilent = answer === undefined && silentPorts.has(port);
      const line = ended(isSilent ? "unanswered" : "answered");
      if (isSilent) log.warn(line, "adapter did not answer");
      else log.debug(line, "adapter");
      return answer;
    } catch (error) {
      log.warn({ ...ended("failed"), err: error }, "adapter did not answer");
      throw error;
    }
  }
}
