/** Graceful shutdown of a web process: every accepted request gets its answer. */
import type { FastifyInstance } from "fastify";

/** True while the process accepts more work, as /readyz reports. */
export interface Readiness {
  accepting: boolean;
}

const idleEveryMs = 20;

/**
 * Shuts a server down. First /readyz refuses while calls are still answered; each answer closes its connection, so that
 * the next request goes to another process. After the time that load balancers need, the server stops listening and
 * answers running calls.
 */
export async function shutDownServer(
  app: FastifyInstance,
  readiness: Readiness,
  noticed: Promise<unknown>,
): Promise<void> {
  readiness.accepting = false;
  await noticed;
  // Earlier answers left their connections open, and clients may keep them for a minute.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleEveryMs);
  await app.close().finally(() => clearInterval(idle));
}

export function endConnectionsWhenClosing(app: FastifyInstance, readiness: Readiness): void {
  app.addHook("onRequest", async (_request, reply) => {
    if (!readiness.accepting) reply.header("connection", "close");
  });
}
