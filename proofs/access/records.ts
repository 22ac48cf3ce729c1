/** Two companies with one of everything, and the data that another company could ask for. */
import { randomUUID } from "node:crypto";
import { exportAuditTrail } from "@malote/contracts/audit-trail";
import { closeBatch, deleteBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import type { BoletoInput } from "@malote/contracts/boletos";
import { requestReceivableReport } from "@malote/contracts/card-receivables";
import { changeCompany, saveCompanyBankAccount } from "@malote/contracts/company";
import { approveInfractions, exportInfractions } from "@malote/contracts/contestations";
import type { Contract } from "@malote/contracts/contract";
import { createCredential, createValidationCredential } from "@malote/contracts/developer";
import { cancelSheet, importSheet } from "@malote/contracts/import";
import { changeLimit } from "@malote/contracts/limits";
import { refundPayin, requestPayinReport } from "@malote/contracts/payins";
import { createPaymentLink } from "@malote/contracts/payment-links";
import { claimPixKey, createPixKey, verifyPixKey } from "@malote/contracts/pix-keys";
import { requestReceipts } from "@malote/contracts/receipts";
import { createPayoutReport } from "@malote/contracts/reports";
import { raiseClaim } from "@malote/contracts/simulator";
import { withdrawBalance } from "@malote/contracts/statement";
import { changeTransfer, type TransferInput } from "@malote/contracts/transfers";
import { createUser } from "@malote/contracts/users";
import { createValidation } from "@malote/contracts/validation";
import { goodCard } from "../../apps/api/src/adapters/sandbox/charges/index.ts";
import type { DemoCompany } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { changeSettings } from "../../apps/api/src/company/store.ts";
import { type ChargeRequest, createCharge, findPayinByEndToEndId } from "../../apps/api/src/payins/index.ts";
import type { Answer as Said } from "../../apps/api/src/testing/answer.ts";
import { boletoOf, magicBarcode } from "../../apps/api/src/testing/boletos.ts";
import { defend, pdf, receiveInfraction } from "../../apps/api/src/testing/contestations.ts";
import {
  csvOf,
  multipart,
  multipartType,
  pixHeadings,
  pixRow,
  uploadPath,
} from "../../apps/api/src/testing/import-kit.ts";
import { ownAccount, type PaymentsKit, pix } from "../../apps/api/src/testing/payments-kit.ts";
import type { Environment } from "./environment.ts";

/** A key that the sandbox network refuses to pay. */
const failingKey = "chave.pix15@exemplo.com.br";

/** Returns a word in every text of a company, which no other company may ever read. */
export const wordOf = (company: DemoCompany) => `segredo${company.id.slice(-4)}`;

/** Fills a company with batches in every state, sheets, receivers and money. */
export async function fillCompany(environment: Environment, company: DemoCompany): Promise<void> {
  const { kit, tokens } = environment;
  const held = tokens.get(company);
  if (!held) throw new Error(`no person of ${company.name} is signed in`);
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

  // A pending raise, which an admin may cancel.
  await done(changeLimit, { body: { period: "TRANSACTION", payment_method: "PIX", value: 260_000_00 } });
  await done(createCredential, { body: { name: `${word} ERP` } });
  const ofValidation = environment.tokensFor(company, createValidationCredential).admin;
  await done(createValidationCredential, { body: { name: `${word} Cadastro` } }, ofValidation);
  await kit.services.db.withCompany(company.id, (tx) => changeSettings(tx, { uses_micro_deposit: true }));

  await kit.deposit(1_000_00, company.pixKeys.find(({ type }) => type === "EMAIL")?.key);
  const paid = await draft([to(own()), to(failingKey)]);
  await close(paid);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await done(requestReceipts, { body: { batch_id: paid.id } });
  // An operator's correction waits for an admin.
  const { transfers } = await done(readBatch, { params: { id: paid.id } });
  const failed = transfers.find(({ status }: { status: string }) => status === "FAILED");
  await done(changeTransfer, { params: { id: paid.id, tid: failed.id }, body: to(own()) }, held.operator);

  await receive(environment, company, done);
  await done(createPayoutReport, {
    body: {
      created_at__gte: "2026-08-01",
      created_at__lte: "2026-08-31",
      status__in: ["FAILED"],
      search: word,
    },
  });

  const key = (pix_key: string) => ({ pix_key_type: "EMAIL", pix_key, name: `${word} Validado` });
  const validated = (type: string, body: object) =>
    done(createValidation, { query: { type }, body }, ofValidation);
  await validated("MICRO_DEPOSIT", key(own()));
  await kit.drainJobs();
  await kit.pass({ minutes: 1 });
  await validated("BASIC", key(failingKey));
  await validated("MICRO_DEPOSIT", key(own()));

  await fillKeys(kit, company, done);
  await contestedPix(kit, company, word, held.operator, done);

  const account = { ...ownAccount, name: `${word} ${company.name}`, cpfCnpj: company.taxId };
  await done(saveCompanyBankAccount, { body: account });
  await done(withdrawBalance, { body: { value: 50_00 } });

  const boleto = (value: number, changes: Partial<BoletoInput> = {}): BoletoInput =>
    boletoOf(value, {
      integration_id: `${word}-${++made}`,
      description: `${word} conta de luz ${made}`,
      ...changes,
    });
  const boletoDraft = (boletos: readonly BoletoInput[]): Promise<{ id: string; revision: number }> =>
    done(createBatch, { body: { name: `${word} Boletos ${++made}`, type: "BILLET", billets: boletos } });
  await close(
    await boletoDraft([
      boleto(10_00),
      boleto(11_00, { barcode: magicBarcode(11_00, "15") }),
      boleto(12_00, { payment_date: "2026-08-20" }),
    ]),
  );
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await boletoDraft([boleto(13_00)]);
  await done(createPaymentLink, {
    body: {
      name: `${word} Link`,
      description: `${word} do link`,
      amount: 77_00,
      expires_at: "2026-12-31T12:00:00Z",
      payment_methods: ["pix", "boleto"],
      payment_method_details: { boleto: { due_days: 2 } },
    },
  });
  await done(changeCompany, { body: { phone: "(11) 98765-4321" } });
  await done(createUser, {
    body: {
      name: `${word} Pessoa`,
      email: `${word}@exemplo.com.br`,
      profile: "analyst",
      applications: ["payments"],
    },
  });

  await close(await draft([to(own())]));
  await close(await draft([{ ...to(own()), payment_date: "2026-08-20" }]));
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
  await draft([to(own())]);
  const expired = { payment_date: "2026-08-03" };
  await draft([{ ...expired, value: null, destination_bank_account: { name: `${word} sem chave` } }]);
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

/**
 * Creates keys in every waiting state: for their code, before a claim, for the other side, and for the company's own
 * answer.
 */
async function fillKeys(
  kit: PaymentsKit,
  company: DemoCompany,
  done: (contract: Contract, input: object) => Promise<Said["body"]>,
): Promise<void> {
  const word = wordOf(company);
  const add = (key: string): Promise<{ id: string }> =>
    done(createPixKey, { body: { key_type: "EMAIL", key } });
  await add(`${word}@exemplo.com.br`);
  for (const isAskedFor of [false, true]) {
    // Keys that the sandbox's directory assigns to the same owner at another institution.
    const key = `chave.pix41@${word}${isAskedFor}.example`;
    const { id } = await add(key);
    await kit.drainJobs();
    const email = kit.mails.findLast(({ to }) => to === key);
    const code = /Código: (\d{6})/.exec(email?.text ?? "")?.[1];
    await done(verifyPixKey, { params: { id }, body: { code } });
    await kit.drainJobs();
    if (isAskedFor) await done(claimPixKey, { params: { id } });
    await kit.drainJobs();
  }
  const cnpj = company.pixKeys.find(({ type }) => type === "CNPJ");
  const raised = await kit.call(raiseClaim, { body: { key: cnpj?.key, kind: "PORTABILITY" } });
  if (raised.status !== 200) throw new Error(JSON.stringify(raised.body));
  await kit.pass({ minutes: 5 });
}

/** Receives money by every method, and returns some of it. */
async function receive(
  { kit }: Environment,
  company: DemoCompany,
  done: (contract: Contract, input: object) => Promise<Said["body"]>,
): Promise<void> {
  const word = wordOf(company);
  const payer = { name: `${word} Pagador`, taxId: "52998224725" };
  // A card is charged once per link, so each charge has a link of its own.
  const charge = async (method: ChargeRequest["method"], amount: number) => {
    const link = await done(createPaymentLink, {
      body: {
        name: `${word} pedido`,
        amount,
        expires_at: "2026-12-31T12:00:00Z",
        payment_methods: ["pix"],
      },
    });
    return createCharge(kit.services, company.id, {
      id: randomUUID(),
      paymentLinkId: link.id,
      amount,
      payer,
      description: `${word} pedido`,
      method,
    });
  };
  const card = { number: goodCard, holder: word, expiry: { month: 12, year: 2040 }, securityCode: "123" };
  await charge({ kind: "pix" }, 21_00);
  await charge({ kind: "boleto", dueInBusinessDays: 3 }, 22_00);
  const sale = await charge({ kind: "credit_card", installments: 2, card }, 23_00);
  await charge({ kind: "credit_card", installments: 1, card }, 24_00);
  await done(refundPayin, { params: { id: sale.id }, body: { amount: 23_00 } });
  await kit.charges.sendTed({
    companyId: company.id,
    value: 25_00,
    payer: { name: payer.name, document: payer.taxId },
    purpose: "payment",
  });
  const endToEndId = await kit.deposit(26_00, company.pixKeys.find(({ type }) => type === "EMAIL")?.key);
  const received = await kit.services.db.readCompany(company.id, (tx) =>
    findPayinByEndToEndId(tx, endToEndId),
  );
  await done(refundPayin, { params: { id: received?.id }, body: { amount: 1_00 } });
  await done(requestPayinReport, { body: { search: word } });
  await done(requestReceivableReport, { body: {} });
  await done(exportAuditTrail, { body: {} });
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
}

/** Creates open, accepted and defended infractions, and a file with their list. */
async function contestedPix(
  kit: PaymentsKit,
  company: DemoCompany,
  word: string,
  operator: string,
  done: (contract: Contract, input: object) => Promise<Said["body"]>,
): Promise<void> {
  const pixKey = company.pixKeys.find(({ type }) => type === "EMAIL")?.key ?? "";
  const report = () => receiveInfraction(kit, 10_00, { pixKey, description: `${word} não reconheço` });
  const [approved, defended] = [await report(), await report()];
  await report();
  await done(approveInfractions, { body: { infraction_ids: [approved.id], analysis: "accepted" } });
  const defence = {
    analysis: "rejected",
    analysis_description: `${word} entregue ao cliente`,
    files: [{ name: `${word}.pdf`, content: pdf() }],
  };
  const answer = await defend(kit, operator, defended.id, defence);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await done(exportInfractions, { body: {} });
  await kit.drainJobs();
}

async function upload(kit: PaymentsKit, token: string, fileName: string): Promise<string> {
  const content = csvOf([pixHeadings, pixRow({ 0: fileName })]);
  const form = multipart([{ name: "file", fileName, content }]);
  const answer = await kit.send("POST", uploadPath, form, { token, headers: multipartType });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

/** The values of one row: its own id, the ids it refers to, and its texts. */
export interface Row {
  /** The kind, for example `transfers FAILED in RECEIVED`. */
  kind: string;
  values: readonly string[];
}

const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const isId = (value: string) => idPattern.test(value);

/** Returns the tables under row security, which are those of the companies. */
export async function companyTables({ services }: PaymentsKit): Promise<string[]> {
  const { rows } = await services.db.pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relrowsecurity AND relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** Returns one row of each table and state, with every id and text in it that a call could use. */
export async function rowsOf(kit: PaymentsKit, company: DemoCompany): Promise<Row[]> {
  const found: Row[] = [];
  for (const table of await companyTables(kit)) {
    const { rows } = await kit.services.db.pool.query<Record<string, unknown>>(
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
        row["status"] ?? row["state"] ?? row["analysis_status"],
        row["errors"] && "wrong",
        row["sheet_row"] && "of a sheet",
        (row["barcode"] || row["type"] === "BILLET") && "of billets",
        row["batch_status"],
        row["application"],
        table === "exports" && row["kind"],
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
