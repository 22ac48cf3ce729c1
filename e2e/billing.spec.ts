import { readFileSync } from "node:fs";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { listInvoices } from "@malote/contracts/billing";
import { listMails, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { actAs, send } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

const lateText = "Você está com faturas em atraso... Veja suas faturas e regularize, evitando bloqueios.";
const adminOfHorizonte = "marcos@horizonte.example";

test("COM-026 COM-028 COM-030 COM-031 SHL-045 BAT-015 an admin with late invoices sees them, pays them outside, and sees no further warning", async ({
  page,
}) => {
  await signIn(page, adminOfHorizonte);
  await page.goto("/pagamentos/lotes");
  await expect(page.getByText(lateText)).toBeVisible();
  await expect(page.getByText(/^Faturamento de \d{2}\/\d{4} fechado$/)).toBeVisible();
  await expectNoBarriers(page, "batches page of a late company");

  await page.getByRole("link", { name: "Ver faturas" }).click();
  const table = page.getByRole("table", { name: "Faturas" });
  await expect(table.getByRole("row")).toHaveCount(5);
  await expect(table.getByText("Em aberto")).toHaveCount(1);
  await expect(table.getByText("Em atraso")).toHaveCount(2);
  await expect(table.getByText("Paga", { exact: true })).toHaveCount(1);
  await expectNoBarriers(page, "invoices");
  await page.setViewportSize({ width: 360, height: 780 });
  await expectAccessible(page);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(wider, "the page is wider than a phone").toBe(false);
  await page.setViewportSize({ width: 1024, height: 800 });
  const isCut = await table.evaluate((element) => {
    const frame = element.parentElement as HTMLElement;
    return frame.scrollWidth > frame.clientWidth && getComputedStyle(frame).overflowX === "hidden";
  });
  expect(isCut, "columns out of reach at 1024 px").toBe(false);
  await page.setViewportSize({ width: 1280, height: 800 });

  const [ticket] = await Promise.all([
    page.waitForEvent("popup"),
    table
      .getByRole("link", { name: /^Baixar o boleto de/ })
      .first()
      .click(),
  ]);
  await expect(ticket.getByText("Boleto de teste")).toBeVisible();
  await ticket.close();

  await page.goto("/simulador");
  const desk = page.getByRole("region", { name: "Faturas" });
  const unpaid = desk.getByRole("button", { name: /^Pagar: .* de Horizonte/ });
  for (let left = 3; left > 0; left--) {
    await expect(unpaid).toHaveCount(left);
    await unpaid.first().click();
  }
  await expect(unpaid).toHaveCount(0);
  await page.goto("/minha-empresa/faturas");
  await expect(table.getByText("Paga", { exact: true })).toHaveCount(4);
  await expect(page.getByText(lateText)).toHaveCount(0);
});

test("COM-027 COM-032 a completed month is charged by its payments, and its report comes by e-mail", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 30_00 } });
  const pix = (name: string, value: number) => ({
    value,
    destination_bank_account: {
      name,
      pix_key_type: "EMAIL" as const,
      pix_key: `${name.split(" ")[0]?.toLowerCase()}@exemplo.com.br`,
    },
  });
  const { id } = await asAdmin(createBatch, {
    body: { name: "Folha", transfers: [pix("Joana Prado", 10_00), pix("Zeca Lima", 20_00)] },
  });
  await asAdmin(closeBatch, { params: { id }, body: {} });
  await expect.poll(async () => (await asAdmin(readSimulator)).in_flight).toBe(0);

  await signIn(page, admin);
  const before = (await asAdmin(listInvoices)).data;
  await expect(page.getByText(lateText)).toHaveCount(0);
  await page.goto("/simulador");
  await page.getByRole("button", { name: "Próximo mês, dia 1º às 8h" }).click();
  await expect
    .poll(async () => (await asAdmin(listInvoices)).data.length, { timeout: 30_000 })
    .toBe(before.length + 1);
  const [invoice] = (await asAdmin(listInvoices)).data;
  expect(invoice).toMatchObject({ amount_of_transfers: 2, total: 98, status: "open" });

  await page.goto("/minha-empresa/faturas");
  const row = page.getByRole("row").filter({ hasText: "Em aberto" });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Gerar relatório de/ }).click();
  await expect(
    page.getByText("Seu relatório está sendo gerado. Você vai recebê-lo por e-mail."),
  ).toBeVisible();
  const email = async () => {
    const { done } = await send(server.url, undefined, listMails);
    return done?.data.find(({ subject }) => subject.startsWith("O relatório de"));
  };
  await expect.poll(async () => (await email())?.to, { timeout: 15_000 }).toBe(admin);
  const path = /\/minha-empresa\/faturas\?relatorio=\d{4}-\d{2}-01/.exec((await email())?.text ?? "")?.[0];
  await page.goto(path ?? "");
  await expect(page.getByRole("button", { name: "Baixar relatório" })).toBeVisible();
  await expectNoBarriers(page, "e-mail of a report");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Baixar relatório" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('"Folha";"Joana Prado";');
  expect(lines[2]).toContain('"20,00";"Transferida";');
});
