/** Address of the sign-in page and of the return: the page the person wanted, and why they have to sign in first. */

/** Why the sign-in page is shown; that page has the sentences. */
export type LeaveReason = "entrar" | "inatividade" | "fim";

const neverReturnedTo = ["/auth", "/logout", "/entrar", "/acesso-negado"];

/** Accepts only an address of this application, because a link from outside must not choose where people land. */
export function safeReturnPath(text: string | null | undefined): string | undefined {
  // Browsers read a backslash as a slash, and drop control characters.
  if (!text || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return undefined;
  if (!URL.canParse(text, location.origin)) return undefined;
  const url = new URL(text, location.origin);
  if (url.origin !== location.origin || url.pathname.startsWith("//")) return undefined;
  if (neverReturnedTo.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`)))
    return undefined;
  return url.pathname + url.search + url.hash;
}

/** Returns the address of the sign-in page, with the return address and the reason. */
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
