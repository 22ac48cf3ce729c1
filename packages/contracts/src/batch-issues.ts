/** The errors in a draft, and how they are corrected many at a time. */
import * as z from "zod";
import { billet } from "./boletos.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { transfer } from "./transfers.ts";
import { byId, id, issue } from "./wire.ts";

/**
 * One kind of error in a draft, with the number of rows that share it: what 'corrigir as 37 iguais' corrects. Of
 * boletos only fields with one possible answer are grouped, the day and the description.
 */
export const issueGroup = z.object({
  issue,
  /** The cell's content, when every row of the group has the same; null when each row has its own fix. */
  given: z.string().nullable(),
  /**
   * The receiver of these payments, where an answer is right for one receiver only (account, bank, document, amount
   * …): its document, else its key. Null where it can be right for all, and where each row has its own fix.
   */
  receiver: z.string().nullable(),
  count: z.int(),
  example: z.union([transfer, billet]),
  /** Of the group's payments as they are now: it changes when one of them is changed. */
  digest: z.string(),
});

const issueGroupKey = z.object({
  code: z.string().max(60),
  field: z.string().max(60),
  given: z.string().max(500).nullable().default(null),
  receiver: z.string().max(255).nullable().default(null),
});

/** Payments of a group that are reviewed and fixed at once. */
const groupRowsMax = 200;

export const listIssueGroups = contract({
  id: "listIssueGroups",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/issues",
  summary: "Erros do rascunho agrupados pelos que se corrigem juntos",
  policy: everyProfile,
  params: byId,
  response: z.object({ data: z.array(issueGroup), rows_count: z.int() }),
});

/** Field → value for all of them. One that belongs to a receiver needs the group of one receiver. */
const fixedValues = z.record(z.string().max(40), z.string().max(255));

/** Required where each payment takes its own proposed fix: the caller names the payments that the person has seen. */
const fixedIds = z.array(id).min(1).max(groupRowsMax);

export const listIssueRows = contract({
  id: "listIssueRows",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/issues/rows",
  summary: "Os primeiros pagamentos de um grupo de erros, cada um com a sua sugestão",
  policy: everyProfile,
  // Of an empty cell `given` is the empty text.
  sendsEmpty: true,
  params: byId,
  query: z.object({
    code: z.string().max(60),
    field: z.string().max(60),
    given: z.string().max(500).optional(),
    receiver: z.string().max(255).optional(),
  }),
  /** `digest`: of all of the group, as its fix takes it. */
  response: z.object({
    data: z.array(z.union([transfer, billet])).max(groupRowsMax),
    count: z.int(),
    digest: z.string(),
  }),
});

/** Of the group as the person saw it: a group that changed since is refused (`batch_changed`). */
const seenDigest = z.string().max(64).optional();

export const fixIssueGroup = contract({
  id: "fixIssueGroup",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/issues/fix",
  summary: "Corrigir de uma vez as linhas com o mesmo erro",
  policy: adminOrOperator,
  params: byId,
  /** Only of the payments named, or one value for all of the group. */
  body: z.union([
    issueGroupKey.extend({ ids: fixedIds, set: fixedValues.optional(), digest: seenDigest }),
    issueGroupKey.extend({ ids: fixedIds.optional(), set: fixedValues.optional(), digest: seenDigest }),
  ]),
  response: z.object({ fixed: z.int(), still_wrong: z.int() }),
});

export const downloadBadRows = contract({
  id: "downloadBadRows",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/badRows",
  summary: "Baixar só as linhas com erro, com o motivo",
  policy: everyProfile,
  params: byId,
  query: z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") }),
  transport: "file",
  response: z.any(),
});
