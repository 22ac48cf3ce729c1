import { randomUUID } from "node:crypto";
import { approveRequest } from "@malote/contracts/controls";
import { withdrawBalance } from "@malote/contracts/statement";
import { createValidation, validateDraftAccount } from "@malote/contracts/validation";
import { aurora, type Environment } from "../environment.ts";
import type { MoneyDialog, Subject } from "./money-dialog.ts";
import { button, openBatch } from "./screen.ts";
import { nextNumber, value, wrongAccounts, wrongDigits } from "./subjects.ts";

/** Each subject is identified by its amount, which its name contains. */
export const ofBalance: MoneyDialog[] = [
  {
    name: "resgatar saldo",
    contract: withdrawBalance,
    by: "operator",
    isTabsOwn: true,
    async prepare(environment) {
      await environment.deposit(value);
      return { name: `1,${String(nextNumber() % 100).padStart(2, "0")}`, batchId: "", transferId: "" };
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
    ended: (page, { name }) => page.getByRole("table", { name: "Extrato" }).getByText(`− R$ ${name}`),
  },
];

/** Creates a withdrawal that Rui requested and another person has to approve; its amount identifies it. */
async function requested(environment: Environment): Promise<Subject> {
  await environment.deposit(value);
  const name = `2,${String(nextNumber() % 100).padStart(2, "0")}`;
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

export const ofRequests: MoneyDialog[] = [
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

/** Each subject is identified by its key, which its name contains. */
export const ofValidations: MoneyDialog[] = [
  {
    name: "fazer validação",
    contract: createValidation,
    by: "operator",
    inside: "validation",
    isTabsOwn: true,
    async prepare(environment) {
      await environment.deposit(value);
      return { name: `prova.${nextNumber()}@exemplo.com.br`, batchId: "", transferId: "" };
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
  {
    name: "validar conta com dígito sugerido",
    contract: validateDraftAccount,
    by: "operator",
    isTabsOwn: true,
    async prepare(environment) {
      await environment.deposit(value);
      return wrongDigits(environment);
    },
    async open(page, subject) {
      const batch = await openBatch(page, subject);
      await button(batch, "Corrigir as duas iguais").click();
      const dialog = page.getByRole("dialog", { name: /^Corrigir 2 / });
      await dialog
        .getByRole("checkbox", { name: /^Joana Prado/ })
        .first()
        .check();
      return dialog.getByRole("button", { name: /^Validar 1 conta por / });
    },
    async effects(environment, subject) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM validations WHERE account = ANY($1)",
        [wrongAccounts(subject)],
      );
      return row?.times ?? 0;
    },
    ended: (page) => page.getByText(/^ContaCerta: /),
  },
];
