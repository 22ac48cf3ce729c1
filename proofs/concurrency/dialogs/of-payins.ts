import { createCheckpoint } from "@malote/contracts/company";
import { approveInfractions } from "@malote/contracts/contestations";
import { refundPayin } from "@malote/contracts/payins";
import { reportInfraction } from "@malote/contracts/simulator-payins";
import { type Environment, until } from "../environment.ts";
import type { MoneyDialog, Subject } from "./money-dialog.ts";
import { button } from "./screen.ts";
import { nextNumber } from "./subjects.ts";

/** Creates a Pix with a unique amount, contested by its payer. */
async function contested(environment: Environment): Promise<Subject> {
  const amount = 200_00 + nextNumber();
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

export const ofContestations: MoneyDialog[] = [
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

export const ofPayins: MoneyDialog[] = [
  {
    name: "devolver recebimento",
    contract: refundPayin,
    by: "operator",
    async prepare(environment) {
      const number = nextNumber();
      const amount = 300_00 + number;
      await environment.deposit(amount);
      const name = `300,${String(number % 100).padStart(2, "0")}`;
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
