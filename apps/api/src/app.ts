/** Every route of the product on one server. */

import type { FastifyInstance } from "fastify";
import type { Adapters } from "./adapters/create-adapters.ts";
import { developerRoutes } from "./developer/reference.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { servePages } from "./platform/http/pages.ts";
import { createServe } from "./platform/http/serve.ts";
import { createServer } from "./platform/http/server.ts";
import { endConnectionsWhenClosing, type Readiness } from "./platform/http/shut-down.ts";
import type { Parts } from "./platform/parts.ts";
import { features, measures } from "./registry.ts";
import { createAuthenticate, createReadCode } from "./session/index.ts";

export async function buildApp(
  parts: Parts,
  { routes }: Pick<Adapters, "routes">,
  readiness: Readiness,
): Promise<FastifyInstance> {
  const app = await createServer(parts);
  await developerRoutes(app, parts.config.sandbox);
  const serve = createServe(app, {
    db: parts.db,
    clock: parts.clock,
    authenticate: createAuthenticate(parts),
    readCode: createReadCode(parts),
    sandbox: parts.config.sandbox,
    publicUrl: parts.config.publicUrl,
  });
  endConnectionsWhenClosing(app, readiness);
  healthRoutes(app, parts, readiness, measures);
  for (const feature of features) feature.routes?.(serve, parts);
  routes(serve, parts);
  await servePages(app, parts);
  return app;
}
