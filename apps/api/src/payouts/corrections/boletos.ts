/** Correction of a failed boleto: the value stays, and the code must be in no other payment (ruling D19). */
import type { BoletoInput } from "@malote/contracts/boletos";
import { errorText } from "@malote/contracts/errors";
import { boletoMoment, closesEarly } from "@malote/domain/boleto";
import type { CalendarDate } from "@malote/domain/calendar";
import { issueFormText } from "@malote/domain/issues";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { prepareBoleto, readBoletoFacts, readRegisters } from "../boletos/facts.ts";
import { draftFrom, inputOf } from "../boletos/present.ts";
import {
  type BoletoRow,
  boletoToResend,
  findBatchOfCode,
  findBoleto,
  readCorrectedBoleto,
  recordOf,
} from "../boletos/store.ts";
import { updateResentPayments } from "../draft-payment-store.ts";
import { lockBoletoCodes } from "../locks.ts";
import type { ResendRecord } from "../payment-columns.ts";
import type { CorrectionKind } from "./kind.ts";

export const boletoCorrections: CorrectionKind = {
  audited: "billet_corrected",
  async prepare(tx, id, now, requested) {
    const boleto = await findBoleto(tx, id);
    if (boleto?.status !== "FAILED") throw new AppError("transfer_not_failed");
    // A boleto that is resent as it is runs on the first possible day.
    const input = (requested?.input as BoletoInput | undefined) ?? { ...inputOf(boleto), payment_date: null };
    const { corrected, facts } = await checkCorrectedBoleto(tx, boleto, input, now);
    const { draft } = corrected;
    const batchId = boleto.batch_id;
    const executeAt = boletoMoment(draft.paymentDate as CalendarDate | null, closesEarly(draft), now);
    const was = codeOf(boleto);
    const is = codeOf(draft);
    const change = was === is ? null : `Código: ${was} → ${is}`;
    return {
      batchId,
      input,
      payment: await readCorrectedBoleto(tx, corrected, facts),
      resend: boletoToResend(corrected, facts),
      facts: [
        { label: "Boleto", value: draft.description ?? "Sem descrição" },
        { label: "Antes", value: was },
        { label: "Agora", value: is },
      ],
      shownReceiver: is,
      change,
      method: "BILLET",
      executeAt,
      requireCodeFree: (tx) => requireCodeFree(tx, draft.barcode, id),
      write: (tx, acting) =>
        updateResentPayments(
          tx,
          { kind: "BILLET", batchId, executeAt, change, acting },
          recordOf(corrected, facts),
        ),
    };
  },
  async problems(tx, rows, now) {
    const facts = await readBoletoFacts(tx, now);
    const codes = rows.map(({ barcode }) => barcode);
    const registers = await readRegisters(tx, codes, facts.today);
    const problems = new Map<string, string>();
    const resends: ResendRecord[] = [];
    const suspension = suspensionIssue("BILLET", facts.suspended);
    for (const { id, barcode, value, description, integration_id: integrationId } of rows) {
      const draft = { barcode, value, description, integrationId, paymentDate: null };
      const prepared = prepareBoleto(id, draft, facts, registers(barcode));
      const [issue] = prepared.errors;
      resends.push(boletoToResend(prepared, facts));
      if (prepared.draft.value !== value) problems.set(id, errorText("billet_value_fixed"));
      else if (suspension) problems.set(id, issueFormText(suspension));
      else if (issue) problems.set(id, issueFormText(issue));
    }
    return { problems, resends };
  },
};

const codeOf = ({ barcode }: { barcode: string | null }) => barcode ?? "Sem código";

async function checkCorrectedBoleto(tx: Tx, boleto: BoletoRow, input: BoletoInput, now: Date) {
  await lockBoletoCodes(tx);
  const facts = await readBoletoFacts(tx, now);
  const given = draftFrom(input);
  const registers = await readRegisters(tx, [given.barcode], facts.today);
  const corrected = prepareBoleto(boleto.id, given, facts, registers(given.barcode));
  if (corrected.draft.value !== boleto.value) throw new AppError("billet_value_fixed");
  await requireCodeFree(tx, corrected.draft.barcode, boleto.id);
  const suspension = suspensionIssue("BILLET", facts.suspended);
  if (suspension) corrected.errors.push(suspension);
  if (corrected.errors.length > 0) throw new AppError("billet_invalid", { errors: corrected.errors });
  return { corrected, facts };
}

async function requireCodeFree(tx: Tx, barcode: string | null, except: string): Promise<void> {
  const batch = barcode ? await findBatchOfCode(tx, barcode, except) : undefined;
  if (batch) throw new AppError("billet_duplicated", { batch });
}
