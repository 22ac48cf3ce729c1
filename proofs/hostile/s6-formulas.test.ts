import { downloadAuditTrail, exportAuditTrail } from "@malote/contracts/audit-trail";
import { downloadBadRows } from "@malote/contracts/batch-issues";
import { createBatch } from "@malote/contracts/batches";
import { downloadMonthlyReport } from "@malote/contracts/billing";
import { downloadReceivableReport, requestReceivableReport } from "@malote/contracts/card-receivables";
import { readCheckoutLogo } from "@malote/contracts/checkout";
import { readBankImage, readLogo } from "@malote/contracts/company";
import {
  downloadInfractionExport,
  downloadInfractionFile,
  exportInfractions,
} from "@malote/contracts/contestations";
import { bases, type Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import {
  downloadPayinReceipt,
  downloadPayinReport,
  downloadRefundReceipt,
  requestPayinReport,
} from "@malote/contracts/payins";
import { downloadBankReceipt, downloadReceipt, downloadReceipts } from "@malote/contracts/receipts";
import {
  createPayoutReport,
  downloadReport,
  requestStatementCsv,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import { readInvoiceDocument } from "@malote/contracts/simulator";
import { addTransfer, transferPageFilters } from "@malote/contracts/transfers";
import { downloadValidationBankReceipt, downloadValidationReceipt } from "@malote/contracts/validation";
import { writeXlsx } from "hucre";
import { makeExport } from "../../apps/api/src/exports/index.ts";
import { headingOf } from "../../apps/api/src/payouts/import/sheet/heading-words.ts";
import type { SheetField } from "../../apps/api/src/payouts/import/sheet/headings.ts";
import type { JobData } from "../../apps/api/src/platform/jobs/jobs.ts";
import { fileKinds } from "../../apps/api/src/registry.ts";
import { buildTestApp, type Person, type TestApp } from "../../apps/api/src/testing/app.ts";
import { importFile } from "../../apps/api/src/testing/import-kit.ts";
import { proof } from "../proof.ts";
import { calculates, formulaPayloads } from "./formulas.ts";
import { openTable } from "./open-table.ts";

const all = formulaPayloads.length;

proof(
  "S6",
  "contains no text of a sheet as a formula in any downloaded file, and reads each text back unchanged",
  { unit: "payloads", short: all, reduced: all, full: all },
  async () => {
    const app = await buildTestApp();
    try {
      const person = await app.as("helena@aurora.example");
      const poisoned = await poison(app, person);
      const exported = await everyExport(app, person, poisoned.batchId);
      const returned = await thereAndBack(app, person);
      return {
        faults: [...exported.faults, ...returned.faults],
        figures: {
          columns: poisoned.columns,
          files: exported.files,
          cells: exported.cells,
          fields_there_and_back: returned.fields,
        },
        planted: await plant(),
      };
    } finally {
      await app.close();
    }
  },
);

/**
 * Creates a batch whose every text column holds every payload, including columns that only the network writes, and new
 * ones.
 */
async function poison(app: TestApp, person: Person): Promise<{ batchId: string; columns: number }> {
  const batch = await person.call(createBatch, { body: { name: '=1+1"\r\nx: y;' } });
  const batchId: string = batch.body.id;
  for (const _ of formulaPayloads) {
    const added = await person.call(addTransfer, {
      params: { id: batchId },
      body: { value: 100, destination_bank_account: { pix_key_type: "EMAIL", pix_key: "sem arroba" } },
    });
    if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  }
  const { pool } = app.services.db;
  const { rows: texts } = await pool.query<{ name: string }>(`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'transfers' AND data_type = 'text' AND is_generated = 'NEVER'`);
  let columns = 0;
  for (const { name } of texts) {
    // PostgreSQL stores no NUL, and a column with a fixed set of values refuses other text, so neither can be poisoned.
    const taken = await pool
      .query(
        `UPDATE transfers t SET "${name}" = p.payload
         FROM (SELECT id, row_number() OVER (ORDER BY position, id) AS n FROM transfers WHERE batch_id = $1) r
         JOIN unnest($2::text[]) WITH ORDINALITY AS p (payload, n) USING (n)
         WHERE t.id = r.id`,
        [
          batchId,
          formulaPayloads.map(
            (payload, n) => payload.replaceAll("\0", "") + (name === "end_to_end_id" ? n : ""),
          ),
        ],
      )
      .then(() => true)
      .catch((error: { code?: string }) => {
        // A CHECK refuses it, and the trigger of legal steps refuses the status.
        if (error.code === "23514" || (error.code === "23000" && name === "status")) return false;
        throw error;
      });
    if (taken) columns++;
  }
  await pool.query(
    `INSERT INTO invoices (company_id, id, billing_period_start, amount_of_transfers, price_per_transfer, total, due_date, closed_at)
     SELECT company_id, id, $2::date, payments_count, 1, payments_count, $2::date + 40, now() FROM batches WHERE id = $1`,
    [batchId, chargedMonth],
  );
  await pool.query(
    `INSERT INTO invoiced_transfers (company_id, transfer_id, invoice_id, position)
     SELECT company_id, id, batch_id, row_number() OVER (ORDER BY id) FROM transfers WHERE batch_id = $1`,
    [batchId],
  );
  await poisonReceived(app, batchId);
  return { batchId, columns };
}

/**
 * Poisons the texts of payers, acquirers and other banks: payins, receivables, infractions, and entries of the
 * statement.
 */
async function poisonReceived(app: TestApp, batchId: string): Promise<void> {
  const { pool } = app.services.db;
  const payloads = formulaPayloads.map((payload) => payload.replaceAll("\0", ""));
  const each = `(SELECT company_id AS company, payload, n, md5(n::text)::uuid AS id, $3::timestamptz AS at
    FROM batches, unnest($2::text[]) WITH ORDINALITY AS p (payload, n) WHERE batches.id = $1) x`;
  const poisons = [
    `INSERT INTO payins (company_id, id, status, payment_type, amount, payer_name, payer_tax_id, end_to_end_id, txid,
       created_at, updated_at, details)
     SELECT company, id, 'active', 'pix_key', 1, payload, payload, payload, payload, at, at,
       jsonb_build_object('description', payload, 'message', payload) FROM ${each}`,
    `INSERT INTO card_receivables (company_id, id, payin_id, installment, installments, status, sold_at,
       authorization_code, gross_amount, net_amount, expected_receive_date)
     SELECT company, id, id, 1, 1, 'scheduled', at, payload, 1, 1, at::date FROM ${each}`,
    `INSERT INTO infractions (company_id, id, provider_id, transaction_id, txid, amount, payer_name, payer_tax_id,
       situation_type, infraction_description, infraction_date, analysis_due_at, analysis_status, opinion,
       analysis_description, analysed_by, analysed_by_name, analysed_at)
     SELECT company, id, id::text, payload, payload, 1, payload, payload, 'scam', payload, at, at + interval '7 days',
       'rejected', left(payload, 50), payload, id, payload, at FROM ${each}`,
    `INSERT INTO ledger_transactions (company_id, id, type, cause, description, complement, at)
     SELECT company, id, 'DEPOSIT', id::text, payload, jsonb_build_object('bank', payload, 'end_to_end_id', payload,
       'payer', jsonb_build_object('name', payload, 'document', payload, 'agency', payload, 'account', payload)), at
     FROM ${each}`,
    `INSERT INTO audit_entries (company_id, at, actor_kind, actor_name, action, subject_id, request_id, detail)
     SELECT company, at, 'user', payload, payload, payload, payload,
       jsonb_build_object('reason', payload, 'facts', jsonb_build_array(jsonb_build_object('label', payload, 'value', payload)),
         'changes', jsonb_build_object('name', jsonb_build_object('from', payload, 'to', payload)))
     FROM ${each}`,
    `INSERT INTO ledger_entries (company_id, account, seq, transaction_id, amount, balance_after, at)
     SELECT company, account, n, id, sign, sign * n, at
     FROM ${each}, (VALUES ('available', 1), ('pix_in', -1)) AS leg (account, sign)`,
  ];
  for (const poison of poisons) await pool.query(poison, [batchId, payloads, app.clock.now()]);
  await pool.query(
    `UPDATE companies SET feature_flags = ARRAY['card-charge'], settings = settings || '{"hasCardCharge": true}'
     WHERE company_id = (SELECT company_id FROM batches WHERE id = $1)`,
    [batchId],
  );
}

const thatMonth = { initialDate: "2026-08-01", endDate: "2026-08-31" };

/** Files that must be requested first, with each call that requests one. */
const requestsOf: Readonly<Record<string, readonly (readonly [Contract, object])[]>> = {
  [downloadReport.id]: [
    [
      createPayoutReport,
      { created_at__gte: "2026-08-01", created_at__lte: "2026-08-31", status__in: transferPageFilters },
    ],
    [requestStatementXlsx, thatMonth],
    [requestStatementXlsxV2, thatMonth],
    [requestStatementCsv, thatMonth],
  ],
  [downloadAuditTrail.id]: [[exportAuditTrail, {}]],
  [downloadPayinReport.id]: [[requestPayinReport, {}]],
  [downloadReceivableReport.id]: [[requestReceivableReport, {}]],
  [downloadInfractionExport.id]: [[exportInfractions, {}]],
};

/** Requests and generates each file of a contract; returns their ids. */
async function made(app: TestApp, person: Person, { id }: Contract): Promise<string[]> {
  const ids: string[] = [];
  for (const [request, body] of requestsOf[id] ?? []) {
    const asked = await person.call(request, { body });
    if (asked.status !== 200) throw new Error(`${request.id}: ${JSON.stringify(asked.body)}`);
    ids.push(asked.body.id);
    for (const { queue, data } of app.enqueued.splice(0)) {
      if (queue === "make-export") await makeExport(fileKinds, app.services, data as JobData["make-export"]);
    }
  }
  return ids;
}

/** The month of the invoice that counts the poisoned payments. */
const chargedMonth = "2020-01-01";

/** Files that no program calculates with, with the proof that their texts stay texts. */
const noTables: Readonly<Record<string, string>> = {
  [downloadReceipt.id]: "a PDF: draw-receipt.test.ts",
  [downloadBankReceipt.id]: "the bank's own PDF, kept as it came: receipts.test.ts",
  [downloadValidationBankReceipt.id]: "the bank's own PDF, kept as it came: micro-deposit.test.ts",
  [downloadPayinReceipt.id]: "a PDF: payins/documents.test.ts",
  [downloadRefundReceipt.id]: "a PDF: payins/documents.test.ts",
  [downloadReceipts.id]: "a ZIP of PDFs: receipts/many.test.ts",
  [readBankImage.id]: "a picture drawn of our own table: company.test.ts",
  [readLogo.id]: "a picture, recognised by its first bytes: data.test.ts",
  [downloadInfractionFile.id]: "what a person attached, kept as it came: contestations.test.ts",
  [downloadValidationReceipt.id]: "a PDF: micro-deposit.test.ts",
  [readCheckoutLogo.id]: "a picture, recognised by its first bytes: data.test.ts",
  [readInvoiceDocument.id]: "lines of plain text, for no program of tables",
};

/** Downloads every contract's file, in each of its forms. */
async function everyExport(
  app: TestApp,
  person: Person,
  batchId: string,
  from: readonly Contract[] = contracts,
) {
  const faults: string[] = [];
  let files = 0;
  let cells = 0;
  for (const contract of from.filter(
    ({ id, base, transport }) => transport === "file" && base !== "simulator" && !(id in noTables),
  )) {
    const requested = await made(app, person, contract);
    for (const path of pathsOf(contract, requested.length > 0 ? requested : [batchId])) {
      for (const format of "format" in (contract.query?.shape ?? {}) ? ["xlsx", "csv"] : [undefined]) {
        const answer = await app.server.inject({
          method: contract.method as "GET",
          url: `${bases[contract.base]}${path}${format ? `?format=${format}` : ""}${contract.id === downloadMonthlyReport.id ? `?date=${chargedMonth}` : ""}`,
          headers: { authorization: `Bearer ${person.token}` },
        });
        const what = `${contract.id} ${format ?? ""}`;
        if (answer.statusCode !== 200) {
          faults.push(`${what}: answered ${answer.statusCode} ${answer.body.slice(0, 200)}`);
          continue;
        }
        files++;
        faults.push(
          ...faultsOfName(answer.headers["content-disposition"]).map((fault) => `${what}: ${fault}`),
        );
        const table = await openTable(answer.rawPayload);
        cells += table.rows.flat().length;
        faults.push(...table.alive.map((cell) => `${what}: alive: ${cell.slice(0, 80)}`));
        // A file that never contained a payload would prove nothing.
        const met = table.rows.flat().filter((cell) => cell.includes("1+1")).length;
        const isPoisoned = path.includes(batchId) || contract.id === downloadMonthlyReport.id;
        if ((isPoisoned || requested.length > 0) && met < all / 2)
          faults.push(`${what}: only ${met} cells met a payload`);
      }
    }
  }
  return { faults, files, cells };
}

const kinds = ["transfer", "transfer-pix", "billet"];
const pathsOf = ({ path }: Contract, ids: readonly string[]) =>
  path.includes(":kind")
    ? kinds.map((kind) => path.replace(":kind", kind))
    : ids.map((id) => path.replace(":id", id));

/** Checks that a batch's name can neither end its header nor name another file. */
function faultsOfName(disposition: unknown): string[] {
  const text = String(disposition);
  const named =
    /^attachment; filename="[\w .-]+\.(?:xlsx|csv)"; filename\*=UTF-8''[\w.%-]+\.(?:xlsx|csv)$/.test(text);
  return named ? [] : [`is called ${JSON.stringify(text)}`];
}

/**
 * Writes each payload into each field of the sheet, one per row: imported, downloaded as a file of bad rows, imported
 * again.
 */
async function thereAndBack(app: TestApp, person: Person): Promise<{ faults: string[]; fields: number }> {
  const fields = (Object.keys(headingOf) as SheetField[]).filter(
    (field) => field !== "barcode" && field !== "description",
  );
  const headings = [...fields.map((field) => headingOf[field]), "=1+1", "Centro de custo"];
  // A row without a value is wrong in any case, so it is in the file of wrong rows.
  const rows = headings.flatMap((_, column) =>
    formulaPayloads.map((payload, n) =>
      headings.map((_heading, at) =>
        at === column ? payload.replaceAll("\0", "") : at === 0 ? `Linha ${n}` : "",
      ),
    ),
  );
  const first = await imported(app, person, quotedCsv([headings, ...rows]), "folha.csv");
  const faults = first.rows.length === rows.length ? [] : [`${rows.length} rows became ${first.rows.length}`];
  for (const format of ["csv", "xlsx"] as const) {
    const answer = await app.server.inject({
      method: "GET",
      url: `${bases.payments}${downloadBadRows.path.replace(":id", first.batchId)}?format=${format}`,
      headers: { authorization: `Bearer ${person.token}` },
    });
    const again = await imported(app, person, answer.rawPayload, `corrigir.${format}`);
    faults.push(...difference(first.rows, again.rows).map((what) => `by ${format}: ${what}`));
  }
  return { faults, fields: headings.length };
}

const quotedCsv = (rows: readonly (readonly string[])[]) =>
  Buffer.from(rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(";")).join("\r\n"));

/** Everything that a payment of a sheet stores, except its database id and its position. */
type Held = Record<string, unknown> & { cells: Record<string, string> };

async function imported(app: TestApp, person: Person, content: Buffer, fileName: string) {
  const { batch_id: batchId, refusal } = await importFile(app, person, content, fileName);
  if (!batchId) throw new Error(`${fileName} was refused: ${refusal?.message}`);
  const { rows } = await app.services.db.pool.query<{ held: Held }>(
    `SELECT to_jsonb(t) - ARRAY['id', 'batch_id', 'sheet_row', 'sheet_cells', 'created_at']
            || jsonb_build_object('cells', t.sheet_cells::jsonb - 'Motivo') AS held
     FROM transfers t WHERE batch_id = $1 ORDER BY position`,
    [batchId],
  );
  return { batchId, rows: rows.map(({ held }) => held) };
}

/** Returns the differences between two drafts, row by row. */
function difference(before: readonly Held[], after: readonly Held[]): string[] {
  if (before.length !== after.length) return [`${before.length} rows became ${after.length}`];
  return before.flatMap((row, n) =>
    Object.keys(row)
      .filter((field) => JSON.stringify(row[field]) !== JSON.stringify(after[n]?.[field]))
      .map((field) =>
        `${field} ${JSON.stringify(row[field])} became ${JSON.stringify(after[n]?.[field])}`.slice(0, 300),
      ),
  );
}

async function plant(): Promise<{ count: number; missed: string[] }> {
  const naive = Buffer.from(
    `\ufeff${formulaPayloads.map((payload) => `"${payload.replaceAll('"', '""')}"`).join(";")}`,
  );
  const split = Buffer.from("Nome\r\nAna;=1+1\r\n");
  const formula = await writeXlsx({
    sheets: [{ name: "a", rows: [["x"]], cells: new Map([["0,0", { formula: "1+1" }]]) }],
  });
  const row: Held = { name: "=1+1", cells: {} };
  const found: Record<string, boolean> = {
    "a file without the guard": (await openTable(naive)).alive.length >= all - 12,
    "a separator that parts a text": (await openTable(split)).alive.length === 1,
    "a comma that parts a text":
      (await openTable(Buffer.from("Nome;Id\r\nAna,=1+1;x\r\n"))).alive.length === 1,
    "a comma that parts a quoted text":
      (await openTable(Buffer.from('"Nome";"Id"\r\n"Ana";"x,=1+1"\r\n'))).alive.length === 1,
    "a tab that parts a text":
      (await openTable(Buffer.from("Nome;Id\r\nAna\t=1+1;x\r\n"))).alive.length === 1,
    "a cell that calculates": (await openTable(Buffer.from(formula))).alive.length > 0,
    "a name that ends its heading": faultsOfName('attachment; filename="a\r\nset-cookie: x"').length > 0,
    "a guard that stays when read": difference([row], [{ ...row, name: "'=1+1" }]).length > 0,
    "a row lost on the way": difference([row], []).length > 0,
    "a full-width sign": calculates("\u3000＝1+1"),
  };
  return {
    count: Object.keys(found).length,
    missed: Object.entries(found).flatMap(([name, caught]) => (caught ? [] : [name])),
  };
}
