import { readCheckpoint } from "@malote/contracts/company";
import { statementEntryTypes } from "@malote/contracts/statement";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { settled } from "../testing/settled.ts";
import { answerWith, buildEntry, payer, rows, table } from "../testing/statement.ts";
import { looksCancelled } from "./entry-looks.ts";

const batchId = "0198f000-0000-7000-8000-0000000000b1";
const receivedPix = () =>
  buildEntry({
    complement: {
      timestamp: "2026-11-20T19:58:00.000Z",
      bank: "Banco Aurora",
      isPix: true,
      payer,
      end_to_end_id: "E88888801202611201958abcdefghijk",
      message: "Adiantamento",
    },
  });

/** Text of a cell, without the heading that phones show in it. */
const wordsOf = (cell: Element | undefined) =>
  [...(cell?.querySelectorAll(":scope > :last-child") ?? [])].map((one) => one.textContent).join("");

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
});

describe("the entries of the statement", () => {
  it("STM-004 show the columns of the requirement in their order", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    const headings = within(await table()).getAllByRole("columnheader");
    expect(headings.map((heading) => heading.textContent)).toEqual([
      "Data",
      "Descrição",
      "Banco",
      "Agência",
      "CC",
      "Status",
      "Valor (R$)",
      "Saldo (R$)",
    ]);
  });

  it("STM-004 fill each column with its own part of the entry", async () => {
    answerWith([
      buildEntry({
        type: "WITHDRAW",
        description: "Resgate para a conta da empresa",
        value: -600_00,
        balance: 4_761_037,
        complement: { timestamp: "2026-11-20T19:58:00.000Z", bank: "Itaú", isTed: true, receiver: payer },
      }),
    ]);
    renderApp("/pagamentos/saldo");
    const cells = within((await rows())[1] as HTMLElement).getAllByRole("cell");
    // Without the heading that phones show in each.
    expect(cells.map((cell) => cell.lastChild?.textContent)).toEqual([
      "20/11/2026 16:58",
      "Resgate para a conta da empresa",
      "Itaú",
      "0001",
      "4820173-6",
      "resgatado",
      "− R$\u00a0600,00",
      "47.610,37",
    ]);
  });

  it("STM-009 show the moment of an entry when it is known, else its day", async () => {
    answerWith([buildEntry({ complement: { timestamp: "2026-11-20T19:58:00.000Z" } }), buildEntry()]);
    renderApp("/pagamentos/saldo");
    const texts = (await rows()).map((row) => row.textContent);
    expect(texts[1]).toContain("20/11/2026 16:58");
    expect(texts[2]).toMatch(/20\/11\/2026(?! 1)/);
  });

  it("STM-010 strike the amounts of the three cancelled types, and of no other", async () => {
    const cancelled = statementEntryTypes.filter((type) => looksCancelled({ type }));
    expect(cancelled).toEqual(["EXPIRED_DEPOSIT", "CANCELLED_DEPOSIT_REFUND", "UNLOCKED"]);
    answerWith([
      buildEntry({ type: "EXPIRED_DEPOSIT", value: 50_000 }),
      buildEntry({ type: "CANCELLED_DEPOSIT_REFUND", value: -60_000 }),
      buildEntry({ type: "UNLOCKED", value: 70_000 }),
      buildEntry(),
    ]);
    renderApp("/pagamentos/saldo");
    for (const amount of [/500,00/, /600,00/, /700,00/])
      expect(within(await table()).getByText(amount).tagName).toBe("S");
    expect(within(await table()).getByText(/25\.000,00/).tagName).toBe("SPAN");
  });

  it("STM-011 fill bank, agency and account of their row, and leave those of others empty", async () => {
    answerWith([
      buildEntry({ complement: { isPix: true, payer } }),
      buildEntry({ complement: { bank: "Itaú" } }),
      buildEntry({ complement: { isPix: true, payer: { ...payer, account: null } } }),
    ]);
    renderApp("/pagamentos/saldo");
    // After the closing balance, before the opening one.
    const cells = (await rows())
      .slice(1, -1)
      .map((row) => within(row).getAllByRole("cell").slice(2, 5).map(wordsOf));
    expect(cells).toEqual([
      ["Banco Aurora", "0001", "4820173-6"],
      ["Itaú", "", ""],
      ["", "", ""],
    ]);
  });

  it("STM-012 draw every type with its word", async () => {
    answerWith(statementEntryTypes.map((type) => buildEntry({ type, description: type })));
    renderApp("/pagamentos/saldo");
    const drawn = (await rows())
      .slice(1, -1)
      .map((row) => within(row).getAllByRole("cell"))
      .map((cells) => [1, 5].map((at) => wordsOf(cells[at])));
    expect(Object.fromEntries(drawn)).toEqual({
      EXPIRED_DEPOSIT: "expirado",
      DEPOSIT: "recebido",
      REFUND: "estornado",
      WITHDRAW: "resgatado",
      PENDING_DEPOSIT: "pendente",
      DEPOSIT_REFUND: "devolvido",
      PENDING_DEPOSIT_REFUND: "pendente",
      CANCELLED_DEPOSIT_REFUND: "cancelado",
      BATCH: "lote pago",
      BLOCKED: "bloqueado",
      BLOCKED_REFUND: "desbloqueado",
      UNLOCKED: "desbloqueado",
      FEE: "tarifa",
    });
  });

  it("STM-013 open the batch over the whole screen from the entry of a batch", async () => {
    const user = userEvent.setup();
    serveBatch({
      batch: buildOpenBatch({ id: batchId }),
      transfers: [],
      balance: 4_821_037,
      filledFirstSteps: true,
    });
    answerWith([
      buildEntry({ type: "BATCH", description: "Lote Outro", complement: { batch_id: testId(92) } }),
      buildEntry({
        type: "BATCH",
        description: "Lote Folha",
        value: -100,
        complement: { batch_id: batchId },
      }),
    ]);
    const app = renderApp("/pagamentos/saldo");
    await user.click(await screen.findByRole("button", { name: "Lote Folha" }));
    const batch = await screen.findByRole("dialog", { name: "Folha 11/2026" });
    expect(batch.getAttribute("data-place")).toBe("full");
    expect(app.address()).toBe(`/pagamentos/saldo?lote=${batchId}`);
  });

  it.each([
    ["a batch", "lote pago", `/pagamentos/saldo?lote=${batchId}`, "Folha 11/2026"],
    ["the batch of a returned payment", "estornado", `/pagamentos/saldo?lote=${batchId}`, "Folha 11/2026"],
    ["an incoming Pix", "recebido", "/pagamentos/saldo", "Detalhes do Pix recebido"],
  ])("STM-013 open %s by a click anywhere in its row", async (_, word, address, name) => {
    serveBatch({
      batch: buildOpenBatch({ id: batchId }),
      transfers: [],
      balance: 4_821_037,
      filledFirstSteps: true,
    });
    answerWith([
      buildEntry({ type: "BATCH", complement: { batch_id: batchId } }),
      buildEntry({ type: "REFUND", complement: { batch_id: batchId, isPix: true, receiver: payer } }),
      receivedPix(),
    ]);
    const app = renderApp("/pagamentos/saldo");
    await userEvent.click(within(await table()).getByText(word));
    await screen.findByRole("dialog", { name });
    expect(app.address()).toBe(address);
  });

  it("name the payee of a returned payment", async () => {
    const description = "Devolução: Chave PIX não encontrada.";
    const receiver = { ...payer, name: "Rita Lima", bank: null, account: null };
    answerWith([buildEntry({ type: "REFUND", description, value: 100, complement: { receiver } })]);
    renderApp("/pagamentos/saldo");
    const cell = within(await table())
      .getByText(description)
      .closest("td") as HTMLElement;
    within(cell).getByText("Rita Lima");
  });

  it.each([
    ["DEPOSIT", false],
    // Money of a Pix that left, or returned.
    ["WITHDRAW", true],
    ["BLOCKED_REFUND", true],
    ["CANCELLED_DEPOSIT_REFUND", true],
    ["REFUND", true],
  ] as const)(
    "STM-013 open nothing for an entry that is neither a batch nor an incoming Pix: %s, by Pix: %s",
    async (type, isPix) => {
      answerWith([buildEntry({ type, description: "Outro", complement: { isPix, isTed: !isPix, payer } })]);
      const app = renderApp("/pagamentos/saldo");
      await userEvent.click(within(await table()).getByText("Outro"));
      expect(screen.queryByRole("button", { name: "Outro" })).toBeNull();
      await settled(app);
      expect([screen.queryByRole("dialog"), app.address()]).toEqual([null, "/pagamentos/saldo"]);
    },
  );

  it("STM-013 STM-014 STM-018 open the details of an incoming Pix, one line for each field", async () => {
    const user = userEvent.setup();
    const other = { ...payer, name: "Outra Ltda", document: "48L7XQ9B000106" };
    answerWith([
      buildEntry({
        description: "Pix recebido de Outra",
        value: 1_00,
        complement: { isPix: true, payer: other },
      }),
      receivedPix(),
    ]);
    renderApp("/pagamentos/saldo");
    await user.click(await screen.findByRole("button", { name: "Pix recebido de Nova Era" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do Pix recebido" }));
    const lines = dialog
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(lines).toEqual([
      ["Data", "20/11/2026 16:58"],
      ["Nome", "Nova Era Ltda"],
      ["CPF ou CNPJ", "27.418.639/0001-48"],
      ["Banco", "Banco Aurora"],
      ["Agência", "0001"],
      ["Conta", "4820173"],
      ["Dígito da conta", "6"],
      ["Tipo de conta", "Conta corrente"],
      ["Mensagem", "Adiantamento"],
      ["Identificador do Pix", "E88888801202611201958abcdefghijk"],
    ]);
    dialog.getByText(/25\.000,00/);
    await user.click(dialog.getByRole("button", { name: "Copiar identificador do Pix" }));
    expect(await navigator.clipboard.readText()).toBe("E88888801202611201958abcdefghijk");
  });

  it("STM-014 show the receiver of a Pix without a payer, and its day without a moment", async () => {
    answerWith([buildEntry({ value: 12_34, complement: { isPix: true, receiver: payer } })]);
    renderApp("/pagamentos/saldo");
    await userEvent.click(await screen.findByRole("button", { name: "Pix recebido de Nova Era" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do Pix recebido" }));
    const texts = dialog.getAllByRole("term").map((term) => term.nextElementSibling?.textContent);
    expect(texts).toEqual([
      "20/11/2026",
      "Nova Era Ltda",
      "27.418.639/0001-48",
      "Banco Aurora",
      "0001",
      "4820173",
      "6",
      "Conta corrente",
    ]);
    dialog.getByText(/12,34/);
  });
});
