/** The one key under which a browser keeps its token (SES-031). */
export const tokenStorageKey = "malote.token";
