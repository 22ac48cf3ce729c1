import * as batchLife from "@malote/contracts/batch-life";
import { addBoleto, changeBoleto, refundBoleto, removeBoleto } from "@malote/contracts/boletos";
import { resendFailures, returnFailures } from "@malote/contracts/failures";
import * as transfers from "@malote/contracts/transfers";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import type { Locator, Page } from "@playwright/test";
import { barcodeOf } from "../../../apps/api/src/testing/boletos.ts";
import type { Environment } from "../environment.ts";
import { audited } from "./effects.ts";
import type { MoneyDialog, Subject } from "./money-dialog.ts";
import { asked, button, onScreen, openBatch } from "./screen.ts";
import { empty, failed, failedBoleto, failedOnce, scheduled, scheduledBoleto, value } from "./subjects.ts";

async function openBoleto(page: Page, subject: Subject): Promise<Locator> {
  await page.goto(`/pagamentos/lotes?lote=${subject.batchId}&pagamento=${subject.transferId}`);
  return page.getByRole("dialog", { name: "Detalhes do boleto" });
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

/** Returns the line as a person types it, always the same for one subject. */
const lineFor = ({ name }: Subject) =>
  formatBoletoLine(barcodeOf(value, null, name.replace(/\D/g, "").padStart(10, "0").padStart(25, "7")));

/** Selects all failures of the batch and opens the button's dialog. */
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

export const ofPayments: MoneyDialog[] = [
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
    contract: resendFailures,
    by: "admin",
    prepare: failedOnce,
    open: (page, subject) => askedOfAll(page, subject, "Tentar de novo", "Tentar de novo"),
    effects: audited("payments_retried"),
    ended: (page, subject) => onScreen(page, subject).getByText("Finalizado", { exact: true }),
  },
  {
    name: "devolver as falhas",
    contract: returnFailures,
    by: "operator",
    prepare: failed,
    open: (page, subject) => askedOfAll(page, subject, "Devolver", "Devolver ao saldo"),
    effects: audited("payments_given_back"),
    ended: (page, subject) => onScreen(page, subject).getByText("Devolvido", { exact: true }).first(),
  },
  {
    name: "devolver boleto ao saldo",
    contract: refundBoleto,
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
    contract: batchLife.cancelScheduledBatch,
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
    contract: removeBoleto,
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
    contract: addBoleto,
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
    contract: changeBoleto,
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
