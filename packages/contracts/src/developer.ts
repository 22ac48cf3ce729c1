/** Credentials with which a company's own systems call the API (DEV-004). Each application has its own credentials. */
import * as z from "zod";
import { contract } from "./contract.ts";
import { type Policy, profiles } from "./policy.ts";
import { byId, done, id, instant, lineOfText } from "./wire.ts";

/** Machine credentials may not create or end credentials, including their own (DEV-002). */
const policy = {
  access: "session",
  applications: ["payments"],
  profiles: ["admin", "operator"],
  permission: "api_credentials_generate",
  machine: false,
} as const satisfies Policy;
const ofValidation = { ...policy, applications: ["validation"] } as const satisfies Policy;

/** The maximum number of credentials of one company and application. */
export const credentialsMax = 20;

const credential = z.object({
  id,
  client_id: z.string(),
  name: z.string(),
  /** The profile of its tokens, which may not exceed the creator's. */
  profile: z.enum(profiles),
  created_at: instant,
  /** Null for the credential that came with the installation. */
  created_by: z.string().nullable(),
  last_used_at: instant.nullable(),
});
export type Credential = z.infer<typeof credential>;
const credentials = z.object({ data: z.array(credential) });

/** The secret is in this answer only (DEV-006), so the call must not be idempotent: a replay would store it. */
const createdCredential = credential.extend({ client_secret: z.string() });
export type CreatedCredential = z.infer<typeof createdCredential>;

/** A credential without a name is named after the day of its creation. */
const newCredential = z.object({ name: lineOfText().min(1).max(60).optional() });

const path = "/app/settings/credentials";
const pathOfOne = "/app/settings/credentials/:id";

export const listCredentials = contract({
  id: "listCredentials",
  base: "payments",
  method: "GET",
  path,
  summary: "Credenciais de API em uso",
  policy,
  response: credentials,
});

export const createCredential = contract({
  id: "createCredential",
  base: "payments",
  method: "POST",
  path,
  summary: "Gerar uma credencial de API; o segredo só aparece nesta resposta",
  policy,
  body: newCredential,
  response: createdCredential,
});

export const revokeCredential = contract({
  id: "revokeCredential",
  base: "payments",
  method: "DELETE",
  path: pathOfOne,
  summary: "Revogar uma credencial de API; os tokens dela deixam de valer na hora",
  policy,
  params: byId,
  response: done,
});

export const listValidationCredentials = contract({
  id: "listValidationCredentials",
  base: "contacerta",
  method: "GET",
  path,
  summary: "Credenciais de API em uso na ContaCerta",
  policy: ofValidation,
  response: credentials,
});

export const createValidationCredential = contract({
  id: "createValidationCredential",
  base: "contacerta",
  method: "POST",
  path,
  summary: "Gerar uma credencial de API da ContaCerta; o segredo só aparece nesta resposta",
  policy: ofValidation,
  body: newCredential,
  response: createdCredential,
});

export const revokeValidationCredential = contract({
  id: "revokeValidationCredential",
  base: "contacerta",
  method: "DELETE",
  path: pathOfOne,
  summary: "Revogar uma credencial de API da ContaCerta; os tokens dela deixam de valer na hora",
  policy: ofValidation,
  params: byId,
  response: done,
});
