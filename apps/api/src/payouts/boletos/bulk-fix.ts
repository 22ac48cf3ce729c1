/** Bulk correction of a draft's boletos: one date or one description for many. */
import type { Boleto } from "@malote/contracts/boletos";
import type { Tx } from "../../platform/db/database.ts";
import { type DraftDelta, writeDraftPayments } from "../draft-payment-store.ts";
import { prepareBoleto, readBoletoFacts, readRegisters } from "./facts.ts";
import { marksKept } from "./marks.ts";
import { boletoOf, draftFrom, inputOf, withUnkept } from "./present.ts";
import { listBoletosById, recordOf } from "./store.ts";

export async function readBoletosOnWire(tx: Tx, ids: readonly string[], now: Date): Promise<Boleto[]> {
  const [facts, rows] = await Promise.all([readBoletoFacts(tx, now), listBoletosById(tx, ids)]);
  return rows.map((row) => boletoOf(row, facts));
}

/** Applies `set` to the boletos and checks them again. Other cells that the rows could not store keep their issues. */
export async function fixDraftBoletos(
  tx: Tx,
  { batchId, ids, set }: { batchId: string; ids: readonly string[]; set: Readonly<Record<string, string>> },
  now: Date,
): Promise<DraftDelta & { stillWrong: number }> {
  const [facts, rows] = await Promise.all([readBoletoFacts(tx, now), listBoletosById(tx, ids)]);
  const registers = await readRegisters(
    tx,
    rows.map(({ barcode }) => barcode),
    facts.today,
  );
  const fixed = rows.map((row) => {
    const prepared = prepareBoleto(
      row.id,
      draftFrom({ ...inputOf(row), ...set }),
      facts,
      registers(row.barcode),
    );
    const errors = withUnkept(row, prepared.errors, Object.keys(set));
    return { ...prepared, errors, marks: marksKept(row, prepared, facts) };
  });
  const grown = await writeDraftPayments(
    tx,
    { batchId, kind: "BILLET", now },
    fixed.map((boleto) => recordOf(boleto, facts)),
  );
  if (grown.written !== fixed.length)
    throw new Error("a boleto that was locked with its batch was not written");
  // Whether a code is in another payment is evaluated on each read and never stored.
  const stillWrong = fixed.filter(({ errors }, n) => errors.length > 0 || rows[n]?.is_duplicated).length;
  return { ...grown, stillWrong };
}
