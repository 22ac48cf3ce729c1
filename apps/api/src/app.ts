/** Every route of the product on one server. */

import type { FastifyInstance } from "fastify";
import type { Adapters } from "./adapters/create-adapters.ts";
import { developerRoutes } from "./developer/reference.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { servePages } from "./platform/http/pages.ts";
import { createServe } from "./platform/http/serve.ts";
import { createServer } from "./platform/http/server.ts";
import { endConnectionsWhenClosing, type Readiness } from "./platform/http/shut-down.ts";
import type { Services } from "./platform/services.ts";
import { features, measures } from "./registry.ts";
import { createAuthenticate, createReadCode } from "./session/index.ts";

export async function buildApp(
  services: Services,
  { routes }: Pick<Adapters, "routes">,
  readiness: Readiness,
): Promise<FastifyInstance> {
  const app = await createServer(services);
  await developerRoutes(app, services.config.sandbox);
  const serve = createServe(app, {
    db: services.db,
    clock: services.clock,
    authenticate: createAuthenticate(services),
    readCode: createReadCode(services),
    sandbox: services.config.sandbox,
    publicUrl: services.config.publicUrl,
  });
  endConnectionsWhenClosing(app, readiness);
  healthRoutes(app, services, readiness, measures);
  for (const feature of features) feature.routes?.(serve, services);
  routes(serve);
  await servePages(app, services);
  return app;
}
