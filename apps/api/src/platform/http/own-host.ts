import type { FastifyRequest } from "fastify";

const localName = /^(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Returns true when every host name in the request is ours: an attacker's page can point its own host name at this
 * machine, and its script can set `X-Forwarded-Host`, which not every proxy removes.
 */
export function isOwnHost({ raw }: FastifyRequest, publicUrl: string | undefined): boolean {
  const ownHost = publicUrl ? new URL(publicUrl).host : undefined;
  const forwarded = raw.headers["x-forwarded-host"] ?? [];
  const names = [raw.headers.host ?? "", ...[forwarded].flat().flatMap((given) => given.split(","))];
  return names.every((name) => localName.test(name.trim()) || name.trim() === ownHost);
}
