/**
 * Name of the browser, set at a sign-in and sent with the next one (decision 0028). It grants no access; it only
 * distinguishes a known browser, so that strangers' tries do not count against it. If the user wishes, a second cookie
 * proves that the browser gave the code of the second factor (decision 0058).
 */

import { randomBytes } from "node:crypto";
import { rememberedDays } from "@malote/contracts/session";
import { daySeconds } from "@malote/domain/durations";
import type { FastifyReply, FastifyRequest } from "fastify";

const cookieName = "malote_device";
const pattern = new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{22})(?:;|$)`);
/** Longest time for which browsers store a cookie. */
const keptSeconds = 400 * daySeconds;

/** Returns the name that the browser sent, or a new one. */
export function deviceOf({ headers }: FastifyRequest): { device: string; isNew: boolean } {
  const given = pattern.exec(headers.cookie ?? "")?.[1];
  return { device: given ?? randomBytes(16).toString("base64url"), isNew: given === undefined };
}

const rememberedName = "malote_remembered";
const rememberedPattern = new RegExp(`(?:^|;\\s*)${rememberedName}=([\\w.-]{1,2000})(?:;|$)`);

export const rememberedOf = ({ headers }: FastifyRequest): string | undefined =>
  rememberedPattern.exec(headers.cookie ?? "")?.[1];

export const setDeviceCookie = (request: FastifyRequest, reply: FastifyReply, device: string): void =>
  setCookie(request, reply, { name: cookieName, value: device, seconds: keptSeconds });

export const setRememberedCookie = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
  setCookie(request, reply, { name: rememberedName, value: token, seconds: rememberedDays * daySeconds });

interface Cookie {
  name: string;
  value: string;
  seconds: number;
}

/** Sets a cookie that scripts cannot read and that only the sign-in calls receive. */
function setCookie(request: FastifyRequest, reply: FastifyReply, { name, value, seconds }: Cookie): void {
  const secure = request.protocol === "https" ? "; Secure" : "";
  reply.header(
    "set-cookie",
    `${name}=${value}; Path=/api/login; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
