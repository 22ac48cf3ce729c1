/** The only key under which a browser stores its token (SES-031). */
export const tokenStorageKey = "malote.token";
