/**
 * Work that waits for a person: on its own page and folded above the batches, drawn fully, done in place or at the
 * target of its line.
 */
import {
  approveBatch,
  closeBatch,
  readBatchApprovals,
  sendBatchToApproval,
} from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { changeRails, raiseClaim, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { expectWellDrawn } from "./drawn.ts";
import { press } from "./keys.ts";
import { admin, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const longName = "Fornecedores da segunda quinzena de novembro das três lojas do Vale do Paraíba";

/** One item of each of four kinds: failures, an approval, a batch short of money, and a claim of a key. */
async function prepare(url: string) {
  const asAdmin = await actAs(url, admin);
  const asOperator = await actAs(url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  const make = async (name: string, value: number, key: string) => {
    const payee = { name: `Associação ${name}`, pix_key_type: "EMAIL" as const, pix_key: key };
    const transfers = [{ value, destination_bank_account: payee }];
    return (await asOperator(createBatch, { body: { name, transfers } })).id;
  };
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 100_00 } });
  await asAdmin(changeRails, { body: { pix_latency_ms: 0, failure_percent: 100 } });
  const failed = await make("Reembolsos de viagem", 100_00, "reembolso@exemplo.com.br");
  await asAdmin(closeBatch, { params: { id: failed }, body: {} });
  await expect.poll(async () => (await asAdmin(readBatch, { params: { id: failed } })).failed_count).toBe(1);
  const short = await make(longName, 187_654_32, "hortifruti@exemplo.com.br");
  await asAdmin(closeBatch, { params: { id: short }, body: {} });
  const toApprove = await make("Folha de novembro", 7_654_32, "ana@exemplo.com.br");
  await asOperator(sendBatchToApproval, { params: { id: toApprove }, body: {} });
  await asAdmin(raiseClaim, { body: { key: company!.pix_key, kind: "PORTABILITY" } });
}

const line = (page: Page, text: string | RegExp) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("the queue of work is folded above the batches, keeps its state, and is done from the home page", async ({
  page,
  context,
  server,
}) => {
  await prepare(server.url);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, admin);

  await test.step("the queue is folded above the batches", async () => {
    await page.goto("/pagamentos/lotes");
    const band = page.locator("summary", { hasText: "Para fazer agora" });
    await expect(band).toBeVisible();
    await expect(line(page, "Aprovar “Folha de novembro”")).toHaveCount(0);
    await band.click();
    await expect(line(page, "Aprovar “Folha de novembro”")).toBeVisible();
    await expectWellDrawn(page, "the open band");
    await page.reload();
    await expect(line(page, "Aprovar “Folha de novembro”")).toBeVisible();
    await band.click();
    await page.reload();
    await expect(band).toBeVisible();
    await expect(line(page, "Aprovar “Folha de novembro”")).toHaveCount(0);
  });

  await test.step("the logo opens the whole queue, each line with person, amount and verb", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("link", { name: /, página inicial$/ }).click();
    await expect(page).toHaveURL(/\/inicio$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Helena");
    const approval = line(page, "Aprovar “Folha de novembro”");
    await expect(approval).toContainText("1 pagamento · preparado por Rui Tavares");
    await expect(approval).toContainText("7.654,32");
    await expect(line(page, "1 pagamento falhou em “Reembolsos de viagem”")).toContainText("100,00");
    await expect(line(page, "Outra instituição pediu a chave")).toContainText("Decida até");
    await expect(page.getByRole("complementary", { name: "Saldo e próximos dias" })).toContainText(
      "Já reservado",
    );
    await expectWellDrawn(page, "home");
  });

  await test.step("a batch short of money offers the Pix code for exactly the missing amount", async () => {
    const short = line(page, "Enviar o que falta para “Fornecedores da segunda");
    await short.getByRole("button", { name: /^Copiar código Pix de R\$\s187\.654,32$/ }).click();
    await expect(short.getByRole("button", { name: "Código copiado" })).toBeVisible();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    expect(code).toMatch(/^000201.*5409187654\.32/);
  });

  await test.step("a line opens its batch, and Back, Esc and a reload lose nothing", async () => {
    await page.getByRole("link", { name: "Revisar e aprovar: Aprovar “Folha de novembro”" }).click();
    const batch = page.getByRole("dialog", { name: "Folha de novembro" });
    await expect(batch).toBeVisible();
    await page.reload();
    await expect(batch).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/inicio$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(line(page, "Aprovar “Folha de novembro”")).toBeVisible();
  });

  await test.step("the keyboard alone reaches the whole queue", async () => {
    await press(page.getByRole("link", { name: "Revisar e aprovar: Aprovar “Folha de novembro”" }));
    await expect(page.getByRole("dialog", { name: "Folha de novembro" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await press(page.getByRole("link", { name: "Início", exact: false }).last());
    await expect(page).toHaveURL(/\/inicio$/);
    await press(page.getByRole("link", { name: "Resolver: 1 pagamento falhou em “Reembolsos de viagem”" }));
    await expect(page.getByRole("dialog", { name: "Reembolsos de viagem" })).toBeVisible();
  });
});

test("an open page shows a new approval of a batch without a reload, and the bell names the approver", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 9_000_00 } });
  const payee = { name: "Ana Lima", pix_key_type: "EMAIL" as const, pix_key: "ana@exemplo.com.br" };
  const transfers = [{ value: 1_234_56, destination_bank_account: payee }];
  const { id } = await asOperator(createBatch, { body: { name: "Folha de novembro", transfers } });
  await asOperator(sendBatchToApproval, { params: { id }, body: {} });

  await signIn(page, operator);
  await page.goto("/pagamentos/lotes");
  const card = page.getByRole("article").filter({ hasText: "Folha de novembro" });
  await expect(card).toContainText("Aguardando aprovação");
  const { missing } = await asAdmin(readBatchChecks, { params: { id } });
  if (missing.length > 0)
    await asAdmin(confirmBatchChecks, {
      params: { id },
      body: { confirmations: missing.map(({ kind, fingerprint }) => ({ kind, fingerprint })) },
    });
  const { digest } = await asAdmin(readBatchApprovals, { params: { id } });
  const { revision } = await asAdmin(readBatch, { params: { id } });
  // No element of the page is clicked, and its own polling interval is a minute.
  await asAdmin(approveBatch, { params: { id }, body: { revision, digest: digest ?? "" } });
  const bell = page.getByRole("button", { name: /^Arquivos e avisos, .*avisos? novos?$/ });
  await expect(bell).toBeVisible();
  await expect(card).not.toContainText("Aguardando aprovação");
  await bell.click();
  const panel = page.getByRole("dialog", { name: "Arquivos e avisos" });
  await expect(
    panel.getByRole("link", { name: /Helena Prado aprovou o lote “Folha de novembro”/ }),
  ).toBeVisible();
  await expectWellDrawn(page, "the bell");
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("button", { name: "Arquivos e avisos", exact: true })).toBeFocused();
});
