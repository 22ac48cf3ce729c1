/** Writing boletos of a draft. The caller holds the batch's row lock and adds the returned growth to the batch. */
import type { BoletoInput } from "@malote/contracts/boletos";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { type DraftDelta, writeDraftPayments } from "../draft-payment-store.ts";
import { prepareBoleto, readBoletoFacts, readRegisters } from "./facts.ts";
import { marksAfterSave } from "./marks.ts";
import { draftFrom } from "./present.ts";
import { listBoletosOfSheet, recordOf } from "./store.ts";

/**
 * Writes boletos to a draft; the last one with the same id counts. Throws `not_found` for the whole call when an id
 * belongs to another batch, because that payment would otherwise be missing unnoticed.
 */
export async function writeBoletosToDraft(
  tx: Tx,
  batchId: string,
  inputs: readonly BoletoInput[],
  by: Pick<Actor, "id" | "name">,
  now: Date,
): Promise<DraftDelta & { written: number }> {
  if (inputs.length === 0) return { value: 0, payments: 0, errors: 0, written: 0 };
  const facts = await readBoletoFacts(tx, now);
  const drafts = inputs.map((input) => ({ id: input.id ?? uuidv7(now.getTime()), draft: draftFrom(input) }));
  const registers = await readRegisters(
    tx,
    drafts.map(({ draft }) => draft.barcode),
    facts.today,
  );
  const prepared = drafts.map(({ id, draft }) => prepareBoleto(id, draft, facts, registers(draft.barcode)));
  const last = new Map(prepared.map((boleto) => [boleto.id.toLowerCase(), boleto]));
  const before = await listBoletosOfSheet(
    tx,
    batchId,
    inputs.flatMap(({ id }) => id ?? []),
  );
  const grown = await writeDraftPayments(
    tx,
    { batchId, kind: "BILLET", now },
    [...last].map(([id, boleto]) => {
      const row = before.get(id);
      return recordOf(
        { ...boleto, marks: row ? marksAfterSave(row, boleto, facts, { by, now }) : [] },
        facts,
      );
    }),
  );
  if (grown.written < last.size) throw new AppError("not_found");
  return grown;
}
