/** The way to the sign-in page and back: the page the person wanted, and why they have to sign in first. */

/** Why the sign-in page is shown; its sentences are there. */
export type LeaveReason = "entrar" | "inatividade" | "fim";

const neverReturnedTo = ["/auth", "/logout", "/entrar", "/acesso-negado"];

/** Only an address of this application: a link from outside must not choose where people land. */
export function safeReturnPath(text: string | null | undefined): string | undefined {
  // A backslash is a slash to browsers, and a control character nothing at all.
  if (!text || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return undefined;
  if (!URL.canParse(text, location.origin)) return undefined;
  const url = new URL(text, location.origin);
  if (url.origin !== location.origin || url.pathname.startsWith("//")) return undefined;
  if (neverReturnedTo.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`)))
    return undefined;
  return url.pathname + url.search + url.hash;
}

/** The address of the sign-in page, wherever it is, with what it has to know. */
export function signInAddress(
  loginUrl: string,
  from: string | undefined,
  reason: LeaveReason | undefined,
): string {
  const back = safeReturnPath(from);
  const query = new URLSearchParams({
    ...(back && back !== "/" && { redirectedFrom: back }),
    ...(reason && { motivo: reason }),
  }).toString();
  return query ? `${loginUrl}${loginUrl.includes("?") ? "&" : "?"}${query}` : loginUrl;
}
