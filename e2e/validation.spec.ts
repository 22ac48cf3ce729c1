import { depositPix } from "@malote/contracts/simulator-payins";
import { actAs } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

test("SHL-027 VAL-001 VAL-012 VAL-018 VAL-020 VAL-023 VAL-026 an account is checked, corrected, and proven by a centavo", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  await asAdmin(depositPix, { body: { pix_key: "financeiro@aurora.example", value: 100 } });

  await test.step("the side menu switches to ContaCerta, and a wrong digit is answered with the right one", async () => {
    await signIn(page, operator);
    await page
      .getByRole("navigation", { name: "Áreas e saída" })
      .getByRole("link", { name: "ContaCerta" })
      .click();
    await expect(page.getByRole("heading", { name: "Validações", level: 1 })).toBeVisible();
    await page.getByRole("combobox", { name: "Banco" }).fill("341");
    await page.getByRole("option", { name: /^341/ }).click();
    await page.getByRole("combobox", { name: "Tipo de conta" }).click();
    await page.getByRole("option", { name: "Conta corrente" }).click();
    await page.getByRole("textbox", { name: "Agência", exact: true }).fill("1234");
    await page.getByRole("textbox", { name: "Conta", exact: true }).fill("56789");
    await page.getByRole("textbox", { name: "Dígito da conta" }).fill("1");
    await page.getByRole("textbox", { name: "CPF ou CNPJ" }).fill("11222333000181");
    await page.getByRole("textbox", { name: /^Nome/ }).fill("Padaria Sol Nascente");
    await expectNoBarriers(page, "form of a validation");
    await page.getByRole("button", { name: "Fazer validação" }).click();
    await expect(page.getByText("Os dados bancários informados estão incorretos.")).toBeVisible();
    await expect(page.getByText("Sugestão: Dígito da conta 7")).toBeVisible();
  });

  await test.step("corrected, the account is proven by a micro deposit", async () => {
    await page.getByRole("button", { name: "Refazer validação" }).click();
    await page.getByText("Microdepósito", { exact: true }).click();
    await page.getByRole("textbox", { name: "Dígito da conta" }).fill("7");
    await page.getByRole("button", { name: "Fazer validação" }).click();
    await expect(page.getByText("Os dados bancários informados estão corretos.")).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Baixar comprovante" }).click();
    expect((await download).suggestedFilename()).toBe("comprovante-padaria-sol-nascente.pdf");
  });

  await test.step("the history lists both, and opens one", async () => {
    await page.getByRole("link", { name: "Histórico", exact: true }).click();
    const table = page.getByRole("table", { name: "Histórico de validações" });
    const made = table.getByRole("row").filter({ hasText: "Padaria Sol Nascente" });
    await expect(made).toHaveCount(2);
    await expectNoBarriers(page, "history of validations");
    await made.filter({ hasText: "Inválido" }).getByRole("link").click();
    const result = page.getByRole("dialog", { name: "Resultado da validação" });
    await expect(result.getByText("Sugestão: Dígito da conta 7")).toBeVisible();
    await expectNoBarriers(page, "result of a validation");
  });
});
