/** Two companies that have one of everything, and what of it could be asked for by somebody else. */
import { randomUUID } from "node:crypto";
import { closeBatch, createBatch, deleteBatch, sendBatchToApproval } from "@malote/contracts/batches";
import type { BilletInput } from "@malote/contracts/billets";
import { changeCompany, saveCompanyBankAccount } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import { createCredential, createValidationCredential } from "@malote/contracts/developer";
import { cancelSheet, importSheet } from "@malote/contracts/import";
import { requestReceipts } from "@malote/contracts/receipts";
import { withdrawBalance } from "@malote/contracts/statement";
import type { TransferInput } from "@malote/contracts/transfers";
import { createUser } from "@malote/contracts/users";
import type { DemoCompany } from "../../apps/api/src/demo/demo-data.ts";
import type { Answer as Said } from "../../apps/api/src/testing/app.ts";
import { billetOf, magicBarcode } from "../../apps/api/src/testing/billets.ts";
import {
  csvOf,
  multipart,
  multipartType,
  pixHeadings,
  pixRow,
  uploadPath,
} from "../../apps/api/src/testing/import-kit.ts";
import { ownAccount, type PaymentsKit, pix } from "../../apps/api/src/testing/payments-kit.ts";
import type { House } from "./house.ts";

/** Keys the sandbox network refuses to pay. */
const failingKey = "chave.pix15@exemplo.com.br";

/** A word in every text of a company, which no other company may ever read. */
export const wordOf = (company: DemoCompany) => `segredo${company.id.slice(-4)}`;

/** Batches in every state, sheets, receivers and money. */
export async function fillCompany(house: House, company: DemoCompany): Promise<void> {
  const { kit, tokens } = house;
  const held = tokens.get(company);
  if (!held) throw new Error(`nobody of ${company.name} is signed in`);
  const word = wordOf(company);
  let made = 0;
  const to = (key: string, value = 100_00): TransferInput =>
    pix(value, {
      integration_id: `${word}-${++made}`,
      pix_description: `${word} descrição`,
      destination_bank_account: { name: `${word} Recebedor ${made}`, pix_key_type: "EMAIL", pix_key: key },
    });
  const own = () => `${word}.${made}@exemplo.com.br`;

  async function done(contract: Contract, input: object, token = held?.admin): Promise<Said["body"]> {
    const options = { ...(token && { token }), headers: { "idempotency-key": randomUUID() } };
    const answer = await kit.call(contract, input, options);
    if (answer.status !== 200) throw new Error(`${contract.id}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
  const draft = (transfers: readonly TransferInput[]): Promise<{ id: string; revision: number }> =>
    done(createBatch, { body: { name: `${word} Lote ${++made}`, transfers } });
  const close = ({ id, revision }: { id: string; revision: number }) =>
    done(closeBatch, { params: { id }, body: { revision } });

  await done(createCredential, { body: { name: `${word} ERP` } });
  const ofValidation = house.tokensFor(company, createValidationCredential).admin;
  await done(createValidationCredential, { body: { name: `${word} Cadastro` } }, ofValidation);

  await kit.deposit(1_000_00, company.pixKeys.find(({ type }) => type === "EMAIL")?.key);
  const paid = await draft([to(own()), to(failingKey)]);
  await close(paid);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await done(requestReceipts, { body: { batch_id: paid.id } });

  const account = { ...ownAccount, name: `${word} Conta própria`, cpfCnpj: company.taxId };
  await done(saveCompanyBankAccount, { body: account });
  await done(withdrawBalance, { body: { value: 50_00 } });

  const billet = (value: number, changes: Partial<BilletInput> = {}): BilletInput =>
    billetOf(value, {
      integration_id: `${word}-${++made}`,
      description: `${word} conta de luz ${made}`,
      ...changes,
    });
  const billetDraft = (billets: readonly BilletInput[]): Promise<{ id: string; revision: number }> =>
    done(createBatch, { body: { name: `${word} Boletos ${++made}`, type: "BILLET", billets } });
  await close(
    await billetDraft([
      billet(10_00),
      billet(11_00, { barcode: magicBarcode(11_00, "15") }),
      billet(12_00, { payment_date: "2026-08-20" }),
    ]),
  );
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await billetDraft([billet(13_00)]);
  await done(changeCompany, { body: { phone: "(11) 98765-4321" } });
  await done(createUser, {
    body: {
      name: `${word} Pessoa`,
      email: `${word}@exemplo.com.br`,
      profile: "analyst",
      applications: ["payments"],
    },
  });

  await draft([to(own())]);
  await draft([{ value: null, destination_bank_account: { name: `${word} sem chave` } }]);
  const asked = await draft([to(own())]);
  await done(
    sendBatchToApproval,
    { params: { id: asked.id }, body: { revision: asked.revision } },
    held.operator,
  );
  await close(await draft([to(own(), 9_000_00)]));
  const gone = await draft([to(own())]);
  await done(deleteBatch, { params: { id: gone.id } });
  for (const state of ["uploaded", "imported", "cancelled"]) {
    const sheet = await upload(kit, held.operator, `${word} ${state}.csv`);
    if (state === "imported") await done(importSheet, { body: { sheet_id: sheet } });
    if (state === "cancelled") await done(cancelSheet, { params: { id: sheet } });
  }
  await kit.drainJobs();
}

async function upload(kit: PaymentsKit, token: string, fileName: string): Promise<string> {
  const content = csvOf([pixHeadings, pixRow({ 0: fileName })]);
  const form = multipart([{ name: "file", fileName, content }]);
  const answer = await kit.send("POST", uploadPath, form, { token, headers: multipartType });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

/** What stands together in one row: its own id, those it points to, and its texts. */
export interface Row {
  /** As in `transfers FAILED in RECEIVED`. */
  kind: string;
  values: readonly string[];
}

const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const isId = (value: string) => idPattern.test(value);

/** Tables under row security, which are those of the companies. */
export async function companyTables({ parts }: PaymentsKit): Promise<string[]> {
  const { rows } = await parts.db.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** One row of each table and state, with every id and text in it that could be asked by. */
export async function rowsOf(kit: PaymentsKit, company: DemoCompany): Promise<Row[]> {
  const found: Row[] = [];
  for (const table of await companyTables(kit)) {
    const { rows } = await kit.parts.db.pool.query<Record<string, unknown>>(
      table === "transfers"
        ? `SELECT receiver_id(t) AS receiver, b.status AS batch_status, t.* FROM transfers t
           JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
           WHERE t.company_id = $1 ORDER BY t.position, t.id`
        : `SELECT * FROM ${table} WHERE company_id = $1 ORDER BY 1, 2`,
      [company.id],
    );
    const seen = new Set<string>();
    for (const { company_id: _, ...row } of rows) {
      const states = [
        row["status"] ?? row["state"],
        row["errors"] && "wrong",
        row["sheet_row"] && "of a sheet",
        (row["barcode"] || row["type"] === "BILLET") && "of billets",
        row["batch_status"],
        row["application"],
      ];
      const kind = [table, ...states.filter((state) => typeof state === "string")].join(" ");
      if (seen.has(kind)) continue;
      seen.add(kind);
      const texts = Object.values(row).filter((value): value is string => typeof value === "string");
      found.push({
        kind,
        values: [...new Set(texts)].filter((text) => text.length >= 3 && text.length <= 100),
      });
    }
  }
  return found;
}
