/**
 * Columns that may be null in their table but never are in the rows of a file, although no condition of the statement
 * shows it. The check fails when an entry is unused.
 */
const moving = "of payments that were closed, which the database lets leave a draft with a value only";

/** @type {{ file: string, columns: string[], why: string }[]} */
export const present = [
  {
    file: "payouts/under-way/store.ts",
    columns: ["transfers.value", "transfers.end_to_end_id"],
    why: `${moving}; claimed ones have their id`,
  },
  { file: "payouts/batches/limit-store.ts", columns: ["transfers.limit_period"], why: "set with the day" },
  { file: "payouts/batches/failure-notice-store.ts", columns: ["transfers.value"], why: moving },
  { file: "payouts/boletos/store.ts", columns: ["transfers.value"], why: moving },
  { file: "payouts/transfers/store.ts", columns: ["transfers.value"], why: moving },
  { file: "payouts/lists/by-period-store.ts", columns: ["transfers.value"], why: moving },
  { file: "payouts/corrections/store.ts", columns: ["transfers.value"], why: moving },
  { file: "receipts/email-payees.ts", columns: ["transfers.value"], why: moving },
  {
    file: "receipts/store.ts",
    columns: ["transfers.value", "transfers.transfer_date"],
    why: "of payments that arrived",
  },
  {
    file: "payouts/lookups/store.ts",
    columns: ["transfers.pix_key_type"],
    why: "the database keeps it beside the key",
  },
  { file: "exports/store.ts", columns: ["exports.file_key"], why: "of exports that are done" },
  { file: "payouts/import/store.ts", columns: ["sheets.editor_id"], why: "migration 0053 filled it in" },
];
