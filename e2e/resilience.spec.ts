import { readBatch } from "@malote/contracts/batches";
import { logout } from "@malote/contracts/session";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance } from "@malote/contracts/statement";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import type { Locator, Page } from "@playwright/test";
import { actAs, demoPassword, send } from "./api.ts";
import { admin, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const typed = { key: "joana@exemplo.com.br", name: "Joana Prado" };

/** A new batch whose first payment's form is open and filled, not saved. */
async function fillPayment(page: Page): Promise<Locator> {
  await page.goto("/pagamentos/lotes");
  await page.getByRole("button", { name: "Novo lote" }).first().click();
  await page.getByRole("menuitem", { name: "Lotes de Transferências" }).click();
  const form = page.getByRole("dialog", { name: "Criar novo pagamento" });
  await form.getByRole("radio", { name: "E-mail" }).check();
  await form.getByRole("textbox", { name: /^Chave Pix/ }).fill(typed.key);
  await form.getByLabel(/^Nome ou razão social/).fill(typed.name);
  await form.getByLabel(/^Qual o valor/).fill("150,00");
  return form;
}

async function expectTyped(form: Locator): Promise<void> {
  await expect(form.getByRole("textbox", { name: /^Chave Pix/ })).toHaveValue(typed.key);
  await expect(form.getByLabel(/^Nome ou razão social/)).toHaveValue(typed.name);
  await expect(form.getByLabel(/^Qual o valor/)).toHaveValue("R$ 150,00");
}

async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByRole("dialog", { name: "Criar novo pagamento" })).toBeHidden();
  await expect(page.getByRole("list", { name: "Pagamentos do lote" })).toContainText(typed.name);
  await expect(page.getByRole("list", { name: "Pagamentos do lote" }).getByRole("listitem")).toHaveCount(1);
}

test("SES-062 a session that ends during a form asks for the password above it, and typed text is kept", async ({
  page,
  server,
}) => {
  await signIn(page, admin);
  const form = await fillPayment(page);
  const token = await page.evaluate((key) => localStorage.getItem(key), tokenStorageKey);
  expect((await send(server.url, token ?? "", logout)).status).toBe(200);

  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  const again = page.getByRole("dialog", { name: "Sua sessão expirou" });
  await again.getByLabel("Senha", { exact: true }).fill(demoPassword);
  await again.getByRole("button", { name: "Entrar e continuar" }).click();
  await expectSaved(page);
});

test("SES-065 without a network the form stays unchanged, and is sent when the network returns", async ({
  page,
  context,
}) => {
  await signIn(page, admin);
  const form = await fillPayment(page);
  await context.setOffline(true);
  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  await expect(page.getByText("Você parece estar offline")).toBeVisible();
  await expectTyped(form);

  await context.setOffline(false);
  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  await expectSaved(page);
});

test("a reload during a form offers what was typed", async ({ page }) => {
  await signIn(page, admin);
  await fillPayment(page);
  page.once("dialog", (question) => void question.accept());
  await page.reload();
  const form = page.getByRole("dialog", { name: "Criar novo pagamento" });
  await form.getByRole("button", { name: "Recuperar" }).click();
  await expectTyped(form);
  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  await expectSaved(page);
});

test("a killed server resumes: the form is saved, and the payment paid once", async ({ page, server }) => {
  await signIn(page, admin);
  const form = await fillPayment(page);
  await server.kill();
  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  await expect(page.getByText("Você parece estar offline")).toBeVisible();
  await expectTyped(form);
  await server.start();
  await form.getByRole("button", { name: "Salvar pagamento" }).click();
  await expectSaved(page);

  const ask = await actAs(server.url, admin);
  await ask(depositPix, { body: { pix_key: "27.418.639/0001-48", value: 150_00 } });
  await expect.poll(async () => (await ask(readBalance)).value).toBe(150_00);
  await page.reload();
  await page.getByRole("button", { name: "Fechar lote" }).click();
  const question = page.getByRole("dialog", { name: "Confirmação" });
  // Enter and click together, and the server is killed while the answer is pending.
  const confirm = question.getByRole("button", { name: "Fechar lote" });
  await confirm.focus();
  await Promise.all([
    page.keyboard.press("Enter"),
    confirm.click({ noWaitAfter: true }).catch(() => undefined),
  ]);
  await server.kill();
  await server.start();

  const id = new URL(page.url()).searchParams.get("lote") ?? "";
  // The batch's status shows whether it was closed before the kill.
  if ((await ask(readBatch, { params: { id } })).status === "DRAFT") {
    await page.reload();
    await page.getByRole("button", { name: "Fechar lote" }).click();
    await question.getByRole("button", { name: "Fechar lote" }).click();
  }
  await expect
    .poll(async () => (await ask(readBatch, { params: { id } })).status, { timeout: 30_000 })
    .toBe("FINISHED");
  expect(await ask(readBalance)).toEqual({ value: 0, waiting_value: 0 });
  await page.reload();
  await expect(page.getByRole("dialog").filter({ hasText: "Finalizado" })).toBeVisible();
});
