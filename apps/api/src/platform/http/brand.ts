/** Maps an origin to its brand by a table in the configuration; any other origin gets the default brand (SHL-001). */
import type { BrandId } from "@malote/domain/brands";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

export function brandOf(config: Config, request: Pick<FastifyRequest, "protocol" | "host">): BrandId {
  const origin = `${request.protocol}://${request.host}`.toLowerCase();
  const host = request.host.toLowerCase();
  return (
    config.brands.get(origin) ?? config.brands.get(host) ?? (isDemoOf(config, host) ? "horizonte" : "malote")
  );
}

/**
 * Returns true for a demo host name. Browsers resolve every name under localhost to the local machine, so the
 * white-label brand needs no set-up.
 */
function isDemoOf(config: Config, host: string): boolean {
  return config.sandbox && /^horizonte\.localhost(:\d+)?$/.test(host);
}

/** Returns the configured address of a brand, or else the public address. */
export function originOf(config: Config, brand: BrandId): string {
  for (const [origin, id] of config.brands) if (id === brand && /^https?:/.test(origin)) return origin;
  const isDemo = config.sandbox && brand === "horizonte";
  const named = new URL(config.publicUrl);
  if (isDemo && named.hostname === "localhost") named.hostname = "horizonte.localhost";
  return named.href.replace(/\/$/, "");
}
