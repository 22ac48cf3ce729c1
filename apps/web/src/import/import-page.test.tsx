import { deleteBatch } from "@malote/contracts/batch-life";
import { readBatch } from "@malote/contracts/batches";
import {
  cancelSheet,
  downloadModelSheet,
  importSheet,
  readSheet,
  type Sheet,
  type SheetColumn,
  uploadSheet,
} from "@malote/contracts/import";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readToken } from "../shell/session.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { holdUploads } from "../testing/fake-upload.ts";
import {
  address,
  buildSheet,
  choose,
  features,
  importPage,
  open,
  sheetFile,
  sheetId,
} from "../testing/import-page.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { problemOfFile } from "./check-file.ts";
import { runningImport } from "./running-import.ts";

const batchId = "0198f000-0000-7000-8000-0000000000d2";
let uploads: ReturnType<typeof holdUploads>;
beforeEach(() => {
  uploads = holdUploads();
  fakeServer.on(uploadSheet, () => buildSheet({ state: "uploaded" }));
  fakeServer.on(importSheet, () => buildSheet());
  fakeServer.on(readSheet, () => buildSheet());
  fakeServer.on(cancelSheet, () => buildSheet({ state: "cancelled" }));
});
afterEach(() => {
  act(() => runningImport.reset());
});

const { startReading } = importPage(() => uploads);

describe("Importação de planilha", () => {
  it("IMP-001 refuses analysts", async () => {
    const app = renderApp(address, { session: { profile: "analyst" }, features });
    await waitFor(() => expect(app.address()).toBe("/acesso-negado"));
  });

  it.each(["admin", "operator"] as const)("IMP-001 opens for an %s", async (profile) => {
    const app = renderApp(address, { session: { profile }, features });
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(app.address()).toBe(address);
  });

  it.each(["folha.xls", "folha.pdf", "folha", "csv"])("IMP-008 refuses %s at once", async (name) => {
    open();
    await choose(sheetFile(name));
    const alert = within(await screen.findByRole("alert"));
    alert.getByRole("heading", { name: "Falha na importação da planilha" });
    alert.getByText("O arquivo precisa ser uma planilha terminada em .xlsx ou .csv.");
    expect(uploads).toHaveLength(0);
  });

  it.each(["a.CSV", "b.XlSx", "c.d.xlsx"])("IMP-008 accepts %s", (name) => {
    expect(problemOfFile({ name, size: 1 })).toBeUndefined();
  });

  it("IMP-009 refuses an empty file at once", async () => {
    open();
    await choose(sheetFile("folha.csv", ""));
    within(await screen.findByRole("alert")).getByText(/Seu arquivo está fora do modelo/);
    expect(uploads).toHaveLength(0);
  });

  it("IMP-009 refuses a file above the limit before anything is sent", () => {
    expect(problemOfFile({ name: "a.csv", size: 51 * 1024 * 1024 })).toContain("O limite é de 50 MB");
  });

  it("IMP-002 IMP-003 invites to drop a file, and offers the three models in both formats", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadModelSheet, () => "bytes");
    open();
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(screen.getAllByRole("button", { name: /^Baixar modelo de/ })).toHaveLength(6);
    await user.click(screen.getByRole("button", { name: "Baixar modelo de Boletos em csv" }));
    await waitFor(() => expect(saved).toEqual(["modelo-boletos.csv"]));
    const asked = fakeServer.calls(downloadModelSheet)[0];
    expect(asked?.query).toEqual({ format: "csv" });
    expect(asked?.headers.get("authorization")).toMatch(/^Bearer /);
  });

  it("IMP-002 IMP-004 explains what dropping will do, until the drag leaves", async () => {
    open();
    const area = (await screen.findByText("Arraste e solte aqui sua planilha =)")).closest("div")!;
    await act(async () => {
      fireEvent.dragEnter(area, {
        dataTransfer: { types: ["Files"], items: [{ kind: "file", type: "" }], files: [] },
      });
    });
    await screen.findByRole("heading", { name: "Pode soltar sua planilha" });
    screen.getByText("Iremos importar suas transferências em um único lote");
    await act(async () => void fireEvent.dragLeave(area));
    await screen.findByText("Arraste e solte aqui sua planilha =)");
    expect(screen.queryByRole("heading", { name: "Pode soltar sua planilha" })).toBeNull();
  });

  it("IMP-002 stops the highlight of the area once a file is dropped", async () => {
    open();
    const area = (await screen.findByText("Arraste e solte aqui sua planilha =)")).closest("div")!;
    const dataTransfer = {
      types: ["Files"],
      items: [{ kind: "file", type: "" }],
      files: [sheetFile("a.pdf")],
    };
    await act(async () => void fireEvent.dragEnter(area, { dataTransfer }));
    await screen.findByRole("heading", { name: "Pode soltar sua planilha" });
    await act(async () => void fireEvent.drop(area, { dataTransfer }));
    await screen.findByRole("heading", { name: "Falha na importação da planilha" });
  });

  it("SES-034 IMP-005 IMP-022 uploads with real progress, then requests the batch of the stored sheet", async () => {
    open();
    await choose(sheetFile());
    await screen.findByRole("heading", { name: "Importando seus pagamentos" });
    act(() => uploads[0]!.progress(40, 100));
    const bar = screen.getByRole("progressbar");
    expect(bar.getAttribute("aria-valuenow")).toBe("40");
    screen.getByText("Enviando o arquivo: 40%");
    screen.getByRole("button", { name: "Cancelar a importação" });
    await act(() => uploads[0]!.finish());
    await waitFor(() => expect(fakeServer.calls(importSheet)[0]?.body).toEqual({ sheet_id: sheetId }));
    const [sent] = fakeServer.calls(uploadSheet);
    expect(sent?.headers.get("authorization")).toBe(`Bearer ${readToken()}`);
    expect(sent?.headers.get("content-type") ?? "").not.toContain("json");
    const form = sent?.body as FormData;
    expect(form.get("fileName")).toBe("folha.xlsx");
    expect((form.get("file") as File).name).toBe("folha.xlsx");
  });

  it("IMP-005 counts the rows read", async () => {
    const app = open();
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 12_300, rows_total: 50_000 }));
    await startReading();
    await screen.findByText("12.300 de 50.000 linhas lidas");
    screen.getByRole("heading", { name: "Importando seus pagamentos" });
    screen.getByRole("button", { name: "Cancelar a importação" });
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
    expect(app.address()).toBe(`${address}?planilha=${sheetId}`);
  });

  describe("once the batch exists", () => {
    const desk: Desk = {
      batch: buildOpenBatch({ id: batchId, name: "Folha", was_imported: true }),
      transfers: [buildTransfer({ batch_id: batchId })],
      balance: 0,
      filledFirstSteps: true,
    };
    const list = "/pagamentos/lotes";
    async function openImported() {
      serveBatch(desk);
      const app = renderApp(address);
      fakeServer.on(readSheet, () => buildSheet({ state: "imported", batch_id: batchId }));
      await startReading();
      const layer = await screen.findByRole("dialog", { name: "Folha" }, { timeout: 10_000 });
      expect(layer.getAttribute("data-place")).toBe("full");
      expect(app.address()).toBe(`${list}?lote=${batchId}`);
      expect(runningImport.read().kind).toBe("idle");
      return { ...app, layer };
    }
    async function expectClosed(app: { address: () => string }) {
      await waitFor(() => expect(app.address()).toBe(list));
      await waitFor(() => expect(screen.queryByRole("dialog", { name: "Folha" })).toBeNull());
      await screen.findByRole("heading", { name: "Seus lotes" });
      expect(app.address()).toBe(list);
    }

    it("IMP-002 IMP-023 X closes it and shows the list of batches", async () => {
      const app = await openImported();
      await userEvent.click(within(app.layer).getByRole("button", { name: "Fechar" }));
      await expectClosed(app);
    });

    it("IMP-023 Esc closes it and shows the list of batches", async () => {
      const app = await openImported();
      await userEvent.keyboard("{Escape}");
      await expectClosed(app);
    });

    it("IMP-023 Back closes it and shows the list of batches, and a second Back does not reopen it", async () => {
      const app = await openImported();
      act(() => app.history.back());
      await expectClosed(app);
      act(() => app.history.back());
      await waitFor(() => expect(screen.queryByRole("dialog", { name: "Folha" })).toBeNull());
      expect(app.address()).not.toContain("planilha");
    });

    it("BAT-052 IMP-023 cancelling asks, deletes, and does not open the deleted batch again", async () => {
      const user = userEvent.setup();
      const app = await openImported();
      fakeServer.on(deleteBatch, () => ({ ok: true as const }));
      await user.click(within(app.layer).getByRole("button", { name: "Cancelar importação" }));
      const question = within(await screen.findByRole("dialog", { name: "Excluir lote" }));
      question.getByText(/A importação será cancelada e o lote/);
      expect(fakeServer.calls(deleteBatch)).toHaveLength(0);
      fakeServer.on(readBatch, () => refuse("not_found"));
      await user.click(question.getByRole("button", { name: "Excluir lote" }));
      await screen.findByText("Lote excluído com sucesso!");
      await expectClosed(app);
    });
  });

  it("IMP-023 an old address of a sheet whose batch was deleted shows an empty import page", async () => {
    fakeServer.on(readSheet, () => buildSheet({ state: "imported", batch_id: null }));
    const app = open(`${address}?planilha=${sheetId}`);
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    await waitFor(() => expect(app.address()).toBe(address));
  });

  const column = (
    at: number,
    heading: string,
    field: SheetColumn["field"],
    may_be: SheetColumn["may_be"] = null,
  ) => ({
    column: at,
    heading,
    field,
    may_be,
    sample: ["30/11/2026"],
  });

  it("IMP-007 a sheet in an unknown layout gets its columns assigned, and is read by them", async () => {
    const user = userEvent.setup();
    const message =
      "A planilha tem 2 colunas que podem ser a data do pagamento: Data e Vencimento. Escolha qual vale.";
    fakeServer.on(readSheet, () =>
      buildSheet({
        state: "refused",
        refusal: { code: "sheet_unclear_columns", data: null, message },
        columns: [
          column(0, "Chave", "pixKey"),
          column(1, "Data", null, "paymentDate"),
          column(2, "Vencimento", null, "paymentDate"),
        ],
      }),
    );
    open();
    await startReading();
    const alert = within(await screen.findByRole("alert"));
    alert.getByRole("heading", { name: "Falha na importação da planilha" });
    alert.getByText(message);
    alert.getByRole("button", { name: "Escolher outro arquivo" });
    await user.click(alert.getByRole("button", { name: "Dizer o que há em cada coluna" }));
    const form = within(await screen.findByRole("form", { name: "Colunas da planilha" }));
    const choose = async (heading: string, name: string) => {
      await user.click(form.getByRole("combobox", { name: `O que há na coluna ${heading}` }));
      await user.click(await screen.findByRole("option", { name }));
    };
    await choose("Data", "Data do pagamento");
    await choose("Vencimento", "Data do pagamento");
    await user.click(form.getByRole("button", { name: "Importar com estas colunas" }));
    expect(form.getAllByText("Já escolhido em outra coluna")).toHaveLength(2);
    await choose("Data", "Não usar");
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 3 }));
    await user.click(form.getByRole("button", { name: "Importar com estas colunas" }));
    await screen.findByText("3 linhas lidas");
    expect(fakeServer.calls(importSheet).at(-1)?.body).toEqual({
      sheet_id: sheetId,
      columns: [
        { column: 0, field: "pixKey" },
        { column: 1, field: null },
        { column: 2, field: "paymentDate" },
      ],
    });
  });

  describe("sheet notes in a draft", () => {
    const notes = (
      given: Partial<Sheet>,
      was_imported = true,
      value = 112_50,
      type: "TRANSFER" | "BILLET" = "TRANSFER",
    ) => {
      serveBatch({
        batch: buildOpenBatch({ id: batchId, name: "Folha", type, was_imported, sheet_id: sheetId, value }),
        transfers: [buildTransfer({ batch_id: batchId })],
        balance: 0,
        filledFirstSteps: true,
      });
      fakeServer.on(readSheet, () => buildSheet({ state: "imported", batch_id: batchId, ...given }));
      return renderApp(`/pagamentos/lotes?lote=${batchId}`);
    };
    const columns = [column(0, "Chave", "pixKey"), column(1, "Vencimento", null), column(2, "Obs.", null)];

    it("IMP-015 IMP-026 lists the mistakes found in it", async () => {
      const mistake = "A mensagem Pix deve ter no máximo 140 caracteres por transação";
      const other = { text: "CPF inválido", count: 1 };
      notes({ mistakes: [{ text: mistake, count: 5 }, other] });
      await screen.findByText(
        "Identificamos um ou mais erros durante a importação da planilha, erros encontrados:",
      );
      const items = within(screen.getByText(mistake).closest("ul")!).getAllByRole("listitem");
      expect(items.map(({ textContent }) => textContent)).toEqual([
        `${mistake} (5 linhas)`,
        "CPF inválido (1 linha)",
      ]);
    });

    it("IMP-026 lists those of a sheet of boletos too", async () => {
      const mistakes = [{ text: "Este boleto já foi cadastrado.", count: 1 }];
      notes({ kind: "billet", mistakes }, true, 112_50, "BILLET");
      const item = (await screen.findByText("Este boleto já foi cadastrado.")).closest("li");
      expect(item?.textContent).toBe("Este boleto já foi cadastrado. (1 linha)");
    });

    it("shows all of it in one frame, before the rows", async () => {
      notes({
        columns,
        mistakes: [{ text: "CPF inválido", count: 1 }],
        total: { sheet_row: 63, stated: 100_00, sum: 112_50 },
      });
      const frame = within(await screen.findByRole("region", { name: "Avisos deste lote" }));
      await frame.findByText(/Identificamos um ou mais erros/);
      frame.getByText("O total da planilha não confere com a soma dos pagamentos.");
      frame.getByText("Colunas usadas: 1 · ignoradas: Vencimento, Obs.");
      frame.getByRole("button", { name: "Escolher colunas" });
    });

    it("IMP-026 shows which columns of a correct sheet were read, and reads it again with others", async () => {
      const user = userEvent.setup();
      const app = notes({ columns });
      await screen.findByText("Colunas usadas: 1 · ignoradas: Vencimento, Obs.");
      expect(screen.queryByText(/Identificamos um ou mais erros/)).toBeNull();
      await user.click(screen.getByRole("button", { name: "Escolher colunas" }));
      const asked = within(await screen.findByRole("dialog", { name: "Colunas da planilha" }));
      await user.click(asked.getByRole("combobox", { name: "O que há na coluna Vencimento" }));
      await user.click(await screen.findByRole("option", { name: "Data do pagamento" }));
      fakeServer.on(readSheet, () => buildSheet({ rows_read: 3 }));
      await user.click(asked.getByRole("button", { name: "Importar com estas colunas" }));
      await waitFor(() => expect(app.address()).toBe(`${address}?planilha=${sheetId}`));
      await screen.findByText("3 linhas lidas");
      expect(fakeServer.calls(importSheet)[0]?.body).toMatchObject({
        columns: [{}, { column: 1, field: "paymentDate" }, {}],
      });
    });

    it("a draft that was changed keeps its columns", async () => {
      notes({ columns, mistakes: [{ text: "CPF inválido", count: 1 }], columns_chosen_by: "Ana Luz" }, false);
      await screen.findByText(
        "Colunas usadas: 1 · ignoradas: Vencimento, Obs. · escolhidas por Ana Luz, que por isso conta entre quem preparou o lote",
      );
      expect(screen.queryByRole("button", { name: "Escolher colunas" })).toBeNull();
      expect(screen.queryByText(/Identificamos um ou mais erros/)).toBeNull();
    });

    it.each([
      [
        { sheet_row: 63, stated: 100_00, sum: 112_50 },
        "A linha 63 diz R$ 100,00, e os pagamentos lidos somam R$ 112,50: R$ 12,50 a mais. Confira se falta ou sobra algum antes de fechar.",
      ],
      [
        { sheet_row: 63, stated: 112_50, sum: 112_50 },
        "A linha 63 é o total da planilha, R$ 112,50, e confere com a soma dos pagamentos.",
      ],
      [{ sheet_row: 63, stated: null, sum: 112_50 }, "A linha 63 é um total e não virou pagamento."],
    ])("compares the sheet's own total %o", async (total, sentence) => {
      notes({ total });
      await waitFor(() => expect(document.body.textContent?.replaceAll("\u00a0", " ")).toContain(sentence));
    });

    it.each([
      [
        100_00,
        "A linha 63 diz R$ 112,50, e os pagamentos deste lote somam R$ 100,00: R$ 12,50 a menos. Confira se falta ou sobra algum antes de fechar.",
      ],
      [112_50, "A linha 63 é o total da planilha, R$ 112,50, e confere com a soma dos pagamentos."],
    ])("compares it with a draft that was changed since and adds up to %i", async (value, sentence) => {
      notes({ total: { sheet_row: 63, stated: 112_50, sum: value + 1 } }, false, value);
      await waitFor(() => expect(document.body.textContent?.replaceAll("\u00a0", " ")).toContain(sentence));
      const title = "O total da planilha não confere com a soma dos pagamentos.";
      expect(screen.queryAllByText(title)).toHaveLength(value === 112_50 ? 0 : 1);
    });
  });
});
