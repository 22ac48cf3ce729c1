/** The brand of an origin: a table in configuration, the default brand for any other (SHL-001). */
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

export type BrandId = "malote" | "horizonte";

export function brandOf(config: Config, request: Pick<FastifyRequest, "protocol" | "host">): BrandId {
  const origin = `${request.protocol}://${request.host}`.toLowerCase();
  const host = request.host.toLowerCase();
  return (
    config.brands.get(origin) ?? config.brands.get(host) ?? (isDemoOf(config, host) ? "horizonte" : "malote")
  );
}

/** Browsers resolve every name under localhost to the same machine, so the white-label brand needs no set-up. */
function isDemoOf(config: Config, host: string): boolean {
  return config.sandbox && /^horizonte\.localhost(:\d+)?$/.test(host);
}

/** The address of a brand: the configured one, else the one public address. */
export function originOf(config: Config, brand: BrandId): string {
  for (const [origin, id] of config.brands) if (id === brand && /^https?:/.test(origin)) return origin;
  const isDemo = config.sandbox && brand === "horizonte";
  const named = new URL(config.publicUrl);
  if (isDemo && named.hostname === "localhost") named.hostname = "horizonte.localhost";
  return named.href.replace(/\/$/, "");
}
