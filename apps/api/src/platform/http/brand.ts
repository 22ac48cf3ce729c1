/** Which brand an origin belongs to: a table in configuration, the default brand for any other (SHL-001). */
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

export type BrandId = "malote" | "horizonte";

export function brandOf(config: Config, request: Pick<FastifyRequest, "protocol" | "host">): BrandId {
  const origin = `${request.protocol}://${request.host}`.toLowerCase();
  return config.brands.get(origin) ?? config.brands.get(request.host.toLowerCase()) ?? "malote";
}
