import type { FastifyRequest } from "fastify";

const localName = /^(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Whether every host name in the request is one of ours: a stranger's page can point a name of its own at this
 * machine, and its script may write `X-Forwarded-Host` freely, which not every proxy removes.
 */
export function isOwnHost({ raw }: FastifyRequest, publicUrl: string | undefined): boolean {
  const ownHost = publicUrl ? new URL(publicUrl).host : undefined;
  const forwarded = raw.headers["x-forwarded-host"] ?? [];
  const names = [raw.headers.host ?? "", ...[forwarded].flat().flatMap((given) => given.split(","))];
  return names.every((name) => localName.test(name.trim()) || name.trim() === ownHost);
}
