/** Correction of a failed transfer: the value stays, and the receiver must be one who may be paid. */

import type { TransferInput } from "@malote/contracts/transfers";
import { type Issue, issueFormText } from "@malote/domain/issues";
import { tedMoment } from "@malote/domain/payment-moment";
import { locationOf } from "@malote/domain/pix-charge";
import { suspensionIssue } from "@malote/domain/suspended-functions";
import { isMaskOf, isObfuscatedTaxId, maskTaxId } from "@malote/domain/tax-id";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { updateResentPayments } from "../draft-payment-store.ts";
import { lockBoletoCodes } from "../locks.ts";
import { noCharges, type ReadCharges } from "../lookups/ask-codes.ts";
import { listKeysOfBlockedHolders } from "../lookups/store.ts";
import { prepareTransfer, readTransferFacts, type TransferCheckFacts } from "../transfers/facts.ts";
import { codeFrom, draftFrom, inputOf, shownPlaceOf } from "../transfers/present.ts";
import {
  draftOf,
  findTransfer,
  isChargeUsed,
  readCorrectedPayment,
  recordOf,
  type TransferRow,
  type TransferToWrite,
  transferToResend,
} from "../transfers/store.ts";
import type { CorrectionKind } from "./kind.ts";

export const transferCorrections: CorrectionKind = {
  audited: "transfer_corrected",
  async prepare(tx, id, now, requested) {
    const transfer = await findTransfer(tx, id);
    if (transfer?.status !== "FAILED") throw new AppError("transfer_not_failed");
    const input = (requested?.input as TransferInput | undefined) ?? inputOf(transfer);
    const corrected = await checkCorrectedTransfer(tx, transfer, input, now, requested?.charges);
    const batchId = transfer.batch_id;
    const executeAt = corrected.method === "TED" ? tedMoment(null, now) : now;
    const before = draftOf(transfer);
    const changes = [
      changeOf("Nome", before.name ?? "", corrected.draft.name ?? ""),
      changeOf("CPF ou CNPJ", documentOf(before), documentOf(corrected.draft)),
      changeOf("Destino", shownPlaceOf(before), shownPlaceOf(corrected.draft)),
    ].filter((change) => change !== null);
    const change = changes.length > 0 ? changes.join(" · ") : null;
    return {
      batchId,
      input,
      payment: await readCorrectedPayment(tx, corrected),
      resend: transferToResend(corrected),
      facts: [
        { label: "Recebedor", value: corrected.draft.name ?? "Não informado" },
        {
          label: "CPF ou CNPJ",
          value: [...new Set([documentOf(before), documentOf(corrected.draft)])].join(" → "),
        },
        { label: "Antes", value: shownPlaceOf(before) },
        { label: "Agora", value: shownPlaceOf(corrected.draft) },
      ],
      shownReceiver: [shownPlaceOf(corrected.draft), documentOf(corrected.draft)].join(" · "),
      change,
      method: corrected.method,
      executeAt,
      async requireCodeFree(tx) {
        if (await isChargeUsedElsewhere(tx, corrected))
          throw new AppError("transfer_invalid", { errors: [{ code: "qr_duplicated", field: "emv" }] });
      },
      write: (tx, acting) =>
        updateResentPayments(
          tx,
          { kind: "TRANSFER", batchId, executeAt, change, acting },
          recordOf(corrected),
        ),
    };
  },
  async problems(tx, rows, now) {
    const facts = await readTransferFacts(tx, now);
    const problems = new Map<string, string>();
    const transfers = rows.map((row) =>
      prepareTransfer(row.id, { ...draftOf(row), paymentDate: null }, facts),
    );
    const heldByBlocked = await listKeysOfBlockedHolders(
      tx,
      transfers.flatMap(({ draft }) => draft.pixKey ?? []),
    );
    for (const one of transfers) {
      const { id } = one;
      const [issue] = [...one.errors, ...issuesOfNow(one, facts, heldByBlocked)];
      if (issue) problems.set(id, issueFormText(issue));
    }
    return { problems, resends: transfers.map(transferToResend) };
  },
};

const documentOf = ({ taxId }: { taxId: string | null }) => (taxId ? maskTaxId(taxId) : "Sem documento");
const changeOf = (label: string, before: string, after: string) =>
  before === after ? null : `${label}: ${before || "vazio"} → ${after || "vazio"}`;

/** Returns the corrected transfer. Throws when its value differs, it is invalid, or its receiver may not be paid. */
async function checkCorrectedTransfer(
  tx: Tx,
  transfer: TransferRow,
  input: TransferInput,
  now: Date,
  charges: ReadCharges = noCharges,
): Promise<TransferToWrite> {
  if (input.value !== null && input.value !== transfer.value) throw new AppError("transfer_value_fixed");
  const given = draftFrom(input);
  if (given.taxId && isObfuscatedTaxId(given.taxId) && !isMaskOf(given.taxId, transfer.tax_id))
    throw new AppError("transfer_invalid", { errors: [{ code: "tax_id_invalid", field: "cpf_cnpj" }] });
  const facts = await readTransferFacts(tx, now);
  const corrected = prepareTransfer(
    transfer.id,
    {
      ...given,
      // Screens mask a stranger's document, so a masked document means the stored one.
      taxId: isMaskOf(given.taxId, transfer.tax_id) ? transfer.tax_id : given.taxId,
      value: transfer.value,
      paymentDate: null,
      // An approved correction uses the charge as it was read; the payee's institution refuses a charge that has
      // changed.
      ...(transfer.emv !== null &&
      (input.emv === undefined || (input.emv === transfer.emv && !charges.has(transfer.emv)))
        ? { emv: transfer.emv, charge: transfer.emv_data }
        : codeFrom(input.emv, charges)),
    },
    facts,
  );
  // The lock serialises corrections, like those of boletos: of two payments of one charge the second sees the first.
  if (locationOf(corrected.draft.emv)) await lockBoletoCodes(tx);
  if (await isChargeUsedElsewhere(tx, corrected))
    corrected.errors.push({ code: "qr_duplicated", field: "emv" });
  const { pixKey } = corrected.draft;
  const heldByBlocked = await listKeysOfBlockedHolders(tx, pixKey === null ? [] : [pixKey]);
  corrected.errors.push(...issuesOfNow(corrected, facts, heldByBlocked));
  if (corrected.errors.length > 0) throw new AppError("transfer_invalid", { errors: corrected.errors });
  return corrected;
}

/** Returns the issues that are evaluated on each read and never stored. */
function issuesOfNow(
  { draft, method, errors }: TransferToWrite,
  facts: TransferCheckFacts,
  heldByBlocked: ReadonlySet<string>,
): Issue[] {
  const suspension = suspensionIssue(method, facts.suspended);
  const isHolderBlocked =
    draft.pixKey !== null &&
    heldByBlocked.has(draft.pixKey) &&
    !errors.some(({ code }) => code === "tax_id_blocked");
  return [
    ...(suspension ? [suspension] : []),
    ...(isHolderBlocked ? [{ code: "tax_id_blocked", field: "pix_key" } as const] : []),
  ];
}

/** Returns whether another payment under way pays the charge of this code. */
async function isChargeUsedElsewhere(tx: Tx, { id, draft }: TransferToWrite): Promise<boolean> {
  const location = locationOf(draft.emv);
  return location !== null && (await isChargeUsed(tx, location, id));
}
