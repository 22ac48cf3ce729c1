/** Approval rules for outgoing money, and the pending approval requests. */
import { approversMax, bandsMax, quarantineHoursMax, requestKinds } from "@malote/domain/controls";
import * as z from "zod";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOnly, adminOrOperator, type Policy } from "./policy.ts";
import { byId, centavos, id, instant } from "./wire.ts";

/** Machine credentials may not read, change or approve controls. */
const adminInPerson = { ...adminOnly, machine: false } as const satisfies Policy;
const personWhoPays = { ...adminOrOperator, machine: false } as const satisfies Policy;

export const controlPolicy = z.object({
  /** 'Exigir aprovação por outra pessoa' (ruling D21). */
  requires_other_approver: z.boolean(),
  /** The number of approvers besides the preparers from each amount on; the first band starts at zero. */
  bands: z
    .array(z.object({ from: centavos.min(0), approvers: z.int().min(0).max(approversMax) }))
    .min(1)
    .max(bandsMax),
  /** Operators who may approve in addition to the admins. */
  operator_approvers: z.array(id).max(50),
  /** The amount from which an approval needs the code of the second factor; null: never. */
  step_up_from: centavos.min(0).nullable(),
  operators_may_withdraw: z.boolean(),
  operators_may_correct: z.boolean(),
  operators_may_give_back: z.boolean(),
  quarantine_hours: z.int().min(0).max(quarantineHoursMax),
});
export type ControlPolicyOnWire = z.infer<typeof controlPolicy>;

/** Each changed line in words: before → after. */
const changes = z.array(z.object({ label: z.string(), value: z.string() }));

export const readControls = contract({
  id: "readControls",
  base: "payments",
  method: "GET",
  path: "/app/controls",
  summary: "Controles da empresa: quem precisa aprovar o dinheiro que sai",
  policy: adminInPerson,
  response: z.object({
    /** The version last saved; a change names the version it was made from. */
    version: z.int(),
    policy: controlPolicy,
    /** A saved policy that takes effect at `in_force_at`. */
    later: z.object({ policy: controlPolicy, in_force_at: instant, changes }).nullable(),
    people: z.array(
      z.object({ id, name: z.string(), profile: z.enum(["admin", "operator"]), has_factor: z.boolean() }),
    ),
    history: z.array(
      z.object({
        version: z.int(),
        policy: controlPolicy,
        made_at: instant,
        made_by: z.string(),
        approved_by: z.string().nullable(),
        in_force_at: instant,
        /** Empty where the previous policy is unknown. */
        changes,
      }),
    ),
  }),
});
export type Controls = z.infer<typeof readControls.response>;

export const saveControls = contract({
  id: "saveControls",
  base: "payments",
  method: "PUT",
  path: "/app/controls",
  summary: "Mudar os controles: com outro administrador, depois da aprovação dele",
  policy: adminInPerson,
  stepUp: true,
  body: z.object({ version: z.int().min(0), policy: controlPolicy }),
  response: z.object({
    outcome: z.enum(["in_force", "later", "waits_for_approval"]),
    in_force_at: instant.nullable(),
  }),
});

export const approvalRequest = z.object({
  id,
  kind: z.enum(requestKinds),
  /** The requested action, in words with the number of its payments. */
  title: z.string(),
  /** `obsolete`: its payments are no longer failed, so there is nothing to decide. */
  status: z.enum(["pending", "approved", "rejected", "cancelled", "expired", "obsolete"]),
  amount: centavos.nullable(),
  /** Facts about the request, in words. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** Digest of the content to approve; the approval sends it back. */
  digest: z.string(),
  requested_by: z.string(),
  /** The address identifies the person, because people choose their names themselves. Null for a credential. */
  requested_by_email: z.string().nullable(),
  is_own: z.boolean(),
  created_at: instant,
  expires_at: instant,
  decided_at: instant.nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
  approvals: z.array(z.object({ name: z.string(), at: instant })),
  missing: z.int(),
  may_approve: z.boolean(),
  /** The reason why the caller may not approve. */
  why_not: z.string().nullable(),
  asks_for_code: z.boolean(),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

export const listApprovalRequests = contract({
  id: "listApprovalRequests",
  base: "payments",
  method: "GET",
  path: "/app/approvals",
  summary: "Pedidos que aguardam aprovação e os últimos decididos",
  policy: personWhoPays,
  /** `open_count` counts all pending requests; `data` lists the oldest. */
  response: z.object({ data: z.array(approvalRequest), open_count: z.int() }),
});

export const countApprovalRequests = contract({
  id: "countApprovalRequests",
  base: "payments",
  method: "GET",
  path: "/app/approvals/count",
  summary: "Quantos pedidos aguardam a aprovação de quem pergunta, até 100",
  policy: personWhoPays,
  response: z.object({ count: z.int() }),
});

export const approveRequest = contract({
  id: "approveRequest",
  base: "payments",
  method: "POST",
  path: "/app/approvals/:id/approve",
  summary: "Aprovar um pedido: a última aprovação que falta o executa",
  policy: personWhoPays,
  idempotent: true,
  stepUp: true,
  params: byId,
  /** `confirmations` confirms findings that are newer than the request. */
  body: z.object({ digest: z.string().max(64), confirmations: confirmations.optional() }),
  response: z.object({ status: z.enum(["approved", "pending"]), missing: z.int() }),
});

export const rejectRequest = contract({
  id: "rejectRequest",
  base: "payments",
  method: "POST",
  path: "/app/approvals/:id/reject",
  summary: "Recusar um pedido, ou desistir do próprio",
  policy: personWhoPays,
  params: byId,
  body: z.object({ reason: z.string().trim().max(255).optional() }),
  response: z.object({ status: z.enum(["rejected", "cancelled"]) }),
});
