/** The product's calls on a server: who calls, the code they give, the routes of every feature, and where networks call. */
import type { FastifyInstance } from "fastify";
import { webhookRoutes } from "./payments/index.ts";
import { createServe, type Serve, type ServeOptions } from "./platform/http/serve.ts";
import type { Services } from "./platform/services.ts";
import { features } from "./registry.ts";
import { createAuthenticate, createReadCode } from "./session/index.ts";

/** The one way from a server to the product, for the process, tests, proofs and benches. */
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
  webhookRoutes(server, services);
  return serve;
}
