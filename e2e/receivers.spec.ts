import { createBatch } from "@malote/contracts/batches";
import { createCheckpoint } from "@malote/contracts/company";
import { listReceivers } from "@malote/contracts/receivers";
import { listTransfers } from "@malote/contracts/transfers";
import { actAs } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { followNoChanges, operator, signIn, signOut } from "./steps.ts";
import { expect, test } from "./test.ts";

const analyst = "ana@aurora.example";
const stranger = "marcos@horizonte.example";
const name = "Oficina Boa Hora Ltda";

test("RCV-001 RCV-014 RCV-017 RCV-020 RCV-021 RCV-022 a receiver is saved, found, changed, paid and deleted", async ({
  page,
  server,
}) => {
  const api = await actAs(server.url, operator);
  const table = page.getByRole("table", { name: "Seus recebedores" });
  const row = (text: string) => table.getByRole("row").filter({ hasText: text });
  const find = (words: string) => page.getByRole("searchbox").fill(words);

  await test.step("the page lists the saved receivers", async () => {
    await followNoChanges(page);
    await signIn(page, operator);
    await page.getByRole("link", { name: "Recebedores" }).click();
    await expect(row("Gráfica Ponto Final Ltda")).toContainText("Itaú");
    // The list masks a stranger's CPF.
    await expect(row("Otávio Furtado")).toContainText("***.017.362-**");
    await expect(row("Lívia Antunes")).toContainText("Chave PIX não encontrada.");
    await expectNoBarriers(page, "receivers");
  });

  await test.step("a new receiver follows the rules of a payment, and is saved", async () => {
    await page.getByRole("button", { name: "Novo recebedor" }).click();
    const form = page.getByRole("dialog", { name: "Cadastrar novo recebedor" });
    await form.getByText("E-mail", { exact: true }).click();
    await form.getByRole("textbox", { name: "Chave Pix (E-mail)" }).fill("oficina@");
    await form.getByRole("textbox", { name: /^Nome ou razão social/ }).fill(name);
    await form.getByRole("button", { name: "Salvar recebedor" }).click();
    await expect(form.getByRole("alert")).toContainText("A chave Pix deve ser válida");
    await expectNoBarriers(page, "form of a receiver");
    await form.getByRole("textbox", { name: "Chave Pix (E-mail)" }).fill("oficina@boahora.example");
    await form.getByRole("button", { name: "Salvar recebedor" }).dblclick();
    await expect(page.getByText("Recebedor salvo com sucesso")).toBeVisible();
    await expect(form).toBeHidden();
  });

  await test.step("the receiver is found and changed", async () => {
    await find("boa hora");
    await expect(table.getByRole("row")).toHaveCount(2);
    await row(name).click();
    const form = page.getByRole("dialog", { name: "Editar recebedor" });
    await form.getByRole("textbox", { name: /^CPF ou CNPJ/ }).fill("11.222.333/0001-81");
    await form.getByRole("button", { name: "Salvar recebedor" }).click();
    await expect(form).toBeHidden();
    await expect(row(name)).toContainText("11.222.333/0001-81");
    expect((await api(listReceivers, { query: { search: "boa hora" } })).data).toHaveLength(1);
  });

  await test.step("the receiver fills a payment, with a hint that shows once", async () => {
    const batch = await api(createBatch, { body: { name: "Oficina" } });
    await page.goto(`/pagamentos/lotes?lote=${batch.id}&pagamento=novo`);
    const hint = page.getByRole("group", { name: "Dica" });
    await expect(hint).toContainText("Busque aqui seus recebedores");
    await expectNoBarriers(page, "hint of the search");
    await hint.getByRole("button", { name: "Entendi" }).click();
    await expect(hint).toBeHidden();
    const search = page.getByRole("combobox", { name: "Buscar um recebedor cadastrado" });
    await expect(search).toBeFocused();
    await page.keyboard.type("oficina");
    await page.getByRole("option", { name: new RegExp(name) }).click();
    await page.getByRole("textbox", { name: /^Qual o valor/ }).fill("12,34");
    await page.getByRole("button", { name: "Salvar pagamento" }).click();
    await expect(page.getByRole("dialog", { name: "Criar novo pagamento" })).toBeHidden();
    const [payment] = (await api(listTransfers, { params: { id: batch.id } })).data;
    expect(payment?.destination_bank_account).toMatchObject({
      name,
      cpf_cnpj: "11222333000181",
      pix_key: "oficina@boahora.example",
    });
    expect(payment?.errors).toEqual([]);

    await page.goto(`/pagamentos/lotes?lote=${batch.id}&pagamento=novo`);
    await expect(search).toBeFocused();
    // Waits as long as the page looks for the hint's target.
    await page.waitForLoadState("networkidle");
    await expect(hint).toHaveCount(0);
  });

  await test.step("several receivers are deleted together, and one by itself", async () => {
    await page.goto("/pagamentos/recebedores");
    await page.getByRole("checkbox", { name: `Selecionar ${name}` }).check();
    await page.getByRole("checkbox", { name: "Selecionar Lívia Antunes" }).check();
    await page.getByRole("button", { name: "Excluir selecionados" }).click();
    const question = page.getByRole("dialog", { name: "Excluir Recebedores" });
    await expect(question).toContainText("Você deseja excluir os recebedores selecionados?");
    await expectNoBarriers(page, "deleting receivers");
    await question.getByRole("button", { name: "Excluir recebedores" }).click();
    await expect(page.getByText("Recebedores excluídos com sucesso")).toBeVisible();
    await expect(row(name)).toHaveCount(0);
    await expect(row("Lívia Antunes")).toHaveCount(0);

    await row("Caio Menezes Rocha").getByRole("link").click();
    await page
      .getByRole("dialog", { name: "Editar recebedor" })
      .getByRole("button", { name: "Excluir" })
      .click();
    const one = page.getByRole("dialog", { name: "Excluir recebedor" });
    await one.getByRole("button", { name: "Excluir recebedor" }).click();
    await expect(page.getByText("Recebedor excluído com sucesso")).toBeVisible();
    await expect(row("Caio Menezes Rocha")).toHaveCount(0);
    await signOut(page);
  });

  await test.step("RCV-008 RCV-010 an analyst reads receivers, on a phone too", async () => {
    await signIn(page, analyst);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/pagamentos/recebedores");
    await expect(page.getByRole("button", { name: "Novo recebedor" })).toHaveCount(0);
    await page.getByRole("link", { name: "Otávio Furtado" }).click();
    const view = page.getByRole("dialog", { name: "Recebedor", exact: true });
    await expect(view).toContainText("***.017.362-**");
    await expect(view.getByRole("textbox")).toHaveCount(0);
    await expectNoBarriers(page, "a receiver to be read");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, "nothing hangs over the edge").toBeLessThanOrEqual(360);
  });
});

test("RCV-003 RCV-006 a new company is redirected to its first steps, and then sees an empty page", async ({
  page,
  server,
}) => {
  await signIn(page, stranger);
  await page.goto("/pagamentos/recebedores");
  await expect(page.getByRole("heading", { name: "Primeiros passos" })).toBeVisible();
  expect(new URL(page.url()).searchParams.get("redirectedFrom")).toBe("/pagamentos/recebedores");
  const ask = await actAs(server.url, stranger);
  await ask(createCheckpoint, { body: { location: "HAS_FILLED_FIRST_STEPS" } });
  await page.goto("/pagamentos/recebedores");
  await expect(page.getByRole("heading", { name: "Você ainda não tem recebedores" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Novo recebedor" })).toHaveCount(1);
  await expectNoBarriers(page, "no receivers yet");
});
