import { listSimulatedPayins, payCharge } from "@malote/contracts/simulator-payins";
import { send } from "./api.ts";
import { admin, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";
import { expectPortuguese } from "./words.ts";

test("LNK-003 LNK-007 LNK-011 a link is created, opened by a stranger, and shown as paid after a Pix", async ({
  page,
  browser,
  server,
}) => {
  await signIn(page, admin);
  await page.goto("/recebimentos/links-de-pagamento");
  await expect(page.getByRole("row", { name: /Kit escolar/ }).getByText("Expirado")).toBeVisible();
  await page.getByRole("link", { name: "Criar link de pagamento" }).click();
  await page.getByLabel("Nome", { exact: true }).fill("Curso de outubro");
  await page.getByLabel("Valor").fill("150,00");
  await page.getByLabel("Data de expiração").fill("31/12/2098");
  await page.getByRole("checkbox", { name: "Pix" }).check();
  await page.getByRole("checkbox", { name: "Boleto" }).check();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Criar link" }).click();
  const made = page.getByRole("dialog", { name: "Link de pagamento criado!" });
  const link = (await made.locator("code").textContent()) ?? "";

  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: "pt-BR" });
  const stranger = await context.newPage();
  const answer = await stranger.goto(link);
  expect(answer?.headers()["content-security-policy"]).toMatch(/default-src 'none'; script-src 'self';/);
  await expect(stranger.getByRole("heading", { name: "Curso de outubro", level: 1 })).toBeVisible();
  await stranger.getByLabel("Nome completo").fill("Marina Lopes");
  await stranger.getByLabel("CPF ou CNPJ").fill("12345678909");
  await expectAccessible(stranger);
  await stranger.getByRole("button", { name: "Gerar Pix" }).click();
  await expect(stranger.getByRole("img", { name: "QR Code do Pix" })).toBeVisible();
  await expectAccessible(stranger);
  await expectPortuguese(stranger);
  await stranger.reload();
  await expect(stranger.getByRole("img", { name: "QR Code do Pix" })).toBeVisible();

  const waiting = (await send(server.url, undefined, listSimulatedPayins)).done?.charges ?? [];
  expect(waiting).toHaveLength(1);
  const params = { id: waiting[0]?.id ?? "" };
  expect((await send(server.url, undefined, payCharge, { params, body: {} })).status).toBe(200);
  await expect(stranger.getByRole("heading", { name: "Pagamento confirmado" })).toBeVisible({
    timeout: 15_000,
  });
  expect(await stranger.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await context.close();

  await made.getByRole("button", { name: "Ver links de pagamento" }).click();
  await expect(page.getByRole("row", { name: /Curso de outubro/ }).getByText("Pago")).toBeVisible();
  await expectAccessible(page);
});
