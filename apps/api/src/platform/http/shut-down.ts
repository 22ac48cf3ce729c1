/** Stops a web process without a lost request: every accepted request gets its answer. */
import type { FastifyInstance } from "fastify";

/** Whether this process wants more work; what /readyz answers. */
export interface Readiness {
  accepting: boolean;
}

const idleEveryMs = 20;

/**
 * First /readyz refuses, while calls are still answered; each answer also ends its connection, so that the next
 * request comes by a new one and goes elsewhere. After the time that load balancers need, the server stops listening,
 * and running calls are answered.
 */
export async function shutDownServer(
  app: FastifyInstance,
  readiness: Readiness,
  noticed: Promise<unknown>,
): Promise<void> {
  readiness.accepting = false;
  await noticed;
  // An answer begun before all this left its connection open, and its client may keep it so for a minute.
  const idle = setInterval(() => app.server.closeIdleConnections(), idleEveryMs);
  await app.close().finally(() => clearInterval(idle));
}

export function endConnectionsWhenClosing(app: FastifyInstance, readiness: Readiness): void {
  app.addHook("onRequest", async (_request, reply) => {
    if (!readiness.accepting) reply.header("connection", "close");
  });
}
