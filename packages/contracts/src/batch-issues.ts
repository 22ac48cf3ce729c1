/** The errors of a draft and their bulk correction. */
import * as z from "zod";
import { boleto } from "./boletos.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { transfer } from "./transfers.ts";
import { byId, id, issue } from "./wire.ts";

/**
 * One kind of error in a draft, with the number of rows that share it: the input of 'corrigir as 37 iguais'. For
 * boletos only the fields that can share one answer are grouped: date and description.
 */
export const issueGroup = z.object({
  issue,
  /** The cell's content, when every row of the group has the same; null when each row has its own fix. */
  given: z.string().nullable(),
  /**
   * The receiver of these payments, where an answer fits one receiver only (account, bank, document, amount …): its
   * document, else its key. Null where one answer may fit all receivers, and where each row has its own fix.
   */
  receiver: z.string().nullable(),
  count: z.int(),
  example: z.union([transfer, boleto]),
  /** Digest of the group's current payments; it changes whenever one of them changes. */
  digest: z.string(),
});

const issueGroupKey = z.object({
  code: z.string().max(60),
  field: z.string().max(60),
  given: z.string().max(500).nullable().default(null),
  receiver: z.string().max(255).nullable().default(null),
});

/** The maximum number of payments of a group that one call reviews and fixes. */
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

/**
 * Maps a field to the value that all payments get. A field that belongs to a receiver needs a group of one receiver.
 */
const fixedValues = z.record(z.string().max(40), z.string().max(255));

/** The payments that the person has seen; required where each payment takes its own proposed fix. */
const fixedIds = z.array(id).min(1).max(groupRowsMax);

export const listIssueRows = contract({
  id: "listIssueRows",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/issues/rows",
  summary: "Os primeiros pagamentos de um grupo de erros, cada um com a sua sugestão",
  policy: everyProfile,
  // An empty `given` stands for an empty cell.
  sendsEmpty: true,
  params: byId,
  query: z.object({
    code: z.string().max(60),
    field: z.string().max(60),
    given: z.string().max(500).optional(),
    receiver: z.string().max(255).optional(),
  }),
  /** `digest` covers the whole group; the fix takes it as its parameter. */
  response: z.object({
    data: z.array(z.union([transfer, boleto])).max(groupRowsMax),
    count: z.int(),
    digest: z.string(),
  }),
});

/** The digest of the group that the person saw; a group that changed meanwhile is refused (`batch_changed`). */
const seenDigest = z.string().max(64).optional();

export const fixIssueGroup = contract({
  id: "fixIssueGroup",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/issues/fix",
  summary: "Corrigir de uma vez as linhas com o mesmo erro",
  policy: adminOrOperator,
  params: byId,
  /** Fixes the named payments only, or sets one value for the whole group. */
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
