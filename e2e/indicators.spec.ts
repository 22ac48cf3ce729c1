import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { moveClock, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { listTransfers, type TransferInput } from "@malote/contracts/transfers";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { failingKeys } from "./sheets.ts";
import { admin, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

const toKey = (pix_key: string): TransferInput => ({
  value: 10_00,
  destination_bank_account: { pix_key_type: "EMAIL", pix_key },
});
const toBank = (bank_id: string, cpf_cnpj: string, value = 20_00): TransferInput => ({
  value,
  destination_bank_account: {
    name: "Padaria Sol Nascente",
    cpf_cnpj,
    bank_id,
    agency: "1234",
    account: "56789",
    account_digit: "7",
    account_type: "CONTA_CORRENTE",
  },
});
const [itau, inter] = ["60701190", "00416968"];
/** The bank of this receiver returns a TED on the next business day. */
const returning = "58204617000109";
const someone = "11222333000181";

/** Returns the lines of a card shown as a table, without the heading. */
async function tableOf(page: Page, title: string): Promise<string[]> {
  await page.getByRole("button", { name: `Ver como tabela: ${title}` }).click();
  const table = page.getByRole("table", { name: title, exact: true });
  await expect(table).toBeVisible();
  const rows = await table.locator("tbody tr").all();
  return Promise.all(rows.map(async (row) => (await row.locator("th, td").allInnerTexts()).join(" | ")));
}

/** True when something was drawn: not every point of the canvas is the same. */
const isDrawn = (page: Page, title: string) =>
  page.getByRole("img", { name: new RegExp(`^${title}\\. `) }).evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size > 2;
  });

test("the indicators show the outcome of the payments, as charts and as tables", async ({ page, server }) => {
  const ask = await actAs(server.url, admin);
  const [company] = (await ask(readSimulator)).companies;
  await ask(depositPix, { body: { pix_key: company!.pix_key, value: 1_000_00 } });
  const transfers = [
    toKey("maria@exemplo.com.br"),
    toKey("joana@exemplo.com.br"),
    toKey(failingKeys.unknown),
    toBank(itau, someone),
    // Distinct values, because a repeated one would have to be confirmed.
    toBank(inter, someone, 21_00),
    toBank(inter, returning, 22_00),
  ];
  const { id } = await ask(createBatch, { body: { name: "Folha", transfers } });
  // A TED leaves within its hours, arrives some minutes later and is final, or returned, on the next business
  // day.
  const noon = async () => {
    await ask(moveClock, { body: { to: "next_business_day" } });
    return (await ask(moveClock, { body: { time: "12:00" } })).now;
  };
  const first = await noon();
  await ask(closeBatch, { params: { id }, body: {} });
  const statuses = async () =>
    (await ask(listTransfers, { params: { id } })).data.map(({ status }) => status).sort();
  await expect
    .poll(statuses)
    .toEqual(["EXECUTING", "EXECUTING", "EXECUTING", "FAILED", "FINISHED", "FINISHED"]);
  await ask(moveClock, { body: { advance_ms: 10 * 60_000 } });
  await expect
    .poll(statuses)
    .toEqual(["FAILED", "FINISHED", "FINISHED", "TRANSFERRED", "TRANSFERRED", "TRANSFERRED"]);
  const last = await noon();
  await expect.poll(statuses).toEqual(["FAILED", "FINISHED", "FINISHED", "FINISHED", "FINISHED", "RETURNED"]);

  await signIn(page, admin);
  await test.step("IND-001 IND-002 the menu opens the current month", async () => {
    await page.getByRole("link", { name: "Indicadores" }).click();
    await expect(page).toHaveURL(/\/pagamentos\/indicadores$/);
    await expect(page.getByRole("heading", { level: 2 })).toHaveText([
      "Pagamentos por mês",
      "Pagamentos por dia",
      "Pagamentos por banco",
      "Falhas por banco",
      "Finalizado x Devolvido",
      "Principais motivos de falhas",
    ]);
  });

  // The clock may have passed the end of a month.
  await page.goto(`/pagamentos/indicadores?de=${first.slice(0, 7)}&ate=${last.slice(0, 7)}`);
  await test.step("IND-001 six charts are drawn, within the content policy, in both themes", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const title of [
        "Pagamentos por mês",
        "Pagamentos por dia",
        "Pagamentos por banco",
        "Falhas por banco",
        "Finalizado x Devolvido",
        "Principais motivos de falhas",
      ])
        await expect.poll(() => isDrawn(page, title), title).toBe(true);
      await expectAccessible(page);
    }
  });

  await test.step("IND-010 IND-011 IND-013 the tables agree with the payments", async () => {
    const day = `${first.slice(8, 10)}/${first.slice(5, 7)}/${first.slice(0, 4)}`;
    expect((await tableOf(page, "Pagamentos por dia")).filter((line) => !line.endsWith(" | 0"))).toEqual([
      `${day} | 4`,
    ]);
    const months = await tableOf(page, "Pagamentos por mês");
    expect(months.map((line) => Number(line.split(" | ")[1])).reduce((sum, one) => sum + one)).toBe(4);
    expect(await tableOf(page, "Pagamentos por banco")).toEqual([
      "Pix por chave | 2 | 50,00%",
      "Inter | 1 | 25,00%",
      "Itaú Unibanco | 1 | 25,00%",
    ]);
    expect(await tableOf(page, "Falhas por banco")).toEqual([
      "Inter | 1 | 1",
      "Pix por chave | 2 | 0",
      "Itaú Unibanco | 1 | 0",
    ]);
    expect(await tableOf(page, "Finalizado x Devolvido")).toEqual([
      "Finalizado | 4 | 80,00%",
      "Devolvido | 1 | 20,00%",
    ]);
    expect(await tableOf(page, "Principais motivos de falhas")).toEqual([
      "Chave PIX não encontrada. | 1 | 50,00%",
      "TED devolvida pelo banco de destino: agência ou conta inválida. | 1 | 50,00%",
    ]);
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole("table")).toHaveCount(6);
  });

  await test.step("IND-003 a period of more than a year is refused in words", async () => {
    const [year, month] = [Number(last.slice(0, 4)), last.slice(5, 7)];
    await page.goto(`/pagamentos/indicadores?de=${year - 1}-${month}&ate=${year}-${month}`);
    await expect(page.getByRole("alert")).toContainText("Período selecionado deve ser menor que 1 ano.");
    await expectAccessible(page);
  });
});
