/** A bank that is out of order for an hour, and the people who resolve its failed payments. */
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { changeRails, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance } from "@malote/contracts/statement";
import type { Locator, Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { admin, operator, signIn, signOut } from "./steps.ts";
import { expect, test } from "./test.ts";

const name = "Folha de agosto";
const receivers = ["Ana Lima", "Bento Cruz", "Caio Reis", "Dora Melo", "Eva Pinto", "Fábio Luz"];
const worth = (n: number) => (n + 1) * 10_00;
const total = receivers.reduce((sum, _, n) => sum + worth(n), 0);

/** Created by the operator, closed by the admin, and refused from the first payment to the last. */
async function failedBatch(url: string) {
  const asOperator = await actAs(url, operator);
  const asAdmin = await actAs(url, admin);
  const { companies } = await asAdmin(readSimulator);
  await asAdmin(depositPix, { body: { pix_key: companies[0]!.pix_key, value: total } });
  await expect.poll(async () => (await asAdmin(readBalance)).value).toBe(total);
  await asAdmin(changeRails, { body: { pix_latency_ms: 0, failure_percent: 100 } });
  const transfers = receivers.map((receiver, n) => ({
    value: worth(n),
    destination_bank_account: {
      name: receiver,
      pix_key_type: "EMAIL" as const,
      pix_key: `pessoa.${n}@exemplo.com.br`,
    },
  }));
  const { id } = await asOperator(createBatch, { body: { name, transfers } });
  await asAdmin(closeBatch, { params: { id }, body: {} });
  const failures = async () => (await asAdmin(readBatch, { params: { id } })).failed_count;
  await expect.poll(failures).toBe(receivers.length);
  return { asAdmin, failures };
}

async function openFailures(page: Page): Promise<Locator> {
  await page.getByRole("link", { name: "Ver as falhas" }).click();
  const batch = page.getByRole("dialog", { name, exact: true });
  await expect(batch.getByRole("list", { name: "Falhas" })).toBeVisible();
  return batch;
}

const heading = (batch: Locator, count: number) =>
  batch.getByRole("heading", { name: new RegExp(`^${count} pagamentos com falha`) });

async function choose(batch: Locator, ...names: readonly string[]): Promise<void> {
  for (const one of names) await batch.getByRole("checkbox", { name: `Selecionar ${one}` }).check();
  await expect(batch.getByText(`${names.length} falhas selecionadas`)).toBeVisible();
}

async function resolve(batch: Locator, way: string, title: string): Promise<void> {
  await batch.getByRole("button", { name: way, exact: true }).click();
  const question = batch.page().getByRole("dialog", { name: title, exact: true });
  await expect(question).toContainText("2 pagamentos");
  // A double click acts once.
  await question.getByRole("button", { name: title, exact: true }).dblclick();
  await expect(question).toBeHidden();
}

test("failed payments are resent, returned and left unchanged, and an operator reads whom to ask", async ({
  page,
  server,
}) => {
  const { asAdmin, failures } = await failedBatch(server.url);
  await signIn(page, admin);

  await test.step("the bank is still out of order: a resent payment fails again", async () => {
    await expect(page.getByText(`6 pagamentos falharam no lote ${name}`)).toBeVisible();
    const batch = await openFailures(page);
    await expect(heading(batch, 6)).toBeVisible();
    await choose(batch, "Ana Lima", "Bento Cruz");
    await resolve(batch, "Tentar de novo", "Tentar de novo");
    await expect(page.getByText("2 pagamentos enviados de novo.")).toBeVisible();
    await expect.poll(failures).toBe(6);
    await expect(heading(batch, 6)).toBeVisible();
  });

  await test.step("the bank works again, and the payments arrive", async () => {
    await asAdmin(changeRails, { body: { failure_percent: 0 } });
    const batch = page.getByRole("dialog", { name, exact: true });
    await choose(batch, "Ana Lima", "Bento Cruz");
    await resolve(batch, "Tentar de novo", "Tentar de novo");
    await expect(heading(batch, 4)).toBeVisible();
    await expect(batch.getByRole("checkbox", { name: "Selecionar Ana Lima" })).toHaveCount(0);
  });

  await test.step("Esc, X and Back close the question, and a reload changes nothing", async () => {
    const leaves: readonly (() => Promise<unknown>)[] = [
      () => page.keyboard.press("Escape"),
      () => page.getByRole("dialog", { name }).getByRole("button", { name: "Fechar", exact: true }).click(),
      () => page.goBack(),
    ];
    await page.keyboard.press("Escape");
    for (const leave of leaves) {
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await openFailures(page);
      await leave();
    }
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await openFailures(page);
    await page.reload();
    await expect(heading(page.getByRole("dialog", { name, exact: true }), 4)).toBeVisible();
  });

  await test.step("two payments are returned, and their money is on the balance", async () => {
    const batch = page.getByRole("dialog", { name, exact: true });
    await choose(batch, "Caio Reis", "Dora Melo");
    await resolve(batch, "Devolver", "Devolver ao saldo");
    await expect(page.getByText("2 pagamentos devolvidos ao saldo.")).toBeVisible();
    await expect(heading(batch, 2)).toBeVisible();
    expect((await asAdmin(readBalance)).value).toBe(worth(2) + worth(3));
  });

  await test.step("the company's controls forbid both actions to operators", async () => {
    await page.goto("/minha-empresa/controles");
    await page.getByRole("switch", { name: "Corrigem pagamentos com falha" }).click();
    await page.getByRole("switch", { name: "Devolvem pagamentos com falha ao saldo" }).click();
    await page.getByRole("button", { name: "Salvar controles" }).click();
    await expect(page.getByText("Controles salvos.")).toBeVisible();
    await signOut(page);
  });

  await test.step("the operator who created the batch sees what failed, and whom to ask", async () => {
    await signIn(page, operator);
    const batch = await openFailures(page);
    await expect(heading(batch, 2)).toBeVisible();
    await expect(batch).toContainText("só administradores corrigem pagamentos com falha. Peça a um deles.");
    await expect(batch).toContainText("Administradores: Helena Prado.");
    await expect(batch.getByRole("list", { name: "Falhas" })).toContainText("Eva Pinto");
    await expect(batch.getByRole("checkbox")).toHaveCount(0);
    for (const way of ["Tentar de novo", "Devolver"])
      await expect(batch.getByRole("button", { name: way, exact: true })).toHaveCount(0);
  });
});
