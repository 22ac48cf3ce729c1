/** 'Seus boletos' and 'Suas transferências' in a real window: what a browser draws, measured, with rows as long as people write them. */
import { createBatch } from "@malote/contracts/batches";
import { bankBarcode } from "@malote/domain/boleto-code";
import { addDays, saoPauloDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
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

test("BIL-004 BIL-030 BIL-031 every column of the boletos' page is inside its frame, and every status is one word", async ({
  page,
  server,
}) => {
  test.setTimeout(120_000);
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
  for (const width of [1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/pagamentos/boletos");
    const table = page.getByRole("table");
    const rows = table.locator("tbody tr");
    await expect(rows.filter({ hasText: "Boleto pela metade" })).toBeVisible();
    await expect(rows.filter({ hasText: "Conta vencida" })).toContainText("Este boleto venceu em");

    const drawn = await table.evaluate((element) => {
      const frame = element.parentElement as HTMLElement;
      const right = frame.getBoundingClientRect().left + frame.clientLeft + frame.clientWidth;
      const cells = [...element.querySelectorAll("th, td")].map((cell) => ({
        text: cell.textContent ?? "",
        over: cell.getBoundingClientRect().right - right,
      }));
      const pills = [...element.querySelectorAll("td [data-color]")].map((pill) => ({
        text: pill.textContent ?? "",
        ...pill.getBoundingClientRect().toJSON(),
      }));
      const codes = [...element.querySelectorAll("tbody tr")].map(
        (row) => row.children[1]?.getBoundingClientRect().width ?? 0,
      );
      return { scrolls: frame.scrollWidth - frame.clientWidth, cells, pills, codes };
    });
    expect(await table.locator("thead th").allInnerTexts()).toEqual([
      "Descrição",
      "Código",
      "Lote",
      "Vencimento",
      "Pagamento",
      "Valor",
      "Status",
      "Comprovante",
    ]);
    expect(drawn.scrolls, `at ${width} px the table moves inside its frame`).toBeLessThanOrEqual(0);
    expect(drawn.cells.filter(({ over }) => over > 0.5)).toEqual([]);
    expect(new Set(drawn.pills.map(({ text }) => text))).toEqual(new Set(["Criado"]));
    for (const pill of drawn.pills) expect(pill.height, "a status on one line").toBeLessThan(32);
    for (const code of drawn.codes) expect(code, "room for the code").toBeGreaterThan(100);
  }
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
  for (const width of [1181, 1280, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/pagamentos/transferencias");
    const table = page.getByRole("table");
    await expect(table.locator("tbody tr").filter({ hasText: "Embalagens" })).toBeVisible();
    const scrolls = await table.evaluate(
      ({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0),
    );
    expect(await table.locator("thead th").allInnerTexts()).toEqual([
      "Recebedor",
      "Banco",
      "Agência",
      "Conta",
      "Lote",
      "Valor",
      "Data",
      "Status",
      "Comprovante",
    ]);
    if (width >= 1280) expect(scrolls, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});
