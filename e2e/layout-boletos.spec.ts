/** 'Seus boletos' and 'Suas transferências' measured in a real window, with rows of realistic length. */
import { createBatch } from "@malote/contracts/batches";
import { bankBarcode } from "@malote/domain/boleto-code";
import { addDays, saoPauloDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import type { Locator, Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { admin, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const today = saoPauloDate(new Date());
const barcode = (value: number, days: number, field: string) =>
  bankBarcode({
    bankCode: "341",
    value: cents(value),
    dueDate: addDays(today, days),
    freeField: field.repeat(25),
  });

/** Usual windows beside the menu, and the widths at which the table changes its layout; in both themes. */
async function eachDrawing(page: Page, look: (what: string) => Promise<void>): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [761, 1024, 1180, 1181, 1280, 1366, 1440, 1599, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await test.step(`${width} px, ${colorScheme}`, () => look(`at ${width} px, ${colorScheme}`));
    }
  }
}

/** Expects every heading to be drawn fully, and every cell and its text to stay inside the frame. */
async function expectHeadings(table: Locator, words: string, what: string): Promise<void> {
  expect(await table.locator("thead th").allInnerTexts(), what).toEqual(words.split(" "));
  const { scrolls, cut } = await table.evaluate((element) => {
    const frame = element.parentElement as HTMLElement;
    const end = frame.getBoundingClientRect().left + frame.clientLeft + frame.clientWidth;
    const range = document.createRange();
    const isWhole = (cell: Element) => {
      const box = cell.getBoundingClientRect();
      range.selectNodeContents(cell);
      const text = range.getBoundingClientRect();
      return box.right <= end + 0.5 && text.left >= box.left - 0.5 && text.right <= box.right + 0.5;
    };
    // The digits of a boleto are shortened to their column; its details show all of them.
    const cells = [...element.querySelectorAll("th, td")].filter(
      (cell) => !cell.querySelector("[title] > *"),
    );
    return {
      scrolls: frame.scrollWidth - frame.clientWidth,
      cut: cells.filter((cell) => !isWhole(cell)).map(({ textContent }) => textContent),
    };
  });
  expect(scrolls, `${what} the table moves inside its frame`).toBeLessThanOrEqual(0);
  expect(cut, what).toEqual([]);
}

test("BIL-004 BIL-030 BIL-031 every column of the boletos' page is inside its frame, and every status is one word", async ({
  page,
  server,
}) => {
  const call = await actAs(server.url, admin);
  await call(createBatch, {
    body: {
      name: "Contas de energia, água e telefone das três lojas de novembro",
      type: "BILLET",
      billets: [
        {
          value: null,
          barcode: barcode(123_456_789, 30, "1"),
          description: "Aluguel do galpão da rua das Palmeiras, 1.200",
        },
        {
          value: null,
          barcode: barcode(4_100, -40, "2"),
          description: "Conta vencida da loja do centro da cidade",
        },
        { value: null, barcode: "34191.09008 6357", description: "Boleto pela metade" },
      ],
    },
  });
  await signIn(page, admin);
  await page.goto("/pagamentos/boletos");
  const table = page.getByRole("table");
  const rows = table.locator("tbody tr");
  await expect(rows.filter({ hasText: "Boleto pela metade" })).toBeVisible();
  await expect(rows.filter({ hasText: "Conta vencida" })).toContainText("Este boleto venceu em");
  await eachDrawing(page, async (what) => {
    await expectHeadings(table, "Descrição Código Lote Vencimento Pagamento Valor Status Comprovante", what);
    const { pills, codes } = await table.evaluate((element) => ({
      pills: [...element.querySelectorAll("td [data-color]")].map((pill) => ({
        text: pill.textContent ?? "",
        height: pill.getBoundingClientRect().height,
      })),
      codes: [...element.querySelectorAll("tbody tr")].map(
        (row) => row.children[1]?.getBoundingClientRect().width ?? 0,
      ),
    }));
    expect(new Set(pills.map(({ text }) => text))).toEqual(new Set(["Criado"]));
    for (const { height } of pills) expect(height, "a status on one line").toBeLessThan(32);
    for (const code of codes) expect(code, "room for the code").toBeGreaterThan(100);
  });
});

test("TRF-050 every column of the transfers' page has its heading in words, inside its frame", async ({
  page,
  server,
}) => {
  const call = await actAs(server.url, admin);
  await call(createBatch, {
    body: {
      name: "Fornecedores e prestadores de serviço das três lojas de novembro",
      type: "TRANSFER",
      transfers: [
        {
          value: 123_456_789,
          destination_bank_account: {
            name: "Indústria de Embalagens Santa Cecília do Norte Ltda",
            cpf_cnpj: "11222333000181",
            bank_id: "60701190",
            agency: "0457",
            account: "123456789012",
            account_digit: "0",
            account_type: "CONTA_CORRENTE",
          },
        },
      ],
    },
  });
  await signIn(page, admin);
  await page.goto("/pagamentos/transferencias");
  const table = page.getByRole("table");
  await expect(table.locator("tbody tr").filter({ hasText: "Embalagens" })).toBeVisible();
  await eachDrawing(page, (what) =>
    expectHeadings(table, "Recebedor Banco Agência Conta Lote Valor Data Status Comprovante", what),
  );
});
