/**
 * A name for the browser, given at a sign-in and sent with the next one (decision 0028). It grants no access: it only
 * distinguishes a known browser from a stranger's, so that strangers' tries do not count against it.
 */
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const cookieName = "malote_device";
const pattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{22})(?:;|$)`);
/** As long as browsers keep any. */
const keptSeconds = 400 * 86_400;

/** The name that the browser sent, or a new one. */
export function deviceOf({ headers }: FastifyRequest): { device: string; isNew: boolean } {
  const given = pattern.exec(headers.cookie ?? "")?.[1];
  return { device: given ?? randomBytes(16).toString("base64url"), isNew: given === undefined };
}

/** Read by no script, and sent to the calls of signing in alone. */
export function giveDevice(request: FastifyRequest, reply: FastifyReply, device: string): void {
  const secure = request.protocol === "https" ? "; Secure" : "";
  reply.header(
    "set-cookie",
    `${cookieName}=${device}; Path=/api/login; Max-Age=${keptSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
