import type { TokenContent } from "@malote/contracts/session";

const base64 = (content: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(content))))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

export const payments = { id: "payments", name: "Pagamentos" } as const;
export const validation = { id: "validation", name: "ContaCerta" } as const;

/** Content of a valid token; a test sets only the fields it is about. */
export function buildSession(given: Partial<TokenContent> = {}): TokenContent {
  const now = Math.floor(Date.now() / 1000);
  return {
    sub: "0198f000-0000-7000-8000-000000000001",
    sid: "0198f000-0000-7000-8000-000000000002",
    jti: "0198f000-0000-7000-8000-000000000003",
    kind: "user",
    name: "Helena Prado",
    email: "helena@aurora.exemplo",
    company: {
      id: "0198f000-0000-7000-8000-000000000004",
      name: "Aurora Comércio",
      cpfCnpj: "12ABC34501DE35",
      acceptedContract: true,
    },
    profile: "admin",
    application: payments,
    allowed_applications: [payments],
    feature_flags: [],
    permissions: ["all"],
    two_factor: { enabled: false, enforced: false },
    iat: now,
    exp: now + 1800,
    ...given,
  };
}

export function buildToken(given: Partial<TokenContent> = {}): string {
  return `${base64({ alg: "EdDSA" })}.${base64(buildSession(given))}.signature`;
}
