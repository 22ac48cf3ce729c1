/**
 * Assembles the product's calls on a server: authentication, second-factor codes, the routes of every feature, and the
 * webhooks of networks.
 */
import type { FastifyInstance } from "fastify";
import { webhookRoutes } from "./payments/index.ts";
import { createServe, type Serve, type ServeOptions } from "./platform/http/serve.ts";
import type { Services } from "./platform/services.ts";
import { features } from "./registry.ts";
import { reportHandlers } from "./report-handlers.ts";
import { createAuthenticate, createReadCode } from "./session/index.ts";

/** Registers the product on a server. The process, tests, proofs and benchmarks all use this function. */
export function assemble(
  server: FastifyInstance,
  services: Services,
  options: Partial<Pick<ServeOptions, "authenticate" | "publicUrl">> = {},
): Serve {
  const serve = createServe(server, {
    db: services.db,
    clock: services.clock,
    authenticate: createAuthenticate(services),
    readCode: createReadCode(services),
    sandbox: services.config.sandbox,
    ...options,
  });
  for (const feature of features) feature.routes?.(serve, services);
  webhookRoutes(server, services, reportHandlers);
  return serve;
}
