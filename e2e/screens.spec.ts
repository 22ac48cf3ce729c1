import { closeBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { errors } from "@malote/contracts/errors";
import { importSheet, readSheet, uploadSheet } from "@malote/contracts/import";
import { readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { pathOf, redirects, routeNames } from "../apps/web/src/shell/routes.ts";
import { englishWords } from "../scripts/steps/english-words.mjs";
import { actAs } from "./api.ts";
import { expectNoBarriers } from "./barriers.ts";
import { failingKeys, pixSheet, sheetFile } from "./sheets.ts";
import { admin, operator, signIn } from "./steps.ts";
import { expect, expectAccessible, test } from "./test.ts";

const toEmail = (pix_key: string, value: number) => ({
  value,
  destination_bank_account: { name: "Joana Prado", pix_key_type: "EMAIL" as const, pix_key },
});

/** A batch in each state that has a view of its own. */
async function prepare(url: string) {
  const asOperator = await actAs(url, operator);
  const asAdmin = await actAs(url, admin);
  const form = new FormData();
  form.set("fileName", "com erros.csv");
  form.set("file", new Blob([new Uint8Array(await sheetFile(pixSheet, "csv"))]), "com erros.csv");
  const { id: sheet_id } = await asOperator(uploadSheet, { body: form });
  await asOperator(importSheet, { body: { sheet_id } });
  const read = () => asOperator(readSheet, { params: { id: sheet_id } });
  await expect.poll(async () => (await read()).state).toBe("imported");
  const draft = (await read()).batch_id ?? "";

  const make = async (name: string, value: number, key = "joana@exemplo.com.br") =>
    (await asOperator(createBatch, { body: { name, transfers: [toEmail(key, value)] } })).id;
  const [company] = (await asAdmin(readSimulator)).companies;
  const failed = await make("Com falha", 50_00, failingKeys.unknown);
  await asAdmin(closeBatch, { params: { id: failed }, body: {} });
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 50_00 } });
  const forApproval = await make("Para aprovar", 70_00);
  await asOperator(sendBatchToApproval, { params: { id: forApproval }, body: {} });
  const ready = await make("Pronto", 30_00);
  const waiting = await make("Sem saldo", 90_00);
  await asAdmin(closeBatch, { params: { id: waiting }, body: {} });
  return { draft, failed, forApproval, ready, waiting };
}

test("SES-001 every screen, e-mail and refusal is in Portuguese, and has no barrier known to axe, in either theme", async ({
  page,
  server,
}) => {
  test.setTimeout(420_000);
  const batch = (id: string, more = "") => `/pagamentos/lotes?lote=${id}${more}`;
  expect(englishWords("Your payment failed"), "the eye for English").toEqual(["Your", "payment", "failed"]);
  expect(englishWords("E99999593202611211927aNxPvNCB3of"), "the id of a payment").toEqual([]);
  for (const [code, [, sentence]] of Object.entries(errors))
    expect(englishWords(sentence.replace(/\{\w+\}|Idempotency-Key/g, "")), code).toEqual([]);

  await page.setContent("<main><h1>Olá</h1><img src='/x.png'></main>");
  await expect(expectAccessible(page), "the eye for barriers").rejects.toThrow("image-alt");

  await page.goto("/entrar");
  await expect(page.getByLabel("E-mail")).toBeVisible();
  await expectNoBarriers(page, "login");
  // Runs before there is an e-mail, because an e-mail's frame admits no script, not even axe's.
  await page.goto("/simulador");
  await expect(page.getByRole("heading", { name: "Empresas" })).toBeVisible();
  await expectNoBarriers(page, "simulator");

  const { draft, failed, forApproval, ready, waiting } = await prepare(server.url);
  await signIn(page, admin);
  const screens: readonly [what: string, address: string, shows: string | RegExp][] = [
    ["batches", "/pagamentos/lotes", "Sem saldo"],
    ["draft with errors", batch(draft), "Erros que se repetem"],
    ["approval", batch(forApproval), /pede a sua aprovação/],
    ["funding", batch(ready, "&etapa=envio"), "Quase tudo pronto para finalizar o pagamento."],
    ["waiting for money", batch(waiting), "Aguardamos o recebimento do valor do lote."],
    ["failed payments", batch(failed), "Alguns pagamentos não foram realizados!"],
    ["form of a payment", batch(ready, "&pagamento=novo"), "Para quem?"],
    ["statement", "/pagamentos/saldo", /^Confere: abertura/],
    ["withdrawal", "/pagamentos/saldo?resgate=novo", "Conta para saque"],
    ["indicators", "/pagamentos/indicadores", "Principais motivos de falhas"],
    ["payins", "/recebimentos/recebiveis", "Mariana Teles Prado"],
    ["card receivables", "/recebimentos/cartao-de-credito", "Nenhum recebível neste mês"],
    ["import", "/pagamentos/importacao-de-planilha", "Arraste e solte aqui sua planilha =)"],
    ["waiting batches", "/pagamentos/lotes-aguardando-recebimento", "Sem saldo"],
    ["first steps", "/pagamentos/primeiros-passos", "Primeiros passos"],
    ["company data", "/minha-empresa", "Sobre a empresa"],
    ["users", "/minha-empresa/usuarios", "Rui Tavares"],
    ["new user", "/minha-empresa/usuarios?usuario=novo", "Nome completo"],
    ["limits", "/minha-empresa/limites", "Fim de semana"],
    ["account data", "/minha-conta", "Empresa e perfil"],
    ["security", "/minha-conta/seguranca", /autenticação em 2 fatores/i],
  ];
  for (const [what, address, shows] of screens) {
    await page.goto(address);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expectNoBarriers(page, what);
  }

  // Every other page with an address of its own, so that new pages are checked as well.
  const seen = new Set(screens.map(([, address]) => address.replace(/\?.*/, "")));
  const others = routeNames.filter((name) => {
    const path = pathOf(name);
    return !path.includes("$") && !redirects[name] && !seen.has(path);
  });
  expect(others.length, "pages beside those above").toBeGreaterThan(12);
  for (const name of others) {
    await page.goto(pathOf(name));
    await expect(page.getByRole("heading", { level: 1 }).first(), name).toBeVisible();
    await expect(page.locator("[aria-busy=true]"), name).toHaveCount(0);
    await expectNoBarriers(page, name);
  }

  await page.goto(batch(draft));
  await page.getByRole("button", { name: "Corrigir as 37 iguais" }).click();
  await expect(page.getByRole("dialog", { name: "Corrigir 37 pagamentos iguais" })).toBeVisible();
  await expectNoBarriers(page, "fixing rows together");
  await page.goto(batch(failed));
  await page.getByRole("button", { name: "Joana Prado" }).click();
  await page
    .getByRole("dialog", { name: "Detalhes da transferência" })
    .getByRole("button", { name: "Devolver ao saldo" })
    .click();
  await expect(page.getByRole("dialog", { name: "Editar dados de pagamento" })).toBeVisible();
  await expectNoBarriers(page, "refund");

  // The frame of an e-mail admits no script, so the e-mail is checked on a page of its own.
  await page.goto("/simulador");
  const email = page.locator("iframe[title^='E-mail: ']");
  await expect(email).toBeVisible();
  const html = (await email.getAttribute("srcdoc")) ?? "";
  expect(html, "an e-mail holds no script").not.toMatch(/<script|javascript:|\son\w+=/i);
  expect(html).toContain("<style");
  await page.goto("about:blank");
  await page.setContent(html);
  await expectNoBarriers(page, "e-mail");
});

test("BAT-010 the batches are cards, three to a row when there is room, then two, then one", async ({
  page,
  server,
}) => {
  const asOperator = await actAs(server.url, operator);
  for (const name of ["Um", "Dois", "Três", "Quatro"]) await asOperator(createBatch, { body: { name } });
  await signIn(page, operator);
  for (const { width, columns } of [
    { width: 1440, columns: 3 },
    { width: 1024, columns: 2 },
    { width: 360, columns: 1 },
  ]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/pagamentos/lotes");
    const cards = page.getByRole("listitem").filter({ has: page.getByRole("article") });
    await expect(cards).toHaveCount(4);
    const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
    const firstRow = boxes.filter((box) => box?.y === boxes[0]?.y);
    expect(firstRow, `cards in the first row at ${width} px`).toHaveLength(columns);
    expect(new Set(boxes.map((box) => box?.x)).size, `columns at ${width} px`).toBe(columns);
  }
});
