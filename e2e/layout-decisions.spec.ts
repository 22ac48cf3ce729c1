/** Confirmations before money leaves: drawn fully with many findings, operated by keys alone, and sent once. */
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { changeRails, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { expectWellDrawn, scrollersOf } from "./drawn.ts";
import { admin, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const longName = "Associação dos Produtores de Hortifrutigranjeiros do Vale do Paraíba";

/**
 * A batch whose payments all failed, and another that paid the same amounts to the same receivers, so that each retry
 * may pay twice.
 */
async function failedAndPaid(url: string, count: number): Promise<string> {
  const asAdmin = await actAs(url, admin);
  const asOperator = await actAs(url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 50_000_000_00 } });
  const transfers = Array.from({ length: count }, (_, n) => ({
    value: 187_654_32 + n,
    pix_description: "Nota fiscal 123456, conforme o contrato 2026/0045 e o pedido de compra 9987",
    destination_bank_account: {
      name: `${longName} ${n + 1}`,
      pix_key_type: "EMAIL" as const,
      pix_key: `contas.a.pagar.${n}@hortifrutigranjeiros-do-vale.example`,
    },
  }));
  const pay = async (name: string, failure_percent: number) => {
    await asAdmin(changeRails, { body: { pix_latency_ms: 0, failure_percent } });
    const { id } = await asOperator(createBatch, { body: { name, transfers } });
    const { missing } = await asAdmin(readBatchChecks, { params: { id } });
    const confirmations = missing.map(({ kind, fingerprint }) => ({ kind, fingerprint }));
    if (confirmations.length > 0)
      await asAdmin(confirmBatchChecks, { params: { id }, body: { confirmations } });
    await asAdmin(closeBatch, { params: { id }, body: {} });
    return id;
  };
  const failed = await pay("Fornecedores que falharam na segunda quinzena de novembro", 100);
  await expect
    .poll(async () => (await asAdmin(readBatch, { params: { id: failed } })).failed_count)
    .toBe(count);
  await pay("Fornecedores pagos por fora na segunda quinzena", 0);
  return failed;
}

/** At every width, and with one scroll bar at most. */
async function expectOneScroll(page: Page, what: string): Promise<void> {
  await expectWellDrawn(page, what);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 800 });
    expect.soft(await scrollersOf(page), `${what} at ${width} px scrolls as one`).toBeLessThanOrEqual(1);
  }
}

test.beforeEach(({ page }) => page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" }));

test("many failures are listed in parts, and the box to tick before a resend is visible, left and sent by keys alone", async ({
  page,
  server,
}) => {
  const id = await failedAndPaid(server.url, 25);
  await signIn(page, admin);
  await page.goto(`/pagamentos/lotes?lote=${id}`);
  const batch = page.getByRole("dialog", { name: /^Fornecedores que falharam/ });
  const list = batch.getByRole("list", { name: "Falhas" });
  await test.step("the list shows the first failures", async () => {
    await expect(list.getByRole("button", { name: "Corrigir" })).toHaveCount(10);
    await expectOneScroll(page, "failures");
    await batch.getByRole("button", { name: "Mostrar mais 10" }).click();
    await expect(list.getByRole("button", { name: "Corrigir" })).toHaveCount(20);
    // The list's actions stay visible however far the person scrolls.
    await list.getByRole("button", { name: "Corrigir" }).nth(15).scrollIntoViewIfNeeded();
    await expect(batch.getByRole("button", { name: "Tentar de novo" })).toBeInViewport({ ratio: 1 });
  });
  await test.step("on a phone the reason has the room beside the checkbox", async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    const reason = list.getByText(/^O banco de destino está indisponível/).first();
    expect((await reason.boundingBox())?.width).toBeGreaterThan(200);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/failures/retry")) sent.push(request.postData() ?? "");
  });
  await batch.getByRole("checkbox", { name: "Selecionar todas as falhas" }).check();
  await batch.getByRole("button", { name: "Tentar de novo" }).click();
  const question = page.getByRole("dialog", { name: "Tentar de novo", exact: true });
  const ticks = page.getByRole("dialog", { name: "Confira antes de enviar" });
  const send = ticks.getByRole("button", { name: "Enviar assim mesmo" });
  const ask = question.getByRole("button", { name: "Tentar de novo" });
  await test.step("25 findings: the checkbox and both buttons are visible, and stay so when all findings are shown", async () => {
    await ask.press("Enter");
    await expect(ticks.getByRole("checkbox", { name: /^Conferi e quero seguir/ })).toBeVisible();
    await expectOneScroll(page, "ticks");
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      await expect(send).toBeInViewport({ ratio: 1 });
      await expect(ticks.getByRole("button", { name: "Voltar" })).toBeInViewport({ ratio: 1 });
    }
    await ticks.getByRole("button", { name: "Mostrar mais 10" }).press("Enter");
    await expect(ticks.locator("li:focus")).toContainText(`${longName} 4R$`);
    await expect(send).toBeInViewport({ ratio: 1 });
    await expect(send).toBeDisabled();
  });
  await test.step("Esc returns to the question and sends nothing, and so does a reload", async () => {
    await page.keyboard.press("Escape");
    await expect(ticks).toBeHidden();
    await expect(ask).toBeFocused();
    // The list is read again first.
    await expect(ask).not.toHaveAttribute("aria-busy");
    await ask.press("Enter");
    await expect(ticks).toBeVisible();
    await page.reload();
    await expect(list).toBeVisible();
    expect(sent.some((body) => body.includes("confirmations"))).toBe(false);
  });
  await test.step("ticked and sent by keys, pressed twice, it is sent once", async () => {
    await batch.getByRole("checkbox", { name: "Selecionar todas as falhas" }).check();
    await batch.getByRole("button", { name: "Tentar de novo" }).press("Enter");
    await ask.press("Enter");
    await ticks.getByRole("checkbox", { name: /^Conferi e quero seguir/ }).press("Space");
    await page.keyboard.press("Tab");
    await expect(ticks.getByRole("button", { name: "Voltar" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(send).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await expect(page.getByText("25 pagamentos enviados de novo.")).toBeVisible();
    expect(sent.filter((body) => body.includes("confirmations"))).toHaveLength(1);
  });
});
