import { crc32, deflateSync } from "node:zlib";
import { listMails } from "@malote/contracts/simulator";
import type { Browser, Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { admin, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

const person = { name: "Davi Rocha", email: "davi.rocha@aurora.example", password: "Primeira-senha-2026!" };

/** A picture of one colour that a browser can draw. */
function png(width: number, height: number): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value >>> 0);
    return bytes;
  };
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), content]);
    return Buffer.concat([number(content.length), named, number(crc32(named))]);
  };
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 0x6b)]);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk("IHDR", Buffer.concat([number(width), number(height), Buffer.of(8, 2, 0, 0, 0)])),
    chunk("IDAT", deflateSync(Buffer.concat(Array(height).fill(line)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

async function elsewhere(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: "pt-BR" });
  return context.newPage();
}

test("an admin admits an operator, revokes access, and shows the company's logo", async ({
  page,
  browser,
  baseURL,
  server,
}) => {
  test.setTimeout(180_000);
  const api = await actAs(server.url, admin);
  await signIn(page, admin);

  await test.step("COM-001 SHL-034 the profile menu opens the company's tabs", async () => {
    await page.getByRole("button", { name: /^Menu de / }).click();
    await page.getByRole("menuitem", { name: "Minha empresa" }).click();
    await expect(page).toHaveURL(/\/minha-empresa\/dados-da-empresa$/);
    await page.getByRole("link", { name: "Usuários" }).click();
    await expect(page.getByRole("table", { name: "Usuários da empresa" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("COM-018 COM-021 the admin creates an operator", async () => {
    await page.getByRole("button", { name: "Criar usuário" }).click();
    const form = page.getByRole("dialog", { name: "Criar usuário" });
    await form.getByLabel("Nome completo").fill(person.name);
    await form.getByLabel("E-mail").fill(person.email);
    await form.getByRole("checkbox", { name: "Pagamentos" }).check();
    await form.getByRole("radio", { name: /^Operador/ }).check();
    await expectAccessible(page);
    await form.getByRole("button", { name: "Criar usuário" }).click();
    await expect(page.getByText("Usuário criado com sucesso!")).toBeVisible();
    await expect(page.getByRole("button", { name: `Abrir o usuário ${person.name}` })).toBeVisible();
  });

  const own = await elsewhere(browser, baseURL);
  const linkOf = async () => {
    const { data } = await api(listMails);
    return /https?:\S+#senha=\S+/.exec(data.find(({ to }) => to === person.email)?.text ?? "")?.[0];
  };
  await expect.poll(linkOf, { message: "the e-mail with the link" }).toBeTruthy();
  const link = new URL((await linkOf()) ?? "");

  await test.step("the e-mail's link opens the choice of a password, once", async () => {
    await own.goto(`${link.pathname}${link.hash}`);
    await expect(own.getByRole("heading", { name: "Crie sua senha" })).toBeVisible();
    await expect(own.getByLabel("E-mail")).toHaveValue(person.email);
    await expectAccessible(own);
    await own.getByLabel("Nova senha", { exact: true }).fill(person.password);
    await own.getByLabel("Confirme a nova senha").fill(person.password);
    await own.getByRole("button", { name: "Criar senha" }).click();
    await expect(own.getByText("Senha criada")).toBeVisible();
    await own.getByLabel("Senha", { exact: true }).fill(person.password);
    await own.getByRole("button", { name: "Entrar", exact: true }).click();
    await expect(own.getByRole("button", { name: "Novo lote" }).first()).toBeVisible();

    const again = await elsewhere(browser, baseURL);
    await again.goto(`${link.pathname}${link.hash}`);
    await expect(again.getByRole("heading", { name: "Este link não vale mais" })).toBeVisible();
    await again.context().close();
  });

  await test.step("COM-002 the company's pages refuse the operator", async () => {
    await own.goto("/minha-empresa/usuarios");
    await expect(
      own.getByRole("heading", { name: "Você não tem permissão para acessar esta página" }),
    ).toBeVisible();
  });

  await test.step("COM-022 COM-023 another profile ends the operator's session at once", async () => {
    await page.getByRole("button", { name: `Abrir o usuário ${person.name}` }).click();
    const details = page.getByRole("dialog", { name: person.name });
    await expect(details.getByRole("radio", { name: /^Operador/ })).toBeChecked();
    expect(await details.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
    await expectAccessible(page);
    await details.getByRole("radio", { name: /^Analista/ }).check();
    await details.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Perfil do usuário alterado com sucesso!")).toBeVisible();
    await own.goto("/pagamentos/lotes");
    await expect(own.getByRole("button", { name: "Entrar", exact: true })).toBeVisible();
    await own.getByLabel("E-mail").fill(person.email);
    await own.getByLabel("Senha", { exact: true }).fill(person.password);
    await own.getByRole("button", { name: "Entrar", exact: true }).click();
    await expect(own.getByRole("heading", { name: "Seus lotes" })).toBeVisible();
    await expect(own.getByRole("button", { name: "Novo lote" })).toHaveCount(0);
  });

  await test.step("COM-024 a removed person is signed out, and cannot sign in again", async () => {
    await page.getByRole("button", { name: `Abrir o usuário ${person.name}` }).click();
    await page
      .getByRole("dialog", { name: person.name })
      .getByRole("button", { name: "Remover usuário" })
      .click();
    const question = page.getByRole("dialog", { name: `Remover o usuário ${person.name}?` });
    await question.getByRole("button", { name: "Remover usuário" }).click();
    await expect(page.getByText("Usuário removido com sucesso!")).toBeVisible();
    await expect(page.getByRole("button", { name: `Abrir o usuário ${person.name}` })).toHaveCount(0);
    await own.goto("/pagamentos/lotes");
    await expect(own.getByRole("button", { name: "Entrar", exact: true })).toBeVisible();
    await own.getByLabel("E-mail").fill(person.email);
    await own.getByLabel("Senha", { exact: true }).fill(person.password);
    await own.getByRole("button", { name: "Entrar", exact: true }).click();
    await expect(own.getByText("E-mail ou senha incorretos").first()).toBeVisible();
    await own.context().close();
  });

  await test.step("COM-005 COM-009 COM-011 phone and logo are saved and shown", async () => {
    await page.getByRole("link", { name: "Dados da empresa" }).click();
    await page.getByLabel("Telefone").fill("48 3241 7788");
    await page
      .getByLabel("Arquivo da logo")
      .setInputFiles({ name: "marca.png", mimeType: "image/png", buffer: png(240, 80) });
    await expect(page.getByText("marca.png: salve para começar a usar.")).toBeVisible();
    await page.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Dados salvos com sucesso")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Telefone")).toHaveValue("(48) 3241-7788");
    const logo = page.getByRole("img", { name: "Logo da empresa" });
    await expect(logo).toBeVisible();
    expect(
      await logo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]),
    ).toEqual([240, 80]);
    await expectAccessible(page);
  });

  await test.step("the page shows the limits", async () => {
    await page.getByRole("link", { name: "Meus limites" }).click();
    await expect(page.getByRole("region", { name: "Pix" })).toContainText("R$ 250.000,00");
    await expectAccessible(page);
  });
});
