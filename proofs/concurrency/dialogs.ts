/** Every place of the screens where money, or what decides about money, is sent by one button. */
import { randomUUID } from "node:crypto";
import * as batches from "@malote/contracts/batches";
import {
  addBillet,
  type BoletoInput,
  changeBillet,
  readBillet,
  refundBillet,
  removeBillet,
} from "@malote/contracts/boletos";
import { readBatchChecks } from "@malote/contracts/checks";
import { createCheckpoint } from "@malote/contracts/company";
import { approveInfractions } from "@malote/contracts/contestations";
import type { Contract } from "@malote/contracts/contract";
import { approveRequest } from "@malote/contracts/controls";
import { giveBackFailures, retryFailures } from "@malote/contracts/failures";
import { importSheet } from "@malote/contracts/import";
import { refundPayin } from "@malote/contracts/payins";
import { reportInfraction } from "@malote/contracts/simulator";
import { withdrawBalance } from "@malote/contracts/statement";
import * as transfers from "@malote/contracts/transfers";
import { createValidation } from "@malote/contracts/validation";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { firstPolicy } from "@malote/domain/controls";
import type { Locator, Page } from "@playwright/test";
import { headingOf } from "../../apps/api/src/payouts/import/sheet/headings.ts";
import { barcodeOf, magicBarcode } from "../../apps/api/src/testing/boletos.ts";
import { aurora, type Environment, type Profile, until } from "./environment.ts";

export interface Subject {
  name: string;
  batchId: string;
  transferId: string;
}

export interface MoneyDialog {
  name: string;
  /** What its button sends. */
  contract: Contract;
  by: Profile;
  /** Left out where it is the payments application. */
  inside?: "validation";
  /** What is filled in belongs to its tab: two tabs are two wishes, and both come true. */
  isTabsOwn?: true;
  prepare(environment: Environment): Promise<Subject>;
  /** Goes as far as the button, and answers it. */
  open(page: Page, subject: Subject): Promise<Locator>;
  /** Asks the question again on the screen beneath it. */
  opener?(page: Page, subject: Subject): Locator;
  /** How often the thing was done. */
  effects(environment: Environment, subject: Subject): Promise<number>;
  /** What the screen then shows by itself. */
  ended(page: Page, subject: Subject): Locator;
}

/** A key of the sandbox network that nobody holds. */
const failingKey = "chave.pix15@exemplo.com.br";
const value = 150_00;
let made = 0;

/** To somebody who was never paid: no value is unusual, so that no question asks for anything to be ticked. */
const payment = (id: string, key = `${id}@exemplo.com.br`) => ({
  id,
  value,
  integration_id: id,
  destination_bank_account: { name: "Joana Prado", pix_key_type: "EMAIL" as const, pix_key: key },
});

async function draft(environment: Environment, key?: string): Promise<Subject> {
  const subject = { name: `Prova ${++made}`, batchId: randomUUID(), transferId: randomUUID() };
  const body = { id: subject.batchId, name: subject.name, transfers: [payment(subject.transferId, key)] };
  await environment.admin(batches.createBatch, { body });
  return subject;
}

async function funded(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  return draft(environment);
}

/** More than there ever is on the balance. */
async function tooLarge(environment: Environment): Promise<Subject> {
  const subject = await draft(environment);
  const { batchId: id, transferId: tid } = subject;
  await environment.admin(transfers.changeTransfer, {
    params: { id, tid },
    body: { ...payment(tid), value: 90_000_00 },
  });
  return subject;
}

async function sentToApproval(environment: Environment): Promise<Subject> {
  const subject = await funded(environment);
  await environment.admin(batches.sendBatchToApproval, { params: { id: subject.batchId }, body: {} });
  return subject;
}

async function waiting(environment: Environment): Promise<Subject> {
  const subject = await tooLarge(environment);
  await close(environment, subject);
  return subject;
}

/** As a person who read and ticked whatever the checks before paying ask for. */
async function close(environment: Environment, { batchId: id }: Subject): Promise<void> {
  const { revision, missing } = await environment.admin(readBatchChecks, { params: { id } });
  const confirmations = missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
  await environment.admin(batches.closeBatch, { params: { id }, body: { revision, confirmations } });
}

async function failed(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const subject = await draft(environment, failingKey);
  await close(environment, subject);
  await until("the payment failed", async () => {
    const { status } = await environment.admin(transfers.readTransfer, {
      params: { id: subject.transferId },
    });
    return status === "FAILED";
  });
  return subject;
}

async function boletoBatch(
  environment: Environment,
  boleto: Omit<BoletoInput, "id" | "value" | "description">,
) {
  await environment.deposit(value);
  const subject = { name: `Prova ${++made}`, batchId: randomUUID(), transferId: randomUUID() };
  const boletos = [{ id: subject.transferId, value, description: "Aluguel da prova", ...boleto }];
  const body = { id: subject.batchId, name: subject.name, type: "BILLET" as const, billets: boletos };
  await environment.admin(batches.createBatch, { body });
  await close(environment, subject);
  return subject;
}

/** Boletos settle by day: what would happen when the next one opens is made to happen now. */
async function failedBoleto(environment: Environment): Promise<Subject> {
  const subject = await boletoBatch(environment, { barcode: magicBarcode(value, "15") });
  await until("the boleto failed", async () => {
    await environment.ask("UPDATE transfers SET execute_at = now() WHERE id = $1 AND status = 'SCHEDULED'", [
      subject.transferId,
    ]);
    await environment.ask(
      `UPDATE sandbox.events SET due_at = now() WHERE delivered_at IS NULL
         AND end_to_end_id = (SELECT end_to_end_id FROM transfers WHERE id = $1)`,
      [subject.transferId],
    );
    const { status } = await environment.admin(readBillet, { params: { id: subject.transferId } });
    return status === "FAILED";
  });
  return subject;
}

const tenDaysMs = 10 * 24 * 3_600_000;

async function scheduledBoleto(environment: Environment): Promise<Subject> {
  const payment_date = new Date(Date.now() + tenDaysMs).toISOString().slice(0, 10);
  const subject = await boletoBatch(environment, { barcode: barcodeOf(value), payment_date });
  await until("the boleto is scheduled", async () => {
    const { status } = await environment.admin(readBillet, { params: { id: subject.transferId } });
    return status === "SCHEDULED";
  });
  return subject;
}

async function scheduled(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const subject = { name: `Prova ${++made}`, batchId: randomUUID(), transferId: randomUUID() };
  const payment_date = new Date(Date.now() + tenDaysMs).toISOString().slice(0, 10);
  const body = {
    id: subject.batchId,
    name: subject.name,
    transfers: [{ ...payment(subject.transferId), payment_date }],
  };
  await environment.admin(batches.createBatch, { body });
  await close(environment, subject);
  await until("the payment is scheduled", async () => {
    const { status } = await environment.admin(transfers.readTransfer, {
      params: { id: subject.transferId },
    });
    return status === "SCHEDULED";
  });
  return subject;
}

async function openBoleto(page: Page, subject: Subject): Promise<Locator> {
  await page.goto(`/pagamentos/lotes?lote=${subject.batchId}&pagamento=${subject.transferId}`);
  return page.getByRole("dialog", { name: "Detalhes do boleto" });
}

async function empty(environment: Environment, type: "BILLET" | "TRANSFER" = "TRANSFER"): Promise<Subject> {
  const subject = { name: `Prova ${++made}`, batchId: randomUUID(), transferId: "" };
  await environment.admin(batches.createBatch, { body: { id: subject.batchId, name: subject.name, type } });
  return subject;
}

const paymentsOf = async (environment: Environment, { batchId }: Subject): Promise<number> => {
  const [row] = await environment.ask<{ times: number }>(
    "SELECT count(*)::int AS times FROM transfers WHERE batch_id = $1",
    [batchId],
  );
  return row?.times ?? 0;
};
const firstPayment = (page: Page) =>
  page.getByRole("list", { name: "Pagamentos do lote" }).getByRole("listitem").first();

/** As a person types it; of one subject always the same. */
const lineFor = ({ name }: Subject) =>
  formatBoletoLine(barcodeOf(value, null, name.replace(/\D/g, "").padStart(25, "7")));

const onScreen = (page: Page, { name }: Subject) => page.getByRole("dialog", { name, exact: true });
const button = (place: Locator, name: string) => place.getByRole("button", { name, exact: true });

async function openBatch(page: Page, subject: Subject): Promise<Locator> {
  await page.goto("/pagamentos/lotes");
  await page.getByRole("link", { name: `Abrir o lote ${subject.name}`, exact: true }).click();
  return onScreen(page, subject);
}

/** What the network refused once and would take now. */
async function failedOnce(environment: Environment): Promise<Subject> {
  const subject = await failed(environment);
  await environment.ask("UPDATE transfers SET pix_key = 'joana@exemplo.com.br' WHERE id = $1", [
    subject.transferId,
  ]);
  return subject;
}

/** All failures of the batch are ticked, and the button asks its question. */
async function askedOfAll(page: Page, subject: Subject, opener: string, title: string): Promise<Locator> {
  const batch = await openBatch(page, subject);
  await batch.getByRole("checkbox", { name: "Selecionar todas as falhas" }).check();
  return asked(page, button(batch, opener), title, title);
}

async function openFailed(page: Page, subject: Subject): Promise<Locator> {
  const batch = await openBatch(page, subject);
  await batch.getByRole("list", { name: "Pagamentos do lote" }).getByRole("button").first().click();
  return page.getByRole("dialog", { name: "Detalhes da transferência" });
}

/** The question that a button of the batch asks, and its answer. */
async function asked(page: Page, opener: Locator, title: string, answer: string): Promise<Locator> {
  await opener.click();
  return button(page.getByRole("dialog", { name: title }), answer);
}

const audited =
  (...actions: string[]) =>
  async (environment: Environment, { batchId, transferId }: Subject) => {
    const [row] = await environment.ask<{ times: number }>(
      "SELECT count(*)::int AS times FROM audit_entries WHERE subject_id = ANY($1) AND action = ANY($2)",
      [[batchId, transferId], actions],
    );
    return row?.times ?? 0;
  };

/** Closed as often as the audit trail says, and money reserved as often; asked at once, or a closing gets in between. */
async function closings(environment: Environment, { batchId }: Subject): Promise<number> {
  const [row] = await environment.ask<{ closings: number; reserved: number; is_paid: boolean }>(
    `SELECT b.status <> 'WAITING' AS is_paid,
       (SELECT count(*)::int FROM audit_entries
        WHERE subject_id = b.id::text AND action IN ('batch_closed', 'batch_approved')) AS closings,
       (SELECT count(*)::int FROM ledger_transactions
        WHERE company_id = b.company_id AND cause LIKE 'close:' || b.id || ':%') AS reserved
     FROM batches b WHERE b.id = $1`,
    [batchId],
  );
  if (!row) throw new Error("the batch is gone");
  const { closings, reserved, is_paid } = row;
  if (reserved !== (is_paid ? closings : 0))
    throw new Error(`closed ${closings} times, and money was reserved ${reserved} times`);
  return closings;
}

const isClosed = (page: Page, subject: Subject) =>
  onScreen(page, subject).getByText(/^(Fechando lote|Recebido|Finalizado)$/);

/** The company lets its operator approve beside the admins. */
async function nameOperator(house: Environment): Promise<void> {
  const idOf = (profile: Profile) => aurora?.users.find((user) => user.profile === profile)?.id;
  await house.ask(
    `INSERT INTO control_policies (company_id, version, policy, in_force_at, made_at, made_by, made_by_name)
     SELECT $1, coalesce(max(version), 0) + 1, $2, now(), now(), $3, 'Helena Prado' FROM control_policies WHERE company_id = $1`,
    [aurora?.id, JSON.stringify({ ...firstPolicy, operatorApprovers: [idOf("operator")] }), idOf("admin")],
  );
}

const approving: Pick<MoneyDialog, "open" | "opener" | "effects" | "ended"> = {
  open: async (page, subject) =>
    asked(page, button(await openBatch(page, subject), "Aprovar"), "Confirmação", "Aprovar lote"),
  opener: (page, subject) => button(onScreen(page, subject), "Aprovar"),
  effects: closings,
  ended: isClosed,
};

const ofClosing: MoneyDialog[] = [
  {
    name: "fechar lote",
    contract: batches.closeBatch,
    by: "admin",
    prepare: funded,
    open: async (page, subject) =>
      asked(page, button(await openBatch(page, subject), "Fechar lote"), "Confirmação", "Fechar lote"),
    opener: (page, subject) => button(onScreen(page, subject), "Fechar lote"),
    effects: closings,
    ended: isClosed,
  },
  {
    name: "fechar lote sem saldo",
    contract: batches.closeBatch,
    by: "admin",
    prepare: tooLarge,
    async open(page, subject) {
      const batch = await openBatch(page, subject);
      await button(batch, "Continuar").click();
      return asked(page, button(batch, "Pronto para pagar"), "Confirmação", "Fechar lote");
    },
    opener: (page, subject) => button(onScreen(page, subject), "Pronto para pagar"),
    effects: closings,
    ended: (page, subject) => onScreen(page, subject).getByText("Aguardando recebimento", { exact: true }),
  },
  {
    // An admin's approval goes the way of a close.
    name: "aprovar lote",
    contract: batches.closeBatch,
    by: "admin",
    prepare: sentToApproval,
    ...approving,
  },
  {
    name: "aprovar lote como operador",
    contract: batches.approveBatch,
    by: "operator",
    async prepare(house) {
      await nameOperator(house);
      return sentToApproval(house);
    },
    ...approving,
  },
];

const ofApproval: MoneyDialog[] = [
  {
    name: "enviar para aprovação",
    contract: batches.sendBatchToApproval,
    by: "operator",
    prepare: draft,
    async open(page, subject) {
      const batch = await openBatch(page, subject);
      await button(batch, "Continuar").click();
      return button(batch, "Enviar para aprovação");
    },
    effects: audited("batch_sent_to_approval"),
    ended: (page, subject) => onScreen(page, subject).getByText("Aguardando aprovação", { exact: true }),
  },
  {
    name: "reprovar lote",
    contract: batches.reproveBatch,
    by: "admin",
    prepare: sentToApproval,
    async open(page, subject) {
      const batch = await openBatch(page, subject);
      return asked(page, button(batch, "Reprovar"), `Reprovar o lote ${subject.name}?`, "Reprovar lote");
    },
    effects: audited("batch_reproved"),
    ended: (page, subject) => onScreen(page, subject).getByText("Rascunho", { exact: true }),
  },
];

const ofLine: MoneyDialog[] = [
  {
    name: "voltar para edição",
    contract: batches.enableBatchEdit,
    by: "admin",
    prepare: waiting,
    open: async (page, subject) => button(await openBatch(page, subject), "Editar lote"),
    effects: audited("batch_reopened"),
    ended: (page, subject) => onScreen(page, subject).getByText("Rascunho", { exact: true }),
  },
  {
    name: "excluir lote",
    contract: batches.deleteBatch,
    by: "admin",
    prepare: waiting,
    open: async (page, subject) =>
      asked(page, button(await openBatch(page, subject), "Excluir lote"), "Excluir lote", "Excluir lote"),
    effects: audited("batch_removed"),
    ended: (page) => page.getByRole("heading", { name: "Seus lotes" }),
  },
];

const ofPayments: MoneyDialog[] = [
  {
    name: "corrigir pagamento com falha",
    contract: transfers.changeTransfer,
    by: "admin",
    prepare: failed,
    async open(page, subject) {
      const details = await openFailed(page, subject);
      await button(details, "Corrigir pagamento").click();
      const form = page.getByRole("dialog", { name: "Editar pagamento" });
      await form.getByRole("textbox", { name: /^Chave Pix/ }).fill("certa@exemplo.com.br");
      return button(form, "Salvar correção");
    },
    effects: audited("transfer_corrected"),
    ended: (page) => page.getByRole("dialog", { name: "Detalhes da transferência" }),
  },
  {
    name: "devolver ao saldo",
    contract: transfers.refundTransfer,
    by: "admin",
    prepare: failed,
    open: async (page, subject) =>
      asked(
        page,
        button(await openFailed(page, subject), "Devolver ao saldo"),
        "Editar dados de pagamento",
        "Devolver ao saldo",
      ),
    effects: audited("transfers_refunded"),
    ended: (page) =>
      page.getByRole("dialog", { name: "Detalhes da transferência" }).getByText("Devolvida em"),
  },
  {
    name: "tentar de novo as falhas",
    contract: retryFailures,
    by: "admin",
    prepare: failedOnce,
    open: (page, subject) => askedOfAll(page, subject, "Tentar de novo", "Tentar de novo"),
    effects: audited("payments_retried"),
    ended: (page, subject) => onScreen(page, subject).getByText("Finalizado", { exact: true }),
  },
  {
    name: "devolver as falhas",
    contract: giveBackFailures,
    by: "operator",
    prepare: failed,
    open: (page, subject) => askedOfAll(page, subject, "Devolver", "Devolver ao saldo"),
    effects: audited("payments_given_back"),
    ended: (page, subject) => onScreen(page, subject).getByText("Devolvido", { exact: true }).first(),
  },
  {
    name: "devolver boleto ao saldo",
    contract: refundBillet,
    by: "admin",
    prepare: failedBoleto,
    open: async (page, subject) =>
      asked(
        page,
        button(await openBoleto(page, subject), "Devolver ao saldo"),
        "Devolver boleto ao saldo",
        "Devolver ao saldo",
      ),
    effects: audited("billet_refunded"),
    ended: (page) => page.getByRole("dialog", { name: "Detalhes do boleto" }).getByText("Devolvido").first(),
  },
  {
    name: "cancelar lote agendado",
    contract: batches.cancelScheduledBatch,
    by: "operator",
    prepare: scheduled,
    async open(page, subject) {
      const batch = await openBatch(page, subject);
      await button(batch, "Mais ações").click();
      await page.getByRole("menuitem", { name: "Cancelar lote" }).click();
      const question = page.getByRole("dialog", { name: `Cancelar o lote ${subject.name}?` });
      return button(question, "Cancelar lote");
    },
    effects: audited("batch_cancelled"),
    ended: (page, subject) => onScreen(page, subject).getByText("Cancelado", { exact: true }),
  },
  {
    name: "cancelar agendamento de boleto",
    contract: removeBillet,
    by: "operator",
    prepare: scheduledBoleto,
    open: async (page, subject) =>
      asked(
        page,
        button(await openBoleto(page, subject), "Cancelar agendamento"),
        "Cancelar agendamento",
        "Cancelar agendamento",
      ),
    effects: audited("billet_cancelled"),
    ended: (page) => page.getByRole("dialog", { name: "Detalhes do boleto" }).getByText("Devolvido").first(),
  },
  {
    name: "incluir pagamento",
    contract: transfers.addTransfer,
    by: "operator",
    isTabsOwn: true,
    prepare: (environment) => empty(environment),
    async open(page, subject) {
      await openBatch(page, subject);
      await page.goto(`/pagamentos/lotes?lote=${subject.batchId}&pagamento=novo`);
      const form = page.getByRole("dialog", { name: "Criar novo pagamento" });
      await form.getByRole("radio", { name: "E-mail" }).check();
      await form.getByRole("textbox", { name: /^Chave Pix/ }).fill("joana@exemplo.com.br");
      await form.getByLabel(/^Nome ou razão social/).fill("Joana Prado");
      await form.getByLabel(/^Qual o valor/).fill("150,00");
      return button(form, "Salvar pagamento");
    },
    effects: paymentsOf,
    ended: firstPayment,
  },
  {
    name: "incluir boleto",
    contract: addBillet,
    by: "operator",
    isTabsOwn: true,
    prepare: (environment) => empty(environment, "BILLET"),
    async open(page, subject) {
      await openBatch(page, subject);
      await page.goto(`/pagamentos/lotes?lote=${subject.batchId}&pagamento=novo`);
      const form = page.getByRole("dialog", { name: "Adicionar boleto" });
      await form.getByLabel("Linha digitável ou código de barras").fill(lineFor(subject));
      await form.getByLabel("Descrição", { exact: true }).fill("Aluguel da prova");
      return button(form, "Salvar boleto");
    },
    effects: paymentsOf,
    ended: firstPayment,
  },
  {
    name: "corrigir boleto com falha",
    contract: changeBillet,
    by: "admin",
    prepare: failedBoleto,
    async open(page, subject) {
      await button(await openBoleto(page, subject), "Corrigir boleto").click();
      const form = page.getByRole("dialog", { name: "Editar boleto" });
      await form.getByLabel("Linha digitável ou código de barras").fill(lineFor(subject));
      return button(form, "Salvar correção");
    },
    effects: audited("billet_corrected"),
    ended: (page) => page.getByRole("dialog", { name: "Detalhes do boleto" }),
  },
];

const sheet = [
  [headingOf.pixKeyType, headingOf.pixKey, headingOf.value].join(";"),
  "EMAIL;joana@exemplo.com.br;150,00",
].join("\r\n");

/** The button is the choice of a file: it is sent, and becomes a draft, at once. */
const ofSheets: MoneyDialog[] = [
  {
    name: "criar lote de planilha",
    contract: importSheet,
    by: "operator",
    isTabsOwn: true,
    prepare: async () => ({ name: `Prova ${++made}`, batchId: "", transferId: "" }),
    async open(page, { name }) {
      await page.goto("/pagamentos/lotes");
      await page.getByRole("link", { name: "Importação", exact: true }).click();
      await page.getByLabel("Escolher planilha").waitFor({ state: "attached" });
      // A button of the proof's own, so that whatever is done to a button can be done to the choice of a file.
      await page.evaluate(
        ({ file, text }) => {
          document.getElementById("proof")?.remove();
          const choose = document.createElement("button");
          choose.id = "proof";
          choose.textContent = "Escolher de novo";
          choose.onclick = () => {
            const input = document.querySelector<HTMLInputElement>("input[type=file]");
            const carried = new DataTransfer();
            carried.items.add(new File([text], file, { lastModified: 0 }));
            if (!input) return;
            input.files = carried.files;
            input.dispatchEvent(new Event("change", { bubbles: true }));
          };
          document.body.append(choose);
        },
        { file: `${name}.csv`, text: sheet },
      );
      return page.locator("#proof");
    },
    async effects(environment, { name }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM batches WHERE spreadsheet_file_name = $1 AND status <> 'REMOVED'",
        [`${name}.csv`],
      );
      return row?.times ?? 0;
    },
    ended: (page, subject) => onScreen(page, subject).getByText("Rascunho", { exact: true }),
  },
];

/** Distinguished from all others by its amount, of which it is named. */
const ofBalance: MoneyDialog[] = [
  {
    name: "resgatar saldo",
    contract: withdrawBalance,
    by: "operator",
    isTabsOwn: true,
    async prepare(environment) {
      await environment.deposit(value);
      return { name: `1,${String(++made % 100).padStart(2, "0")}`, batchId: "", transferId: "" };
    },
    async open(page, { name }) {
      await page.goto("/pagamentos/saldo");
      await page.getByRole("button", { name: "Resgatar saldo", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Resgatar saldo" });
      await dialog.getByLabel("Quanto você quer resgatar?").fill(name);
      return button(dialog, "Confirmar");
    },
    async effects(environment, { name }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM batches WHERE type = 'WITHDRAWAL' AND value = $1",
        [name.replace(",", "")],
      );
      return row?.times ?? 0;
    },
    ended: (page, { name }) => page.getByRole("table", { name: "Extrato" }).getByText(`− ${name}`),
  },
];

/** A withdrawal that Rui asked for and that another person has to approve; distinguished from all others by its amount. */
async function requested(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const name = `2,${String(++made % 100).padStart(2, "0")}`;
  const [id, requestedBy, amount] = [randomUUID(), randomUUID(), Number(name.replace(",", ""))];
  await environment.ask(
    `INSERT INTO approval_requests (company_id, id, kind, object_id, payload, facts, amount, digest, requested_by_kind,
       requested_by, requested_by_name, preparers, has_unknown_preparer, approvers_min, status, created_at, expires_at)
     SELECT a.company_id, $1, 'WITHDRAWAL', $2, jsonb_build_object('value', $3::bigint, 'account', a.account), $4, $3, $5, 'user',
       $6, 'Rui Tavares', ARRAY[$6::uuid], false, 1, 'pending', now(), now() + interval '1 hour'
     FROM company_bank_accounts a WHERE a.source = 'WITHDRAW' AND a.company_id = $7`,
    [
      id,
      randomUUID(),
      amount,
      JSON.stringify([{ label: "Valor", value: `R$ ${name}` }]),
      "f".repeat(64),
      requestedBy,
      aurora?.id,
    ],
  );
  return { name, batchId: "", transferId: id };
}

const ofRequests: MoneyDialog[] = [
  {
    name: "aprovar resgate",
    contract: approveRequest,
    by: "admin",
    prepare: requested,
    async open(page, { name }) {
      await page.goto("/pagamentos/lotes/aprovacoes");
      const request = page.getByRole("listitem").filter({ hasText: `R$ ${name}` });
      await button(request, "Aprovar").click();
      return button(page.getByRole("dialog", { name: /^Aprovar: / }), "Aprovar");
    },
    async effects(environment, { name }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM batches WHERE type = 'WITHDRAWAL' AND value = $1",
        [name.replace(",", "")],
      );
      return row?.times ?? 0;
    },
    ended: (page) => page.getByText("Nenhum pedido aguarda aprovação."),
  },
];

/** Distinguished from all others by its key, of which it is named. */
const ofValidations: MoneyDialog[] = [
  {
    name: "fazer validação",
    contract: createValidation,
    by: "operator",
    inside: "validation",
    isTabsOwn: true,
    async prepare(environment) {
      await environment.deposit(value);
      return { name: `prova.${++made}@exemplo.com.br`, batchId: "", transferId: "" };
    },
    async open(page, { name }) {
      await page.goto("/contacerta/validacoes/historico");
      await page.getByRole("link", { name: "Nova validação" }).first().click();
      await page.getByText("Microdepósito", { exact: true }).click();
      await page.getByText("E-mail", { exact: true }).click();
      await page.getByRole("textbox", { name: "E-mail" }).fill(name);
      return page.getByRole("button", { name: "Fazer validação" });
    },
    async effects(environment, { name }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM validations WHERE pix_key = $1",
        [name],
      );
      return row?.times ?? 0;
    },
    ended: (page) => page.getByRole("heading", { name: "Dados validados" }),
  },
];

/** A Pix of an amount of its own, contested by its payer. */
async function contested(environment: Environment): Promise<Subject> {
  const amount = 200_00 + ++made;
  await environment.admin(createCheckpoint, { body: { location: "HAS_ACCEPTED_INFRACTION_TERMS" } });
  await environment.deposit(amount);
  const [pix] = await environment.ask<{ end_to_end_id: string }>(
    "SELECT end_to_end_id FROM payins WHERE amount = $1",
    [amount],
  );
  await environment.admin(reportInfraction, {
    body: { end_to_end_id: pix?.end_to_end_id ?? "", situation_type: "scam" },
  });
  let id = "";
  await until("the infraction is received", async () => {
    const [row] = await environment.ask<{ id: string }>("SELECT id FROM infractions WHERE amount = $1", [
      amount,
    ]);
    id = row?.id ?? "";
    return id !== "";
  });
  return { name: `R$ 200,${String(amount % 100).padStart(2, "0")}`, batchId: "", transferId: id };
}

const ofContestations: MoneyDialog[] = [
  {
    name: "aprovar infração",
    contract: approveInfractions,
    by: "admin",
    prepare: contested,
    async open(page, { name }) {
      await page.goto("/contestacoes/infracoes");
      const row = page.getByRole("row").filter({ hasText: name });
      await row.getByRole("checkbox").check();
      await button(page.locator("body"), "Aprovar selecionadas").click();
      return button(page.getByRole("dialog", { name: "Aprovar 1 infração?" }), "Aprovar infração");
    },
    async effects(environment, { transferId }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM infraction_refund_movements WHERE infraction_id = $1",
        [transferId],
      );
      return row?.times ?? 0;
    },
    ended: (page, { name }) =>
      page.getByRole("row").filter({ hasText: name }).getByText("Aprovada", { exact: true }),
  },
];

const ofPayins: MoneyDialog[] = [
  {
    name: "devolver recebimento",
    contract: refundPayin,
    by: "operator",
    async prepare(environment) {
      const amount = 300_00 + ++made;
      await environment.deposit(amount);
      const name = `300,${String(made % 100).padStart(2, "0")}`;
      return { name, batchId: "", transferId: String(amount) };
    },
    async open(page, { name }) {
      await page.goto("/recebimentos/recebiveis");
      const row = page.getByRole("row").filter({ hasText: name });
      await row.getByRole("button", { name: /^Devolver/ }).click();
      const dialog = page.getByRole("dialog", { name: "Devolver recebimento" });
      await dialog.getByLabel("Valor da devolução").fill(name);
      await button(dialog, "Continuar").click();
      return button(dialog, "Devolver");
    },
    async effects(environment, { transferId }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM payin_refunds WHERE amount = $1",
        [transferId],
      );
      return row?.times ?? 0;
    },
    ended: (page, { name }) =>
      page
        .getByRole("row")
        .filter({ hasText: name })
        .getByText(/^(Devolvido|Processando)$/),
  },
];

export const moneyDialogs: readonly MoneyDialog[] = [
  ...ofClosing,
  ...ofPayments,
  ...ofApproval,
  ...ofLine,
  ...ofSheets,
  ...ofBalance,
  ...ofRequests,
  ...ofValidations,
  ...ofContestations,
  ...ofPayins,
];
