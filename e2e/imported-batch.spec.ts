import type { Locator, Page } from "@playwright/test";
import { sheetFile } from "./sheets.ts";
import { admin, dropFile, followNoChanges, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const list = /\/pagamentos\/lotes$/;

const good = {
  name: "Fornecedor Um",
  pixKeyType: "EMAIL",
  pixKey: "um@exemplo.com.br",
  value: "10,00",
};

async function importSheet(page: Page, name: string): Promise<Locator> {
  await page.getByRole("link", { name: "Importação" }).click();
  const content = await sheetFile(
    { fields: ["name", "pixKeyType", "pixKey", "value"], rows: [good, { ...good, value: "20,00" }] },
    "xlsx",
  );
  await dropFile(page, { name: `${name}.xlsx`, content });
  const batch = page.getByRole("dialog", { name, exact: true });
  await expect(batch).toContainText("2 transferências");
  return batch;
}

/** The list of batches is shown, with nothing above it, and stays. */
async function expectOnlyTheList(page: Page): Promise<void> {
  await expect(page).toHaveURL(list);
  await expect(page.getByRole("heading", { name: "Seus lotes" })).toBeVisible();
  // Anything that would reopen the batch calls the server first.
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(list);
}

test("IMP-002 IMP-023 BAT-052 an imported batch is left by X, Esc, Back, saving and cancelling, and does not reopen by itself", async ({
  page,
}) => {
  await followNoChanges(page);
  await signIn(page, admin);

  await test.step("X closes it", async () => {
    const batch = await importSheet(page, "Pelo xis");
    await batch.getByRole("button", { name: "Fechar", exact: true }).click();
    await expectOnlyTheList(page);
  });
  await test.step("Esc closes it", async () => {
    await importSheet(page, "Pela tecla");
    await page.keyboard.press("Escape");
    await expectOnlyTheList(page);
  });
  await test.step("Back closes it, and a reload does not reopen it", async () => {
    await importSheet(page, "Pela volta");
    await page.goBack();
    await expectOnlyTheList(page);
    await page.reload();
    await expectOnlyTheList(page);
  });
  await test.step("X closes it after a reload", async () => {
    const batch = await importSheet(page, "Carregado de novo");
    await page.reload();
    await batch.getByRole("button", { name: "Fechar", exact: true }).click();
    await expectOnlyTheList(page);
  });
  await test.step("Esc closes it once it is saved as a draft", async () => {
    const batch = await importSheet(page, "Guardado");
    await batch.getByRole("button", { name: "Salvar rascunho" }).click();
    await expect(page.getByText("Seu rascunho foi salvo!")).toBeVisible();
    await page.keyboard.press("Escape");
    await expectOnlyTheList(page);
    await expect(page.getByRole("link", { name: "Abrir o lote Guardado" })).toBeVisible();
  });
  await test.step("cancelling deletes it", async () => {
    const batch = await importSheet(page, "Desfeito");
    await batch.getByRole("button", { name: "Cancelar importação" }).click();
    const question = page.getByRole("dialog", { name: "Excluir lote" });
    await expect(question).toContainText("A importação será cancelada");
    await question.getByRole("button", { name: "Excluir lote" }).click();
    await expect(page.getByText("Lote excluído com sucesso!")).toBeVisible();
    await expectOnlyTheList(page);
    await expect(page.getByRole("link", { name: "Abrir o lote Desfeito" })).toHaveCount(0);
    // Back and Forward do not reopen it either.
    await page.goBack();
    await page.goForward();
    await expect(page.getByRole("dialog", { name: "Desfeito", exact: true })).toHaveCount(0);
  });
});

test("wrong rows of a draft are fully readable at every width, and a word of 150 letters pushes nothing out of sight", async ({
  page,
}) => {
  const word = `${"x".repeat(150)}`;
  await signIn(page, admin);
  await page.getByRole("link", { name: "Importação" }).click();
  const content = await sheetFile(
    {
      fields: ["name", "taxId", "email", "pixKeyType", "pixKey", "value", "paymentDate", "pixDescription"],
      rows: [
        { ...good, email: word, paymentDate: "32/13/2026", pixDescription: word },
        { ...good, taxId: "529.982.247-26", value: "a combinar" },
      ],
    },
    "xlsx",
  );
  await dropFile(page, { name: "Larguras.xlsx", content });
  const batch = page.getByRole("dialog", { name: "Larguras", exact: true });
  const panel = batch.getByRole("form", { name: "Corrigir o pagamento de Fornecedor Um" });
  await expect(panel).toBeVisible();
  for (const width of [390, 1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const save = await panel.getByRole("button", { name: "Salvar" }).boundingBox();
    expect(save, `the button at ${width} px`).not.toBeNull();
    expect((save?.x ?? 0) + (save?.width ?? 0), `the button at ${width} px`).toBeLessThanOrEqual(width);
    const cut = await batch.evaluate((dialog) => {
      const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1;
      const list = dialog.querySelector("ul[aria-label='Pagamentos do lote']");
      const scroll = dialog.querySelector("[data-scroll]") ?? dialog;
      return {
        page: isCut(document.documentElement),
        body: isCut(scroll),
        list: list ? isCut(list) : true,
        sentences: [...dialog.querySelectorAll("li span")].filter(
          (span) =>
            /deve ser|inválid|Valor/.test(span.textContent ?? "") &&
            isCut(span) &&
            getComputedStyle(span).display !== "inline",
        ).length,
      };
    });
    expect(cut, `cut at ${width} px`).toEqual({ page: false, body: false, list: false, sentences: 0 });
  }
});
