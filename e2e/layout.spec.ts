/**
 * Screens as windows draw them, with rows of realistic length: nothing is cut, pushed out or wrapped that must not be.
 */
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { readControls, saveControls } from "@malote/contracts/controls";
import { moveClock, readSimulator } from "@malote/contracts/simulator";
import { announceNotice } from "@malote/contracts/simulator-installation";
import { depositPix } from "@malote/contracts/simulator-payins";
import { withdrawBalance } from "@malote/contracts/statement";
import { bankBarcode } from "@malote/domain/boleto-code";
import { writeBrCode } from "@malote/domain/br-code";
import { addDays, saoPauloDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { writeCsvFile } from "@malote/sheet-reader/write-csv";
import { Secret, TOTP } from "otpauth";
import { actAs } from "./api.ts";
import { expectWellDrawn, faultsOf, widths } from "./drawn.ts";
import { admin, dropFile, operator, signIn, signOut } from "./steps.ts";
import { expect, test } from "./test.ts";

const today = saoPauloDate(new Date());
const longName = "Indústria e Comércio de Embalagens Santa Cecília do Norte Ltda";

const longKey = "contas.a.pagar.financeiro@embalagens-santa-cecilia.example";

const toKey = (name: string, value: number, pix_key: string, more: object = {}) => ({
  value,
  destination_bank_account: { name, pix_key_type: "EMAIL" as const, pix_key },
  ...more,
});

test.beforeEach(({ page }) => page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" }));

test("SHL-004 SHL-005 the top bar shows hundreds of millions on one line each", async ({ page }) => {
  const millions = { value: 123_456_789_00, waiting_value: 987_654_321_00 };
  await page.route("**/statement/balance", (route) => route.fulfill({ json: millions }));
  await signIn(page, operator);
  const bar = page.getByRole("banner");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const text of ["Saldo", "R$ 123.456.789,00", "Aguardando recebimento", "R$ 987.654.321,00"]) {
      const box = await bar.getByText(text, { exact: true }).boundingBox();
      expect.soft(box!.height, `${text} at ${width} px`).toBeLessThan(24);
    }
    expect.soft(await faultsOf(page), `at ${width} px`).toEqual([]);
  }
});

test("words of a hundred letters break in the rows to correct, in repeated mistakes and in their dialog", async ({
  page,
}) => {
  const word = "NOTAFISCAL".repeat(15);
  const wrong = "fornecedor".repeat(10);
  const heading = [
    "Tipo de chave Pix",
    "Chave Pix",
    "Nome ou Razão Social",
    "Valor",
    "Descrição Pix (opcional)",
  ];
  const rows = [
    ["EMAIL", "ana@exemplo.com.br", "Ana Lima", "10,00", word],
    ["EMAIL", "bento@exemplo.com.br", wrong, "20,00", word],
    ["EMAIL", wrong, "Caio Reis", "30,00", ""],
    ["EMAIL", wrong, "Caio Reis", "40,00", ""],
  ];
  await signIn(page, operator);
  await page.getByRole("link", { name: "Importação" }).click();
  await dropFile(page, { name: "compridas.csv", content: writeCsvFile([heading, ...rows]) });
  const batch = page.getByRole("dialog", { name: "compridas", exact: true });
  const panel = batch.getByRole("form", { name: /^Corrigir o pagamento de / });
  await expect(panel.getByRole("button", { name: "Salvar" })).toBeVisible();
  await expect(batch.getByRole("heading", { name: "Erros que se repetem" })).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 780 });
    for (const row of ["Ana Lima", wrong, "Caio Reis"]) {
      const toggle = batch.getByRole("button", { name: `Corrigir ${row}`, exact: true }).first();
      if (await toggle.isVisible()) await toggle.click();
      const open = batch.getByRole("form", { name: `Corrigir o pagamento de ${row}`, exact: true }).first();
      await open.getByRole("button", { name: "Salvar" }).scrollIntoViewIfNeeded();
      await expect(open.getByRole("button", { name: "Salvar" })).toBeInViewport({ ratio: 1 });
      expect.soft(await faultsOf(page), `${row.slice(0, 20)} at ${width} px`).toEqual([]);
    }
    for (const button of await batch.getByRole("button", { name: "Corrigir as duas iguais" }).all()) {
      await button.click();
      const dialog = page.getByRole("dialog", { name: "Corrigir 2 pagamentos iguais" });
      await expect(dialog.getByRole("button", { name: "Corrigir 2 pagamentos" })).toBeInViewport({
        ratio: 1,
      });
      expect.soft(await faultsOf(page), `together at ${width} px`).toEqual([]);
      await dialog.getByRole("button", { name: "Cancelar" }).click();
      await expect(dialog).toBeHidden();
    }
  }
});

test("payments and approvals are drawn fully in every usual window, and close as expected", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, {
    body: { pix_key: company!.pix_key, value: 1_234_567_89, payer_name: longName },
  });
  const twins = await asOperator(createBatch, {
    body: {
      name: "Fornecedores da segunda quinzena de novembro das três lojas",
      transfers: [
        toKey(longName, 187_654_32, longKey, { pix_description: "Nota fiscal 123456" }),
        toKey(longName, 187_654_32, longKey),
        toKey("Beatriz Sales", 100_00, "beatriz@exemplo.com.br"),
      ],
    },
  });
  const tooMuch = await asOperator(createBatch, {
    body: {
      name: "Acima do limite",
      transfers: [toKey(longName, 987_654_32, longKey), toKey(longName, 987_654_33, longKey)],
    },
  });
  await asOperator(createBatch, {
    body: {
      name: "Contas de consumo",
      type: "BILLET",
      billets: [
        {
          value: null,
          barcode: bankBarcode({
            bankCode: "341",
            value: cents(123_456_789),
            dueDate: addDays(today, 30),
            freeField: "1".repeat(25),
          }),
          description: "Aluguel do galpão da rua das Palmeiras, 1.200",
        },
      ],
    },
  });
  const paid = await asOperator(createBatch, {
    body: { name: "Pago antes", transfers: [toKey(longName, 12_345_67, "joana@exemplo.com.br")] },
  });
  await asAdmin(closeBatch, { params: { id: paid.id }, body: {} });
  await signIn(page, admin);
  const batch = page.getByRole("dialog", { name: /^Fornecedores da segunda/ });
  await test.step("closing a batch with checks", async () => {
    await page.goto("/pagamentos/lotes");
    await page.getByRole("link", { name: /Abrir o lote Fornecedores/ }).click();
    await expect(batch.getByText(/em dobro/).first()).toBeVisible();
    await expectWellDrawn(page, "draft with findings");
    await batch.getByRole("button", { name: "Fechar lote" }).click();
    const question = page.getByRole("dialog", { name: "Confirmação" });
    // Checks to confirm are unfolded.
    await expect(question.getByText("Mesmo recebedor e valor neste mesmo lote").first()).toBeVisible();
    await expectWellDrawn(page, "closing with checks");
    await question.getByRole("button", { name: "Fechar", exact: true }).click();
    await expect(question).toBeHidden();
    await batch.getByRole("button", { name: "Fechar", exact: true }).click();
    await expect(page).toHaveURL(/\/pagamentos\/lotes$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("a draft with the same mistake twice", async () => {
    await page.goto(`/pagamentos/lotes?lote=${tooMuch.id}`);
    await expect(page.getByText("Erros que se repetem")).toBeVisible();
    await expectWellDrawn(page, "draft with mistakes");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("a Pix code in the form of a payment", async () => {
    await page.goto(`/pagamentos/lotes?lote=${twins.id}&pagamento=novo`);
    await page.getByRole("button", { name: "Entendi" }).click();
    const form = page.getByRole("dialog").last();
    await form.getByText("Pix copia e cola", { exact: true }).click();
    await form.getByLabel("Código Pix (copia e cola)").fill(
      writeBrCode({
        key: "financeiro@aurora.example",
        merchantName: "Embalagens Santa Cecilia",
        merchantCity: "Sao Paulo",
        amountCents: cents(1_234_567_89),
        description: "Nota 123",
      }),
    );
    await expect(form.getByText(/Valor R\$\s1\.234\.567,89/)).toBeVisible();
    await expectWellDrawn(page, "Pix code");
  });
  for (const [what, address, shows] of [
    ["statement", "/pagamentos/saldo", longName],
    ["transfers", "/pagamentos/transferencias", "Beatriz Sales"],
    ["boletos", "/pagamentos/boletos", "Aluguel do galpão"],
  ] as const) {
    await test.step(what, async () => {
      await page.goto(address);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expectWellDrawn(page, what);
    });
  }
  const { version, policy, people } = await asAdmin(readControls);
  await asAdmin(saveControls, {
    body: {
      version,
      policy: {
        ...policy,
        requires_other_approver: true,
        // The company has one admin, who may not be the only approver.
        operator_approvers: people.filter(({ profile }) => profile === "operator").map(({ id }) => id),
        bands: [
          { from: 0, approvers: 1 },
          { from: 50_000_00, approvers: 1 },
        ],
      },
    },
  });
  // A sole admin waits a day for another person to be admitted.
  await asAdmin(moveClock, { body: { advance_ms: 24 * 3_600_000 + 60_000 } });
  await asOperator(withdrawBalance, { body: { value: 1_234_56 } });

  await test.step("controls", async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto("/minha-empresa/controles");
    await expect(page.getByRole("link", { name: "Controles" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Salvar controles" })).toBeVisible();
    await expect(page.getByRole("list", { name: "Pedidos que aguardam aprovação" })).toBeVisible();
    await expectWellDrawn(page, "controls");
  });
  await test.step("approvals", async () => {
    await page.goto("/pagamentos/lotes/aprovacoes");
    await expect(page.getByRole("button", { name: "Aprovar" })).toHaveCount(1);
    await expectWellDrawn(page, "approvals");
    await page.getByRole("button", { name: "Recusar" }).click();
    await expect(page.getByLabel("Motivo (opcional)")).toBeVisible();
    await expectWellDrawn(page, "refusing a request");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
  await test.step("checks before sending to approval", async () => {
    await signOut(page);
    await signIn(page, operator);
    await page.goto(`/pagamentos/lotes?lote=${twins.id}`);
    await batch.getByRole("button", { name: "Continuar" }).click();
    const checks = batch.getByRole("region", { name: "Confira antes de continuar" });
    await expect(checks.getByText("Mesmo recebedor e valor neste mesmo lote").first()).toBeVisible();
    await expectWellDrawn(page, "checks before paying");
    await page.goBack();
    await expect(batch.getByRole("button", { name: "Continuar" })).toBeVisible();
  });
});

test("sheets, account safety and the simulator are drawn fully in every usual window", async ({
  page,
  server,
}) => {
  await signIn(page, admin);
  await test.step("a sheet whose columns have to be chosen", async () => {
    await page.getByRole("link", { name: "Importação" }).click();
    await expectWellDrawn(page, "import");
    await page.setViewportSize({ width: 1280, height: 800 });
    const table = [
      ["Chave Pix", "Nome do favorecido conforme cadastro", "Valor", "Valor a pagar", "Observações internas"],
      [
        "fornecedor.com.nome.comprido@embalagens.example",
        longName,
        "1.234,56",
        "1.000,00",
        "conferir com o financeiro",
      ],
      ["b@exemplo.com.br", "Beatriz", "10,00", "9,00", ""],
    ];
    await dropFile(page, {
      name: "fornecedores-da-segunda-quinzena-de-novembro.csv",
      content: writeCsvFile(table),
    });
    await expect(page.getByRole("heading", { name: "Falha na importação da planilha" })).toBeVisible();
    await expectWellDrawn(page, "unclear columns");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Dizer o que há em cada coluna" }).click();
    await expect(page.getByRole("button", { name: "Importar com estas colunas" })).toBeVisible();
    await expectWellDrawn(page, "choosing columns");
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("combobox", { name: "O que há na coluna Valor a pagar" }).click();
    await page.getByRole("option", { name: "Valor", exact: true }).click();
    await page.getByRole("button", { name: "Importar com estas colunas" }).click();
    const batch = page.getByRole("dialog", { name: /^fornecedores-da-segunda/ });
    await expect(batch.getByText(/^Colunas usadas: \d+ · ignoradas: /)).toBeVisible();
    await expectWellDrawn(page, "imported draft");
    await page.setViewportSize({ width: 1280, height: 800 });
    await batch.getByRole("button", { name: "Escolher colunas" }).click();
    await expect(page.getByRole("button", { name: "Importar com estas colunas" })).toBeVisible();
    await expectWellDrawn(page, "choosing columns again");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { name: "Seus lotes" })).toBeVisible();
  });
  await test.step("password, second factor and recovery codes", async () => {
    await page.goto("/minha-conta/seguranca");
    await expect(page.getByRole("button", { name: "Ativar autenticação" })).toBeVisible();
    await expectWellDrawn(page, "safety");
    await page.getByRole("button", { name: "Ativar autenticação" }).click();
    const dialog = page.getByRole("dialog", { name: "Ativar autenticação em 2 fatores" });
    const secret = dialog.locator("code");
    await expect(secret).not.toHaveText("…");
    await expectWellDrawn(page, "second factor");
    const code = new TOTP({
      secret: Secret.fromBase32(((await secret.textContent()) ?? "").replaceAll(" ", "")),
    });
    await dialog.getByLabel("Código de 6 números").fill(code.generate());
    await dialog.getByRole("button", { name: "Ativar autenticação" }).click();
    const codes = page.getByRole("dialog", { name: "Seus códigos de recuperação" });
    await expect(codes.getByRole("listitem")).toHaveCount(10);
    await expectWellDrawn(page, "recovery codes");
    await codes.getByRole("button", { name: "Já guardei" }).click();
    await page.reload();
    await expect(page.getByText("Restam 10 códigos.")).toBeVisible();
    await expectWellDrawn(page, "safety with a second factor");
  });
  await test.step("the simulator's panel of the installation", async () => {
    const asAdmin = await actAs(server.url, operator);
    await asAdmin(announceNotice, {
      body: {
        kind: "incident",
        name: "Os comprovantes de Pix enviados depois das 18h podem demorar até uma hora para aparecer na tela",
        link: `${server.url}/simulador`,
      },
    });
    await page.goto("/simulador");
    const panel = page.getByRole("region", { name: "Instalação" });
    await expect(panel.getByText(/^Incidente/)).toBeVisible();
    await panel.getByText("Permissões").click();
    await expectWellDrawn(page, "installation");
  });
});

test("the detector of drawing faults finds planted ones", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 600 });
  await page.setContent(`<main>
    <p style="width:60px;overflow:hidden;white-space:nowrap">Cortado no meio</p>
    <button type="button" style="display:inline-flex;width:60px">Duas linhas</button>
    <p style="white-space:nowrap;margin-left:300px">Para fora da janela</p>
    <p>Inteiro</p>
  </main>`);
  expect(await faultsOf(page)).toEqual([
    expect.stringMatching(/^page: \d+ px$/),
    "cut: Cortado no meio",
    "on 2 lines: Duas linhas",
    "beyond the window: Para fora da janela",
  ]);
});

test("the navigation is complete in every usual window: top bar, side menu and exits", async ({ page }) => {
  await signIn(page, admin);
  for (const width of [...widths, 768]) {
    await page.setViewportSize({ width, height: 640 });
    const bar = await page.getByRole("banner").boundingBox();
    // Both amounts are always visible, on a phone on a line of their own.
    expect(bar?.height, `the top bar at ${width} px`).toBeLessThanOrEqual(width > 700 ? 57 : 110);
    const figures = page.getByRole("banner").getByRole("link");
    const tops = await figures.evaluateAll((links) =>
      links.map((link) => Math.round(link.getBoundingClientRect().top)),
    );
    expect(new Set(tops).size, `lines of amounts at ${width} px`).toBe(1);
    const isDrawer = width <= 900;
    const leave = page
      .getByRole(isDrawer ? "dialog" : "complementary", { name: "Menu principal" })
      .getByRole("link", { name: "Sair" });
    for (const end of isDrawer ? (["X", "Escape", "beside"] as const) : ([""] as const)) {
      if (isDrawer) await page.getByRole("button", { name: "Abrir menu" }).click();
      await expect(leave, `at ${width} px`).toBeInViewport({ ratio: 1 });
      if (end === "X") await page.getByRole("button", { name: "Fechar menu" }).click();
      if (end === "Escape") await page.keyboard.press("Escape");
      if (end === "beside") await page.mouse.click(width - 8, 300);
      if (end) await expect(leave).toBeHidden();
    }
  }
});
