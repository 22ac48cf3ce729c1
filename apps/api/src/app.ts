/** Registers all routes of the product on one server. */

import type { FastifyInstance } from "fastify";
import type { Adapters } from "./adapters/adapters.ts";
import { assemble } from "./assemble.ts";
import { developerRoutes } from "./developer/index.ts";
import { healthRoutes } from "./platform/http/health.ts";
import { servePages } from "./platform/http/pages.ts";
import { createServer } from "./platform/http/server.ts";
import { endConnectionsWhenClosing, type Readiness } from "./platform/http/shut-down.ts";
import type { Services } from "./platform/services.ts";
import { measures } from "./registry.ts";

export async function buildApp(
  services: Services,
  { routes }: Pick<Adapters, "routes">,
  readiness: Readiness,
): Promise<FastifyInstance> {
  const app = await createServer(services);
  await developerRoutes(app, services.config.sandbox);
  endConnectionsWhenClosing(app, readiness);
  healthRoutes(app, services, readiness, measures);
  routes(assemble(app, services, { publicUrl: services.config.publicUrl }));
  await servePages(app, services);
  return app;
}
