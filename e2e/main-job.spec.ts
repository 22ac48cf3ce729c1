import { readFileSync } from "node:fs";
import { listBatches } from "@malote/contracts/batches";
import { listTransfers } from "@malote/contracts/transfers";
import type { Locator } from "@playwright/test";
import { entriesOf } from "../apps/api/src/receipts/testing.ts";
import { actAs } from "./api.ts";
import { pixSheet, rowCount, sheetFile } from "./sheets.ts";
import { admin, centsIn, dropFile, openBatch, operator, signIn, signOut, tickChecks } from "./steps.ts";
import { expect, test } from "./test.ts";

const name = "Folha de novembro";
/** The queue creates five hundred receipts meanwhile, after the jobs that people wait for. */
const receiptsMs = 60_000;

/**
 * Repeated mistakes of the sheet: number of rows, the text of the group, the field, and the value that fixes them all.
 */
const repairs: readonly [rows: number, group: string, field: string, value: string][] = [
  [37, "A data do agendamento já passou", "Data do pagamento", ""],
  [6, "“a combinar”", "Valor", "25,00"],
  [5, "Tamanho máximo do campo é 140", "Descrição Pix", "Serviços"],
  [4, "“sem arroba”", "E-mail", "contas@exemplo.com.br"],
  [4, "“-10,00”", "Valor", "10,00"],
  [3, "32/13/2026", "Data do pagamento", ""],
  [3, "<script>", "Descrição Pix", "Nota"],
  [3, "731.905.284-97", "CPF ou CNPJ", "529.982.247-25"],
  [3, "“12,345”", "Valor", "12,34"],
  [2, "“A”", "Nome ou razão social", "Alfa Ltda"],
  [2, "11.222.333/0001-80", "Chave Pix", "11.222.333/0001-81"],
  [2, "529.982.247-26", "Chave Pix", "529.982.247-25"],
  [2, "“fulano@”", "Chave Pix", "fulano@exemplo.com.br"],
  [2, "“nada”", "Chave Pix", "123e4567-e89b-42d3-a456-426614174000"],
  [2, "“123”", "Chave Pix", "(11) 98765-4321"],
  [2, "99.000.000,00", "Valor", "1.000,00"],
];

async function fixTogether(batch: Locator, [rows, group, field, value]: (typeof repairs)[number]) {
  const page = batch.page();
  const count = rows === 2 ? "as duas iguais" : `as ${rows} iguais`;
  const line = batch.getByRole("listitem").filter({ hasText: group });
  await line.getByRole("button", { name: `Corrigir ${count}` }).click();
  const dialog = page.getByRole("dialog", { name: `Corrigir ${rows} pagamentos iguais` });
  // No date means today.
  if (value) await dialog.getByLabel(`${field} para todos`).fill(value);
  await dialog.getByRole("button", { name: `Corrigir ${rows} pagamentos` }).click();
  await expect(dialog).toBeHidden();
  await expect(line).toHaveCount(0);
}

const find = (batch: Locator, words: string) => batch.getByRole("searchbox").fill(words);

test("a spreadsheet of 500 rows becomes paid transfers", async ({ page, context, server }) => {
  test.setTimeout(300_000);
  const api = await actAs(server.url, admin);

  await test.step("IMP-002 the operator drops the sheet, and its draft opens on the rows with errors", async () => {
    await signIn(page, operator);
    await page.getByRole("link", { name: "Importação" }).click();
    await dropFile(page, { name: `${name}.xlsx`, content: await sheetFile(pixSheet, "xlsx") });
    await expect(page.getByRole("dialog", { name })).toContainText("Seu lote possui alguns erros!");
  });
  const batch = page.getByRole("dialog", { name, exact: true });
  await expect(batch).toContainText(`${rowCount} transferências`);
  await expect(batch).toContainText("85 linhas precisam de correção");

  await test.step("repeated mistakes are fixed together", async () => {
    for (const repair of repairs) await fixTogether(batch, repair);
  });

  await test.step("one row is fixed manually, and its neighbour opens by itself", async () => {
    for (let row = 0; row < 2; row++) {
      const panel = batch.getByRole("form", { name: /^Corrigir o pagamento de / });
      const title = (await panel.getAttribute("aria-label")) ?? "";
      await panel.getByRole("combobox", { name: "Tipo de chave" }).click();
      await page.getByRole("option", { name: "E-mail" }).click();
      await panel.getByRole("button", { name: "Salvar" }).click();
      await expect(batch.getByRole("form", { name: title })).toBeHidden();
    }
  });

  await test.step("the hopeless row is deleted", async () => {
    await batch.getByRole("list", { name: "Pagamentos do lote" }).getByRole("button").first().click();
    await page
      .getByRole("dialog", { name: "Editar pagamento" })
      .getByRole("button", { name: "Excluir" })
      .click();
    const question = page.getByRole("dialog", { name: "Excluir transferência" });
    await question.getByRole("button", { name: "Excluir transferência" }).click();
    await expect(question).toBeHidden();
    await expect(batch).toContainText(`${rowCount - 1} transferências`);
  });

  await test.step("the operator sends the batch to approval", async () => {
    await batch.getByRole("button", { name: "Continuar" }).click();
    await expect(batch).toContainText("Quase tudo pronto para finalizar o pagamento.");
    const send = batch.getByRole("button", { name: "Enviar para aprovação" });
    await expect(send).toBeDisabled();
    await tickChecks(
      batch.getByRole("region", { name: "Confira antes de continuar" }),
      // 34 payments fixed together beyond date and description, and 12 whose CPF had lost its zero.
      [
        "2 chaves Pix de outros titulares",
        "46 pagamentos com dados sugeridos",
        "2 pagamentos com dados da planilha alterados",
      ],
      "Rui Tavares",
    );
    await send.dblclick();
    await expect(page.getByText("Lote enviado para aprovação.")).toBeVisible();
    await batch.getByRole("button", { name: "Fechar", exact: true }).click();
    await signOut(page);
  });
  const [drafted] = (await api(listBatches, { query: { initialDate: "2020-01-01", endDate: "2099-12-31" } }))
    .data;
  expect(drafted).toMatchObject({
    status: "WAITING_APPROVAL",
    payments_count: rowCount - 1,
    errors_count: 0,
  });
  const total = drafted!.value;

  await test.step("the admin approves, and the batch waits for its money", async () => {
    await signIn(page, admin);
    await openBatch(page, name);
    await batch.getByRole("button", { name: "Aprovar", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Confirmação" });
    await expect(question).toContainText(`${rowCount - 1} pagamentos`);
    // A double click closes the batch once.
    await question.getByRole("button", { name: "Aprovar lote" }).dblclick();
    await expect(page.getByText(/Aguardamos o recebimento do valor total do lote/)).toBeVisible();
    await expect(batch).toContainText("Aguardando recebimento");
  });

  await test.step("a Pix from outside brings the money, and the payments leave by themselves", async () => {
    const simulator = await context.newPage();
    await simulator.goto("/simulador");
    const company = simulator.getByRole("listitem").filter({ hasText: "Aurora Papelaria" });
    await company.getByRole("button", { name: "Enviar Pix" }).click();
    const dialog = simulator.getByRole("dialog", { name: /^Enviar Pix para Aurora/ });
    expect(centsIn(await dialog.getByLabel("Valor").inputValue())).toBe(total);
    await dialog.getByRole("button", { name: "Enviar Pix" }).click();
    await expect(dialog).toBeHidden();
    await simulator.close();
    await expect(batch).toContainText("4 pagamentos com falha", { timeout: 30_000 });
    await expect(batch).toContainText(`${rowCount - 5} de ${rowCount - 1} pagamentos feitos`, {
      timeout: 30_000,
    });
  });

  await test.step("TRF-045 the admin corrects a failed payment, and it is paid", async () => {
    await find(batch, "Conta Salário");
    await batch.getByRole("button", { name: "Conta Salário" }).click();
    const details = page.getByRole("dialog", { name: "Detalhes da transferência" });
    await expect(details).toContainText("Não é possível realizar PIX para conta salário.");
    await details.getByRole("button", { name: "Corrigir pagamento" }).click();
    const wizard = page.getByRole("dialog", { name: "Editar pagamento" });
    await wizard.getByRole("textbox", { name: /^Chave Pix/ }).fill("certa@exemplo.com.br");
    await wizard.getByRole("button", { name: "Salvar correção" }).click();
    // A key other than the one paid in this batch is confirmed by name.
    const question = page.getByRole("dialog", { name: "Confira antes de enviar" });
    await expect(question).toContainText("1 recebedor com conta ou chave diferente da última paga");
    await question.getByRole("checkbox").check();
    await question.getByRole("button", { name: "Enviar assim mesmo" }).click();
    await expect(
      page.getByText("Sua transferência foi corrigida e será processada novamente!"),
    ).toBeVisible();
    await details.getByRole("button", { name: "Voltar" }).click();
    await expect(batch).toContainText(`${rowCount - 4} de ${rowCount - 1} pagamentos feitos`, {
      timeout: 20_000,
    });
  });

  await test.step("TRF-047 TRF-048 the other payments to that receiver return to the balance together", async () => {
    await find(batch, "Sem Chave Ltda");
    await batch.getByRole("button", { name: "Sem Chave Ltda" }).first().click();
    const details = page.getByRole("dialog", { name: "Detalhes da transferência" });
    await details.getByRole("button", { name: "Devolver ao saldo" }).click();
    const question = page.getByRole("dialog", { name: "Editar dados de pagamento" });
    await expect(question).toContainText("Todos os 3 serão devolvidos");
    await question.getByRole("button", { name: "Devolver ao saldo" }).dblclick();
    await expect(page.getByText("Sua transferência foi devolvida!")).toBeVisible();
    await details.getByRole("button", { name: "Voltar" }).click();
    await expect(batch).toContainText("Finalizado");
  });
  const { data: returned } = await api(listTransfers, {
    params: { id: drafted!.id },
    query: { status: "RETURNED" },
  });
  const givenBack = returned.reduce((sum, { value }) => sum + (value ?? 0), 0);

  await test.step("the statement shows deposit, batch and refunds, and every balance follows from the one before", async () => {
    await page.goto("/pagamentos/saldo");
    const rows = page.getByRole("table", { name: "Extrato" }).getByRole("row");
    await expect(rows.filter({ hasText: "estornado" })).toHaveCount(3);
    await expect(page.getByText(/^Confere: abertura/)).toBeVisible();
    const entries: [value: number, balance: number][] = [];
    for (const row of await rows.filter({ hasText: /recebido|lote pago|estornado/ }).all()) {
      const [value, balance] = (await row.getByRole("cell").allInnerTexts()).slice(-2);
      entries.push([centsIn(value ?? ""), centsIn(balance ?? "")]);
    }
    const values = entries.map(([value]) => value).toReversed();
    expect(values.slice(0, 2)).toEqual([total, -total]);
    expect(values.slice(2).reduce((sum, value) => sum + value, 0)).toBe(givenBack);
    let balance = 0;
    for (const [value, after] of entries.toReversed()) {
      balance += value;
      expect(after).toBe(balance);
    }
    await rows.filter({ hasText: "lote pago" }).getByRole("button").click();
    await expect(batch).toContainText("Finalizado");
  });

  await test.step("TRF-060 TRF-064 the receipts of all arrived payments come by the link of an e-mail", async () => {
    await batch.getByRole("button", { name: "Mais ações" }).click();
    await page.getByRole("menuitem", { name: "Baixar comprovantes" }).click();
    const question = page.getByRole("dialog", { name: "Comprovantes" });
    await expect(question).toContainText(`${rowCount - 4} comprovantes`);
    await question.getByRole("button", { name: "Baixar comprovantes" }).click();
    await expect(page.getByText(/^Download iniciado com sucesso/)).toBeVisible();
    await page.goto("/simulador");
    await page
      .getByRole("button", { name: /Os comprovantes do lote .* estão prontos/ })
      .click({ timeout: receiptsMs });
    const link = page.frameLocator("iframe").getByRole("link", { name: "Baixar comprovantes" });
    const { pathname, search } = new URL((await link.getAttribute("href")) ?? "");
    await page.goto(pathname + search);
    const saved = page.waitForEvent("download");
    await question.getByRole("button", { name: "Baixar comprovantes" }).click();
    const entries = entriesOf(readFileSync(await (await saved).path()));
    expect(entries).toHaveLength(rowCount - 4);
    expect(entries.every(({ content }) => content.subarray(0, 5).toString() === "%PDF-")).toBe(true);
  });

  await test.step("every person concerned gets an e-mail", async () => {
    await page.goto("/simulador");
    const emails = page.getByRole("region", { name: "Caixa de e-mails" });
    await expect(emails.getByRole("listitem").filter({ hasText: admin }).first()).toBeVisible();
  });
});
