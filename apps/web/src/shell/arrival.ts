import { applications } from "@malote/contracts/policy";
import { safeReturnPath } from "./return-address.ts";
import { batchAddress } from "./routes.ts";
import { decodeToken, type Session } from "./session.ts";

/** Token of the address that asks the next page to open something, used once (SES-027, BAT-023). */
export interface OpenBatchToken {
  kind: "openBatch";
  id: string;
}

/** Reads a modalToken: JSON, plain or base64, of a known kind. Anything else counts as none. */
export function readModalToken(text: string | null | undefined): OpenBatchToken | undefined {
  if (!text) return undefined;
  for (const candidate of [text, decodeBase64(text)]) {
    try {
      const content = JSON.parse(candidate ?? "") as Partial<OpenBatchToken>;
      const isId = /^[0-9a-f-]{36}$/i.test(String(content.id));
      if (content.kind === "openBatch" && isId) return { kind: "openBatch", id: String(content.id) };
    } catch {
      // The text does not use this encoding.
    }
  }
  return undefined;
}

function decodeBase64(text: string): string | undefined {
  try {
    return atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  } catch {
    return undefined;
  }
}

export type Arrival =
  | { kind: "no_token" }
  | { kind: "unknown_application" }
  | { kind: "arrived"; token: string; goTo: string };

interface ArrivalFacts {
  query: URLSearchParams;
  cookieToken: string | undefined;
  homePathOf: (session: Session) => string;
  securityPath: string | undefined;
}

/**
 * Pure: decides what `/auth` does with its parameters (SES-025 to SES-030). The query takes precedence over the cookie.
 * A person who must first pass the security page continues to the page they wanted to open.
 */
export function decideArrival({ query, cookieToken, homePathOf, securityPath }: ArrivalFacts): Arrival {
  const token = query.get("token") || cookieToken;
  const session = token ? decodeToken(token) : undefined;
  if (!token || !session) return { kind: "no_token" };
  if (!applications.some((known) => known === session.application?.id))
    return { kind: "unknown_application" };
  const modal = readModalToken(query.get("modalToken"));
  // A batch is passed on by its own address, which redirects on the way keep.
  const wanted = modal ? batchAddress(modal.id) : safeReturnPath(query.get("redirectedFrom"));
  if (session.profile === "admin" && !session.two_factor?.enabled && securityPath) {
    const on = wanted ? `?${new URLSearchParams({ redirectedFrom: wanted })}` : "";
    return { kind: "arrived", token, goTo: securityPath + on };
  }
  return { kind: "arrived", token, goTo: wanted ?? homePathOf(session) };
}

/** Cookie that some login sites use instead of the query; the installation configures its name (SES-025). */
export function tokenCookie(name: string): string | undefined {
  const pair = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  try {
    return pair && decodeURIComponent(pair.slice(name.length + 1));
  } catch {
    // A cookie that is no encoded text holds no token, and the arrival ends as without one (SES-028).
    return undefined;
  }
}
