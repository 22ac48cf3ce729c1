import { listBatches } from "@malote/contracts/batches";
import type { Locator, Page } from "@playwright/test";
import { actAs, demoPassword } from "./api.ts";
import { press, walkTo } from "./keys.ts";
import { bankSheet, rowCount, sheetFile } from "./sheets.ts";
import { admin, operator } from "./steps.ts";
import { expect, test } from "./test.ts";

const name = "Fornecedores";
async function type(target: Locator, text: string): Promise<void> {
  await walkTo(target);
  await target.page().keyboard.press("ControlOrMeta+a");
  await target.page().keyboard.type(text);
}

async function tick(target: Locator): Promise<void> {
  await expect(target).not.toBeChecked();
  await walkTo(target);
  await target.page().keyboard.press("Space");
}

/** Chooses in a list: typed text narrows it or moves to the first line that starts with it. */
async function choose(target: Locator, text: string): Promise<void> {
  await type(target, text);
  await expect(target.page().getByRole("option").first()).toBeVisible();
  await target.page().keyboard.press("Enter");
}

/** Reviews and ticks each row's own digit; none can be accepted before. */
async function takeSuggestions(dialog: Locator, first: number, rows: number, change: string): Promise<void> {
  await expect(dialog.getByRole("listitem")).toHaveCount(rows);
  await expect(dialog.getByRole("button", { name: "Marque as sugestões" })).toBeDisabled();
  for (let row = first; row < first + rows; row++) {
    const line = dialog.getByRole("checkbox", { name: `Fornecedor ${row} ${change}`, exact: true });
    await tick(line);
    await expect(line).toBeChecked();
  }
  await press(dialog.getByRole("button", { name: `Aceitar ${rows} sugestões`, exact: true }));
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/entrar");
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.keyboard.type(email);
  await type(page.getByLabel("Senha", { exact: true }), demoPassword);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Menu de / })).toBeVisible();
}

async function goTo(page: Page, words: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("combobox", { name: "Buscar lote ou ir para uma página" })).toBeFocused();
  await page.keyboard.type(words);
  await expect(page.getByRole("option", { name: words }).first()).toBeVisible();
  await page.keyboard.press("Enter");
}

test("the whole job is done without a mouse, with a csv of bank accounts", async ({
  page,
  context,
  server,
}) => {
  test.setTimeout(300_000);
  const batch = page.getByRole("dialog", { name, exact: true });
  const fixTogether = async (rows: number, group: string, fix: (dialog: Locator) => Promise<void>) => {
    const line = batch.getByRole("listitem").filter({ hasText: group });
    await press(
      line.getByRole("button", {
        name: rows === 2 ? "Corrigir as duas iguais" : `Corrigir as ${rows} iguais`,
      }),
    );
    const dialog = page.getByRole("dialog", { name: `Corrigir ${rows} pagamentos iguais` });
    await expect(dialog).toBeVisible();
    await fix(dialog);
    await expect(dialog).toBeHidden();
    await expect(line).toHaveCount(0);
  };

  await test.step("the operator imports the sheet", async () => {
    await signIn(page, operator);
    await goTo(page, "Importação");
    const choosing = page.waitForEvent("filechooser");
    await press(page.getByRole("button", { name: "Escolher arquivo" }));
    const file = await sheetFile(bankSheet, "csv");
    await (await choosing).setFiles({ name: `${name}.csv`, mimeType: "text/csv", buffer: file });
    await expect(batch).toContainText(`${rowCount} transferências`);
  });

  await test.step("repeated mistakes are fixed together, some with the proposed digit", async () => {
    await fixTogether(37, "Banco do Povo", async (dialog) => {
      await choose(dialog.getByRole("combobox", { name: "Banco para todos" }), "341");
      await press(dialog.getByRole("button", { name: "Corrigir 37 pagamentos" }));
    });
    await fixTogether(12, "Conta ou dígito da conta inválido", (dialog) =>
      takeSuggestions(dialog, 37, 12, "56789-3 → 56789-7"),
    );
    await fixTogether(4, "“não sei”", async (dialog) => {
      await choose(dialog.getByRole("combobox", { name: "Tipo de conta para todos" }), "c");
      await press(dialog.getByRole("button", { name: "Corrigir 4 pagamentos" }));
    });
    await fixTogether(2, "Dígito da conta é obrigatório", (dialog) =>
      takeSuggestions(dialog, 57, 2, "56789-? → 56789-7"),
    );
    for (const [group, field, value] of [
      ["Informe a conta, somente números", "Conta para todos", "56789"],
      ["12345678", "Agência para todos", "1234"],
      ["111.111.111-11", "CPF ou CNPJ para todos", "529.982.247-25"],
      ["O nome deve ter no mínimo 3 letras", "Nome ou razão social para todos", "Fornecedor Ltda"],
    ] as const) {
      await fixTogether(2, group, async (dialog) => {
        await type(dialog.getByLabel(field), value);
        await page.keyboard.press("Enter");
      });
    }
  });

  await test.step("rows are fixed manually, and the focus moves from one to the next", async () => {
    const panel = batch.getByRole("form", { name: /^Corrigir o pagamento de / });
    await walkTo(panel.getByLabel("Agência", { exact: true }));
    for (let rows = 0; rows < 2; rows++) {
      const agency = panel.getByLabel("Agência", { exact: true });
      await expect(agency).toBeFocused();
      await expect(agency).toHaveValue("");
      await page.keyboard.type("1234");
      await page.keyboard.press("Enter");
    }
    // The focus moves to the last row, and only then does the test continue.
    await expect(panel.getByLabel("CPF ou CNPJ", { exact: true })).toBeFocused();
  });

  await test.step("the hopeless row is deleted", async () => {
    const row = batch.getByRole("button", { name: "Sem Nada Ltda", exact: true });
    await press(row);
    await press(
      page.getByRole("dialog", { name: "Editar pagamento" }).getByRole("button", { name: "Excluir" }),
    );
    const question = page.getByRole("dialog", { name: "Excluir transferência" });
    await press(question.getByRole("button", { name: "Excluir transferência" }));
    await expect(question).toBeHidden();
    await expect(batch.getByText(/precisam? de correção/)).toHaveCount(0);
  });

  await test.step("the operator sends it to approval, and leaves", async () => {
    await press(batch.getByRole("button", { name: "Continuar" }));
    const send = batch.getByRole("button", { name: "Enviar para aprovação" });
    await expect(send).toBeDisabled();
    const checks = batch.getByRole("region", { name: "Confira antes de continuar" });
    // Values fixed together count as guesses; a value entered row by row differs from the sheet's.
    for (const found of [
      "63 pagamentos com dados sugeridos",
      "2 pagamentos com dados da planilha alterados",
    ]) {
      const line = checks.getByRole("listitem").filter({ hasText: found });
      await tick(line.getByRole("checkbox", { name: `Conferi e quero seguir : ${found}`, exact: true }));
      await expect(line).toContainText("Conferido por Rui Tavares");
    }
    await press(send);
    await expect(page.getByText("Lote enviado para aprovação.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(batch).toBeHidden();
    await press(page.getByRole("button", { name: /^Menu de / }));
    const leave = page.getByRole("menuitem", { name: "Sair" });
    await expect(leave).toBeVisible();
    await page.keyboard.press("End");
    await expect(leave).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Entrar", exact: true })).toBeVisible();
  });

  await test.step("the admin approves", async () => {
    await signIn(page, admin);
    await goTo(page, "Lotes");
    await press(page.getByRole("link", { name: `Abrir o lote ${name}` }));
    await press(batch.getByRole("button", { name: "Aprovar", exact: true }));
    const confirm = page
      .getByRole("dialog", { name: "Confirmação" })
      .getByRole("button", { name: "Aprovar lote" });
    await expect(confirm).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(batch).toContainText("Aguardando recebimento");
  });

  await test.step("the money arrives, also on the next business day, and two payments fail", async () => {
    const simulator = await context.newPage();
    await simulator.goto("/simulador");
    const company = simulator.getByRole("listitem").filter({ hasText: "Aurora Papelaria" });
    await press(company.getByRole("button", { name: "Enviar Pix" }));
    const dialog = simulator.getByRole("dialog", { name: /^Enviar Pix para Aurora/ });
    await expect(dialog.getByLabel("Valor")).toBeFocused();
    await simulator.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(batch).toContainText("Recebido", { timeout: 20_000 });
    await press(simulator.getByRole("button", { name: "Próximo dia útil, 8h" }));
    // TEDs are sent at the first opportunity of the day and take some minutes.
    await expect(simulator.getByText(/[1-9]\d* pagamentos? em andamento na rede/)).toBeVisible({
      timeout: 20_000,
    });
    await press(simulator.getByRole("button", { name: "Avançar 1 hora" }));
    await simulator.close();
    await expect(batch).toContainText("2 pagamentos com falha", { timeout: 30_000 });
  });

  await test.step("one of them is corrected, the other returned", async () => {
    const details = page.getByRole("dialog", { name: "Detalhes da transferência" });
    await type(batch.getByRole("searchbox"), "Conta Encerrada");
    await press(batch.getByRole("button", { name: "Conta Encerrada" }));
    await press(details.getByRole("button", { name: "Corrigir pagamento" }));
    const wizard = page.getByRole("dialog", { name: "Editar pagamento" });
    await type(wizard.getByLabel("CPF ou CNPJ", { exact: true }), "529.982.247-25");
    await press(wizard.getByRole("button", { name: "Salvar correção" }));
    await expect(wizard).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(details).toBeHidden();

    await type(batch.getByRole("searchbox"), "Conta Bloqueada");
    await press(batch.getByRole("button", { name: "Conta Bloqueada" }));
    await press(details.getByRole("button", { name: "Devolver ao saldo" }));
    const question = page.getByRole("dialog", { name: "Editar dados de pagamento" });
    const confirm = question.getByRole("button", { name: "Devolver ao saldo" });
    await expect(confirm).toBeFocused();
    // The dialog first shows how many payments are returned.
    await expect(confirm).not.toHaveAttribute("aria-busy");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Sua transferência foi devolvida!")).toBeVisible();
    // Waits for the question to close by itself: an earlier Escape would close the question, not the layer
    // below.
    await expect(question).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(details).toBeHidden();
    await page.keyboard.press("Escape");
    await expect(batch).toBeHidden();
  });

  await test.step("the statement shows the entries", async () => {
    await goTo(page, "Saldo");
    await expect(page.getByText(/^Confere: abertura/)).toBeVisible();
    const ask = await actAs(server.url, admin);
    const [paid] = (await ask(listBatches, { query: { initialDate: "2020-01-01", endDate: "2099-12-31" } }))
      .data;
    expect(paid).toMatchObject({ failed_count: 0, returned_count: 1 });
  });
});
