/** The company's audit trail, as its admins read it (decision 0041). */
import { auditActionNames, auditObjectNames } from "@malote/domain/audit-trail";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, type Policy } from "./policy.ts";
import { byId, date, id, instant } from "./wire.ts";

/** Machine credentials may not read the audit trail. */
const policy = { ...adminOnly, machine: false } as const satisfies Policy;

export const auditActorKinds = ["user", "machine", "system"] as const;

const filters = {
  /** The id of a person or a credential, or `system` for Malote and `operator` for the installation's operator. */
  actor_id: z.union([id, z.enum(["system", "operator"])]).optional(),
  action: z.enum(auditActionNames).optional(),
  /** The kind of object an entry is about: batches, users, limits. */
  object: z.enum(auditObjectNames).optional(),
  /** The full id of the object. */
  subject_id: id.optional(),
  /** Days in São Paulo, both included. */
  from: date.optional(),
  until: date.optional(),
};
export type AuditTrailFilters = z.infer<z.ZodObject<typeof filters>>;

export const auditEntry = z.object({
  id,
  /** Position in the company's chain: 1, 2, 3, without gaps. */
  seq: z.int(),
  at: instant,
  actor: z.object({ kind: z.enum(auditActorKinds), name: z.string() }),
  /** A code of the catalogue, or an unknown code that an older version wrote. */
  action: z.string(),
  object: z.enum(auditObjectNames).nullable(),
  subject_id: z.string().nullable(),
  /** The object's name, where known: a batch keeps its name after it is deleted. */
  subject_name: z.string().nullable(),
  /** The value before and after the change; null where the field was or became empty. */
  changes: z.array(z.object({ label: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  request_id: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const listAuditTrail = contract({
  id: "listAuditTrail",
  base: "payments",
  method: "GET",
  path: "/app/audit_trail",
  summary: "Trilha de auditoria da empresa, da entrada mais nova à mais antiga",
  policy,
  query: z.object({ ...filters, page_cursor: z.string().max(200).optional() }),
  response: z.object({
    items: z.array(auditEntry),
    meta: z.object({ next: z.string().nullable(), previous: z.string().nullable() }),
  }),
});

export const listAuditActors = contract({
  id: "listAuditActors",
  base: "payments",
  method: "GET",
  path: "/app/audit_trail/actors",
  summary: "Pessoas e credenciais, também as que saíram, para filtrar a trilha de auditoria",
  policy,
  response: z.object({
    data: z.array(z.object({ id, kind: z.enum(["user", "machine"]), name: z.string() })),
  }),
});

export const exportAuditTrail = contract({
  id: "exportAuditTrail",
  base: "payments",
  method: "POST",
  path: "/app/audit_trail/exports",
  summary: "Pedir a trilha de auditoria em uma planilha (CSV), com os filtros da lista",
  policy,
  body: z.object(filters),
  response: z.object({ id }),
});

export const readAuditTrailExport = contract({
  id: "readAuditTrailExport",
  base: "payments",
  method: "GET",
  path: "/app/audit_trail/exports/:id",
  summary: "Dizer se a planilha da trilha de auditoria está pronta, e onde",
  policy,
  params: byId,
  response: z.object({ link: z.string().nullable(), filename: z.string().nullable() }),
});

export const downloadAuditTrail = contract({
  id: "downloadAuditTrail",
  base: "payments",
  method: "GET",
  path: "/app/audit_trail/exports/:id/file",
  summary: "Baixar a planilha da trilha de auditoria (CSV), com o elo de cada entrada na corrente",
  policy,
  params: byId,
  transport: "file",
  response: z.any(),
});
