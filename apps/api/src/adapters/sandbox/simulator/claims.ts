/**
 * Simulator calls for other institutions in the Pix directory: they claim keys of our companies and answer our claims.
 */
import type { ResponseOf } from "@malote/contracts/contract";
import type { answerClaim, listDirectory, raiseClaim } from "@malote/contracts/simulator";
import { claimKinds, mayBeMoved } from "@malote/domain/own-pix-key";
import { AppError } from "../../../platform/app-error.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Call } from "../../../platform/http/serve.ts";
import type { Outside, SandboxDirectory } from "../directory/index.ts";
import { listTexts } from "../sms.ts";
import { registeredForms } from "./key-forms.ts";

export async function list(
  db: DatabaseWithSandbox,
  directory: SandboxDirectory,
): Promise<ResponseOf<typeof listDirectory>> {
  const entries = await directory.entries();
  return {
    keys: entries.map((entry) => {
      const isOurs = entry.company_id === null;
      return {
        key: entry.key,
        key_type: entry.key_type,
        company: {
          id: entry.company_id ?? entry.claimer_id ?? "",
          name: (isOurs ? entry.claimer_name : entry.owner_name) ?? "",
        },
        may_ask: entry.claim_id ? [] : claimKinds.filter((kind) => mayBeMoved(entry.key_type, kind)),
        claim:
          entry.claim_id && entry.claim_kind
            ? { id: entry.claim_id, kind: entry.claim_kind, is_ours: isOurs }
            : null,
      };
    }),
    texts: await listTexts(db),
  };
}

const refusals = {
  not_found: "not_found",
  claim_open: "pix_key_claim_open",
  not_movable: "pix_key_not_movable",
  over: "pix_key_changed",
} as const satisfies Record<Exclude<Outside, "done">, string>;

function requireDone(outcome: Outside): void {
  if (outcome !== "done") throw new AppError(refusals[outcome]);
}

export async function raise(directory: SandboxDirectory, { body }: Call<typeof raiseClaim>) {
  let outcome: Outside = "not_found";
  for (const form of registeredForms(body.key)) {
    const raised = await directory.raiseClaim(form, body.kind);
    if (raised.outcome === "done") return { id: raised.id };
    if (raised.outcome !== "not_found") outcome = raised.outcome;
  }
  throw new AppError(refusals[outcome as Exclude<Outside, "done">]);
}

export async function answer(directory: SandboxDirectory, { params, body }: Call<typeof answerClaim>) {
  requireDone(await directory.answerClaim(params.id, body.answer));
  return { ok: true as const };
}
