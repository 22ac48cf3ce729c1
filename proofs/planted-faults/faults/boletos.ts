import type { Fault } from "../fault.ts";

const drafts = (title: string) => ({ file: "apps/api/src/payouts/boletos/drafts.test.ts", test: title });
const pay = (title: string) => ({ file: "apps/api/src/payouts/boletos/pay.test.ts", test: title });

/** Of boletos. */
export const boletoFaults: Fault[] = [
  {
    name: "a boleto may be registered twice",
    file: "apps/api/src/payouts/transfers/store.ts",
    right: "OR ${isDuplicatedBoleto} OR",
    wrong: "OR",
    caughtBy: drafts("BIL-013 is that it was registered before"),
  },
  {
    name: "closings of batches with the same boleto do not queue",
    file: "apps/api/src/payouts/batches/close.ts",
    right: '  if (batch.type === "BILLET" || (await hasCharges(tx, batch.id))) await lockBoletoCodes(tx);\n',
    wrong: "",
    caughtBy: pay("BIL-013 of two drafts with the same boleto that are closed at once, one is paid"),
  },
  {
    name: "an approval is not bound to the boletos' codes",
    file: "apps/api/migrations/0097_after_an_attack.sql",
    right: "t.barcode, t.due_date, t.description)::text",
    wrong: "NULL)::text",
    caughtBy: pay("an approval is of these boletos, dates and descriptions"),
  },
  {
    name: "what was typed wins over the amount of the code",
    file: "packages/domain/src/boleto.ts",
    right: "value: code?.value ?? draft.value,",
    wrong: "value: draft.value ?? code?.value ?? null,",
    caughtBy: drafts("BIL-017 BIL-021 takes the value and due date of its new barcode"),
  },
  {
    name: "giving one failed boleto back gives back every failed one of its batch",
    file: "apps/api/migrations/0026_billets.sql",
    right: "CASE WHEN t.pix_key IS NULL THEN upper(t.name) END, t.barcode))",
    wrong: "CASE WHEN t.pix_key IS NULL THEN upper(t.name) END))",
    caughtBy: pay("gives back the one that was asked for and no other that failed"),
  },
  {
    name: "a cancelled boleto keeps its money reserved",
    file: "apps/api/src/payouts/boletos/edit.ts",
    right: "  await giveBack(tx, jobs, batch.id, [cancelled], { failed: 0, now });\n",
    wrong: "",
    caughtBy: pay("is cancelled until the day before has ended"),
  },
  {
    name: "a boleto is cancelled on the day it is paid",
    file: "packages/domain/src/boleto.ts",
    right: 'return status === "SCHEDULED" && today < runsOn;',
    wrong: 'return status === "SCHEDULED" && today <= runsOn;',
    caughtBy: pay("is not cancelled on its day, and cannot be changed"),
  },
  {
    name: "a failed boleto is paid again under the code of another payment",
    file: "apps/api/src/payouts/boletos/edit.ts",
    right: "if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, boleto.id)))",
    wrong: "if (corrected.draft.barcode === boleto.id)",
    caughtBy: pay("is paid again with its mistake corrected, not by an analyst, for the same value, once"),
  },
];
