import * as batchLife from "@malote/contracts/batch-life";
import { firstPolicy } from "@malote/domain/controls";
import type { Page } from "@playwright/test";
import { aurora, type Environment, type Profile } from "../environment.ts";
import { audited, closings } from "./effects.ts";
import type { MoneyDialog, Subject } from "./money-dialog.ts";
import { asked, button, onScreen, openBatch } from "./screen.ts";
import { draft, funded, sentToApproval, tooLarge, waiting } from "./subjects.ts";

const isClosed = (page: Page, subject: Subject) =>
  onScreen(page, subject).getByText(/^(Fechando lote|Recebido|Finalizado)$/);

/** Lets the company's operator approve in addition to the admins. */
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

export const ofClosing: MoneyDialog[] = [
  {
    name: "fechar lote",
    contract: batchLife.closeBatch,
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
    contract: batchLife.closeBatch,
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
    // An admin's approval uses the call that closes.
    name: "aprovar lote",
    contract: batchLife.closeBatch,
    by: "admin",
    prepare: sentToApproval,
    ...approving,
  },
  {
    name: "aprovar lote como operador",
    contract: batchLife.approveBatch,
    by: "operator",
    async prepare(house) {
      await nameOperator(house);
      return sentToApproval(house);
    },
    ...approving,
  },
];

export const ofApproval: MoneyDialog[] = [
  {
    name: "enviar para aprovação",
    contract: batchLife.sendBatchToApproval,
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
    contract: batchLife.rejectBatch,
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

export const ofLine: MoneyDialog[] = [
  {
    name: "voltar para edição",
    contract: batchLife.enableBatchEdit,
    by: "admin",
    prepare: waiting,
    open: async (page, subject) => button(await openBatch(page, subject), "Editar lote"),
    effects: audited("batch_reopened"),
    ended: (page, subject) => onScreen(page, subject).getByText("Rascunho", { exact: true }),
  },
  {
    name: "excluir lote",
    contract: batchLife.deleteBatch,
    by: "admin",
    prepare: waiting,
    open: async (page, subject) =>
      asked(page, button(await openBatch(page, subject), "Excluir lote"), "Excluir lote", "Excluir lote"),
    effects: audited("batch_removed"),
    ended: (page) => page.getByRole("heading", { name: "Seus lotes" }),
  },
];
