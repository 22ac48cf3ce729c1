import { readFileSync } from "node:fs";
import { listBatches } from "@malote/contracts/batches";
import { listBoletos } from "@malote/contracts/boletos";
import { readBalance } from "@malote/contracts/statement";
import { bankBarcode, boletoLine, formatBoletoLine } from "@malote/domain/boleto-code";
import {
  addDays,
  businessDayOnOrAfter,
  type CalendarDate,
  formatDate,
  saoPauloDate,
} from "@malote/domain/calendar";
import { type Cents, cents } from "@malote/domain/money";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, centsIn, signIn, tickChecks } from "./steps.ts";
import { expect, test } from "./test.ts";

const name = "Contas da semana";
const today = saoPauloDate(new Date());
/** Later than every day to which the clock is moved. */
const due = addDays(today, 60);
const payOn = businessDayOnOrAfter(addDays(today, 30));

const code = (value: Cents | null, dueDate: CalendarDate | null, freeField: string) =>
  bankBarcode({ bankCode: "341", value, dueDate, freeField });
const rent = code(cents(385_000), due, "1".repeat(25));
const card = code(null, due, "2".repeat(25));
const overdue = code(cents(9_900), addDays(today, -30), "3".repeat(25));
/** The network has no boleto with this free field. */
const unknown = code(cents(4_100), null, `${"9".repeat(10)}${"0".repeat(13)}15`);
/** R$ 123,45, as its barcode is scanned. */
const energy = "82620000001234512341234567890123456789012345";
const total = 385_000 + 8_990 + 4_100 + 12_345;

/** Pastes from the clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.keyboard.press("ControlOrMeta+v");
}

test("boletos are typed, pasted and scanned, checked, funded and paid on their day", async ({
  page,
  context,
  server,
}) => {
  test.setTimeout(300_000);
  const simulator = await context.newPage();
  await simulator.goto("/simulador");

  await test.step("the clock moves to the morning of a business day", async () => {
    await simulator.getByRole("button", { name: "Próximo dia útil, 8h" }).click();
    await expect(simulator.getByText("adiantado", { exact: true })).toBeVisible();
  });

  await test.step("BAT-013 BAT-039 a batch of boletos is started, and opens the form of its first one", async () => {
    await signIn(page, admin);
    await page.goto("/pagamentos/lotes");
    await page.getByRole("button", { name: "Novo lote" }).first().click();
    await page.getByRole("menuitem", { name: "Lotes de Boletos" }).click();
  });
  const wizard = page.getByRole("dialog", { name: "Adicionar boleto" });
  const field = wizard.getByLabel("Linha digitável ou código de barras");
  const description = wizard.getByLabel("Descrição", { exact: true });
  const addAnother = async (text: string) => {
    await description.fill(text);
    await wizard.getByRole("button", { name: "Salvar e adicionar outro" }).click();
    await expect(field).toHaveValue("");
  };
  await expect(field).toBeVisible();

  await test.step("BIL-010 BIL-011 BIL-016 a line is typed, a wrong digit is shown, and corrected in place", async () => {
    const line = boletoLine(rent);
    const wrong = String((Number(line[20]) + 1) % 10);
    await field.pressSequentially(line.slice(0, 20) + wrong + line.slice(21));
    await expect(wizard).toContainText("A linha digitável do boleto está incorreta, insira novamente");
    await expectNoBarriers(page, "form of a boleto");
    // The wrong digit follows two dots and a blank, and is overwritten.
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(23, 24));
    await page.keyboard.press(line[20] ?? "");
    await expect(field).toHaveValue(formatBoletoLine(rent));
    await expect(wizard).not.toContainText("está incorreta");
    await expect(wizard.getByLabel("Valor")).toHaveValue(/3\.850,00/);
    await expect(wizard.getByLabel("Vencimento")).toHaveValue(formatDate(due));
    await expect(wizard).toContainText("341 · Itaú");
    await addAnother("Aluguel");
  });

  await test.step("BIL-010 BIL-020 a utility's barcode is scanned, and becomes its line", async () => {
    await field.pressSequentially(energy);
    await page.keyboard.press("Enter");
    await expect(field).toHaveValue(formatBoletoLine(energy));
    await expect(wizard.getByLabel("Vencimento")).toHaveValue("00/00/0000");
    await expect(description).toBeFocused();
    await addAnother("Energia elétrica");
  });

  await test.step("BIL-012 BIL-013 a duplicate and an overdue boleto are reported when pasted", async () => {
    await field.focus();
    await paste(page, `Linha: ${formatBoletoLine(rent)}`);
    await expect(wizard).toContainText("Este boleto já foi cadastrado.");
    await expect(wizard).toContainText("O outro está neste mesmo lote.");
    await field.selectText();
    await paste(page, overdue);
    await expect(field).toHaveValue(formatBoletoLine(overdue));
    await expect(wizard).toContainText(`Este boleto venceu em ${formatDate(addDays(today, -30))}`);
  });

  await test.step("BIL-016 BIL-018 a boleto without value takes a typed one, and a day of its own", async () => {
    await field.selectText();
    await paste(page, boletoLine(card));
    await expect(wizard.getByLabel("Valor")).toHaveValue("");
    await wizard.getByLabel("Valor").fill("89,90");
    await wizard.getByLabel("Data do pagamento").fill(formatDate(payOn));
    await addAnother("Cartão corporativo");
  });

  await test.step("the last boleto is saved, and the batch named", async () => {
    await field.focus();
    await paste(page, unknown);
    await description.fill("Material de limpeza");
    await wizard.getByRole("button", { name: "Salvar boleto" }).click();
    await expect(wizard).toBeHidden();
    await page.getByLabel("Nome do lote").fill(name);
    await page.getByRole("button", { name: "Salvar rascunho" }).click();
    await expect(page.getByText("Seu rascunho foi salvo!")).toBeVisible();
  });
  const batch = page.getByRole("dialog", { name, exact: true });
  await expect(batch).toContainText("4 boletos");
  await expectNoBarriers(page, "draft of boletos");

  await test.step("the batch is closed, waits for its money, and a Pix from outside brings it", async () => {
    await batch.getByRole("button", { name: "Continuar" }).click();
    await batch.getByRole("button", { name: "Pronto para pagar" }).click();
    const question = page.getByRole("dialog", { name: "Confirmação" });
    await expect(question).toContainText("4 pagamentos");
    // One of the codes is not registered, so the person confirms it by name.
    await tickChecks(question, ["1 boleto que o registro não confirma"], "Helena Prado");
    await question.getByRole("button", { name: "Fechar lote" }).dblclick();
    await expect(batch).toContainText("Aguardando recebimento");
    await simulator.reload();
    const company = simulator.getByRole("listitem").filter({ hasText: "Aurora Papelaria" });
    await company.getByRole("button", { name: "Enviar Pix" }).click();
    const deposit = simulator.getByRole("dialog", { name: /^Enviar Pix para Aurora/ });
    await expect(deposit.getByLabel("Valor")).toHaveValue(/4\.104,35/);
    await deposit.getByRole("button", { name: "Enviar Pix" }).click();
    await expect(batch).toContainText("2 de 4 pagamentos feitos", { timeout: 30_000 });
    await expect(batch).toContainText("1 pagamento com falha");
  });

  const open = async (text: string) => {
    await batch.getByRole("button", { name: text }).click();
    const details = page.getByRole("dialog", { name: "Detalhes do boleto" });
    await expect(details).toContainText("Identificador");
    return details;
  };

  await test.step("BIL-024 BIL-027 a paid boleto shows its details, and offers its receipt", async () => {
    const details = await open("Aluguel");
    await expect(details).toContainText("Pago");
    await expect(details).toContainText(formatBoletoLine(rent));
    await expectNoBarriers(page, "details of a boleto");
    const saved = page.waitForEvent("download");
    await details.getByRole("button", { name: "Baixar comprovante" }).click();
    expect(
      readFileSync(await (await saved).path())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    await details.getByRole("button", { name: "Voltar" }).click();
  });

  await test.step("the failed boleto shows its reason and returns to the balance", async () => {
    const details = await open("Material de limpeza");
    await expect(details).toContainText("Boleto não registrado.");
    await details.getByRole("button", { name: "Devolver ao saldo" }).click();
    const question = page.getByRole("dialog", { name: "Devolver boleto ao saldo" });
    await question.getByRole("button", { name: "Devolver ao saldo" }).dblclick();
    await expect(page.getByText("O valor do boleto voltou para o saldo!")).toBeVisible();
    await expect(details).toContainText("Devolvido");
    await details.getByRole("button", { name: "Voltar" }).click();
  });

  await test.step("BAT-062 BIL-028 BIL-029 the scheduled boleto is cancelled, and the batch ends", async () => {
    const details = await open("Cartão corporativo");
    await expect(details).toContainText(formatDate(payOn));
    await details.getByRole("button", { name: "Cancelar agendamento" }).click();
    const question = page.getByRole("dialog", { name: "Cancelar agendamento" });
    await question.getByRole("button", { name: "Cancelar agendamento" }).click();
    await expect(page.getByText("Agendamento cancelado com sucesso!")).toBeVisible();
    await details.getByRole("button", { name: "Voltar" }).click();
    await expect(batch).toContainText("Finalizado");
  });

  await test.step("the unpaid amount is the balance, and the statement shows it", async () => {
    const ask = await actAs(server.url, admin);
    expect((await ask(readBalance)).value).toBe(8_990 + 4_100);
    const range = { initialDate: "2020-01-01", endDate: "2099-12-31" };
    const [kept] = (await ask(listBatches, { query: range })).data;
    const { data } = await ask(listBoletos, { params: { id: kept?.id ?? "" } });
    expect(data.map(({ status }) => status).toSorted()).toEqual(["PAID", "PAID", "RETURNED", "RETURNED"]);
    await page.goto("/pagamentos/saldo");
    const rows = page.getByRole("table", { name: "Extrato" }).getByRole("row");
    const paid = rows.filter({ hasText: "lote pago" });
    await expect(paid).toHaveCount(1);
    const values = await paid.getByRole("cell").allInnerTexts();
    expect(centsIn(values.at(-2) ?? "")).toBe(-total);
  });
});
