import { listPixKeys } from "@malote/contracts/pix-keys";
import { listDirectory, raiseClaim } from "@malote/contracts/simulator";
import { awaitsOurAnswer } from "@malote/domain/own-pix-key";
import { actAs, send } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

test("PIX-015 PIX-026 PIX-043 SHL-057 SET-002 a phone becomes a key by its code, another holder claims it, and it is kept", async ({
  page,
  server,
}) => {
  await signIn(page, admin);
  await page.getByRole("link", { name: "Configurações" }).click();
  await expect(page.getByRole("heading", { name: "Suas chaves Pix cadastradas" })).toBeVisible();
  await expectNoBarriers(page, "bank data");

  await page.getByRole("button", { name: "Adicionar chave Pix" }).click();
  const first = page.getByRole("dialog", { name: "Adicionar chave Pix" });
  // The dialog covers the whole window; only its box is drawn.
  const width = async () => (await first.locator("> div").first().boundingBox())?.width;
  await expect.poll(width).toBe(620);
  const wide = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ ...wide, width: 390 });
  await expect.poll(width).toBeLessThanOrEqual(390);
  await page.setViewportSize(wide);
  await page.getByLabel("Celular").last().fill("11984215570");
  await page.getByRole("button", { name: "Próximo" }).click();
  const wizard = page.getByRole("dialog", { name: "Chave Pix", exact: true });
  const code = wizard.getByLabel("Código de verificação", { exact: true });
  await expect(code).toBeVisible();
  await expect
    .poll(async () => (await send(server.url, undefined, listDirectory)).done?.texts.length)
    .toBe(1);
  const { done } = await send(server.url, undefined, listDirectory);
  await code.fill(done?.texts[0]?.words.slice(0, 6) ?? "");
  await wizard.getByRole("button", { name: "Finalizar" }).click();
  await expect(wizard.getByText("Chave vinculada")).toBeVisible({ timeout: 10_000 });
  await expect(wizard.getByRole("img", { name: "Código QR da chave (11) 98421-5570" })).toBeVisible();
  await wizard.getByRole("button", { name: "Fechar", exact: true }).last().click();

  await send(server.url, undefined, raiseClaim, { body: { key: "+5511984215570", kind: "CLAIM" } });
  const banner = page.getByText(/pedido de registro para a chave Pix \(11\) 98421-5570/);
  const ask = await actAs(server.url, admin);
  const claimed = async () =>
    (await ask(listPixKeys)).data.some(
      ({ key, status }) => key === "+5511984215570" && awaitsOurAnswer(status),
    );
  await expect.poll(claimed, { timeout: 30_000 }).toBe(true);
  await page.reload();
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: /\(11\) 98421-5570/ }).click();
  await wizard.getByRole("button", { name: "Manter chave" }).click();
  await expect(page.getByText("Chave Pix mantida com sucesso.")).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test("the general settings have no accessibility barriers", async ({ page }) => {
  await signIn(page, admin);
  await page.goto("/pagamentos/configuracoes/geral");
  await expect(page.getByRole("heading", { name: "Correção Automática" })).toBeVisible();
  // One word of its heading is English, as required.
  await expectAccessible(page);
});
