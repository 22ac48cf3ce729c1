/** Endpoints for load balancers and monitors: liveness, readiness and metrics. */
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Measure, measureAll } from "../measure.ts";
import type { Services } from "../services.ts";
import { metrics, readMetrics } from "./metrics.ts";
import { isOwnHost } from "./own-host.ts";
import type { Readiness } from "./shut-down.ts";

const probe = { schema: { hide: true }, config: { isProbe: true } };

export function healthRoutes(
  app: FastifyInstance,
  services: Services,
  readiness: Readiness,
  measures: readonly Measure[] = [],
): void {
  app.get("/healthz", probe, () => ({ status: "ok" }));

  app.get("/readyz", probe, async (_request, reply) => {
    if (!readiness.accepting)
      return reply.code(503).header("retry-after", "1").send({ status: "starting or stopping" });
    await services.db.ping();
    return { status: "ready" };
  });

  app.get("/metrics", probe, async (request, reply) => {
    const { metricsToken } = services.config;
    // Without a token only this machine may read the metrics, and no page whose host name points at it.
    const allowed = metricsToken
      ? sameText(request.headers.authorization ?? "", `Bearer ${metricsToken}`)
      : isThisMachine(request) && isOwnHost(request, services.config.publicUrl);
    if (!allowed) return reply.code(404).send();
    await measureAll(services, measures);
    return reply.type(metrics.contentType).send(await readMetrics());
  });
}

/** Returns true for a call from this machine. A call that a local proxy forwards does not count. */
function isThisMachine(request: FastifyRequest): boolean {
  const forwarded = request.headers["x-forwarded-for"] ?? request.headers.forwarded;
  return forwarded === undefined && ["127.0.0.1", "::1", "::ffff:127.0.0.1"].includes(request.ip);
}

function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
