import { authorize } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { send } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { admin, operator, signIn, signOut } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

test("DEV-001 DEV-006 DEV-007 DEV-008 a credential is created, works, and stops working when it is revoked", async ({
  page,
  server,
}) => {
  await signIn(page, admin);
  await page.getByRole("button", { name: /^Menu de / }).click();
  await page.getByRole("menuitem", { name: "Desenvolvedor" }).click();
  await expect(page).toHaveURL(/\/area-do-desenvolvedor\/credenciais$/);
  await expect(page.getByRole("heading", { name: "Credenciais de APIs", level: 1 })).toBeVisible();
  await expect(page.getByText("aurora-sandbox")).toBeVisible();
  await expectNoBarriers(page, "credentials");

  await page.getByRole("button", { name: "Nova credencial" }).click();
  await page.getByLabel("Nome").fill("ERP da Aurora");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Gerar credencial" }).click();
  await expect(page.getByText("Nova credencial de acesso criada com sucesso!")).toBeVisible();
  const shown = page.getByRole("dialog", { name: "Nova credencial: ERP da Aurora" });
  await expect(shown.getByText(/não será mostrado de novo/)).toBeVisible();
  await expectNoBarriers(page, "new secret");
  await page.setViewportSize({ width: 360, height: 780 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const [clientId, secret] = await shown.locator("code").allInnerTexts();
  const given = {
    grant_type: "client_credentials" as const,
    client_id: clientId ?? "",
    client_secret: secret ?? "",
  };
  const granted = await send(server.url, undefined, authorize, { body: given });
  if (!granted.done || !("access_token" in granted.done)) throw new Error(granted.text);
  const token = granted.done.access_token;
  expect((await send(server.url, token, readBalance)).status).toBe(200);

  await shown.getByRole("button", { name: "Já guardei o segredo" }).click();
  await expect(page.getByText(secret ?? "")).toHaveCount(0);
  await page.reload();
  await expect(page.getByText(clientId ?? "")).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Revogar a credencial ERP da Aurora" }).click();
  const asked = page.getByRole("dialog", { name: "Revogar a credencial ERP da Aurora?" });
  await expectNoBarriers(page, "revoking");
  await asked.getByRole("button", { name: "Revogar credencial" }).click();
  await expect(page.getByText("A credencial ERP da Aurora foi revogada.")).toBeVisible();
  await expect(page.getByText(clientId ?? "")).toHaveCount(0);
  expect((await send(server.url, token, readBalance)).status).toBe(401);
  expect((await send(server.url, undefined, authorize, { body: given })).status).toBe(401);
});

test("DEV-002 DEV-003 SHL-026 an operator opens the area by its address alone, an analyst not at all", async ({
  page,
}) => {
  await signIn(page, operator);
  await expect(page.getByRole("link", { name: "Desenvolvedor" })).toHaveCount(0);
  await page.goto("/area-do-desenvolvedor");
  await expect(page.getByRole("heading", { name: "Credenciais de APIs", level: 1 })).toBeVisible();
  await signOut(page);
  await signIn(page, "ana@aurora.example");
  await page.goto("/area-do-desenvolvedor/credenciais");
  await expect(
    page.getByRole("heading", { name: "Você não tem permissão para acessar esta página" }),
  ).toBeVisible();
});
