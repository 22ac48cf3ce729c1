/** Every call to the outside as whoever runs the installation sees it: as a span of the work that makes it, and in the log. */
import type { Log } from "../platform/log.ts";
import { callingOut } from "../platform/work.ts";
import type { Ports } from "../ports/ports.ts";

export function observed(ports: Ports, log: Log): Ports {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, observedPort(name, port as object, log)]),
  ) as unknown as Ports;
}

type Call = (...args: unknown[]) => Promise<unknown>;

function observedPort(port: string, adapter: object, log: Log): object {
  return new Proxy(adapter, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name !== "string") return value;
      return (...args: unknown[]) => call(port, name, () => (value as Call).apply(target, args));
    },
  });

  async function call(port: string, method: string, ask: () => Promise<unknown>): Promise<unknown> {
    const since = performance.now();
    // What was asked and answered is somebody's data and stays out.
    const line = () => ({ port, call: method, ms: Math.round((performance.now() - since) * 10) / 10 });
    try {
      const answer = await callingOut(`${port}.${method}`, ask);
      log.debug(line(), "adapter");
      return answer;
    } catch (error) {
      log.info({ ...line(), err: error }, "adapter did not answer");
      throw error;
    }
  }
}
