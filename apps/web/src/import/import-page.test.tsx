import {
  cancelSheet,
  downloadModelSheet,
  importSheet,
  readSheet,
  type Sheet,
  uploadSheet,
} from "@malote/contracts/import";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { holdUploads } from "../testing/fake-upload.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { standIns } from "../testing/stand-in.tsx";
import { problemOfFile } from "./check-file.ts";
import { sheetImport } from "./feature.ts";
import { runningImport } from "./running-import.ts";

const address = "/pagamentos/importacao-de-planilha";
const sheetId = "0198f000-0000-7000-8000-0000000000d1";
const batchId = "0198f000-0000-7000-8000-0000000000d2";

function buildSheet(given: Partial<Sheet> = {}): Sheet {
  return {
    id: sheetId,
    file_name: "folha.xlsx",
    state: "reading",
    kind: "transfer",
    rows_read: 0,
    rows_total: null,
    batch_id: null,
    refusal: null,
    ...given,
  };
}

const sheetFile = (name = "folha.xlsx", content = "bytes") => new File([content], name);
const features = [sheetImport, standIns("BatchesPage")];
const open = (at = address) => renderApp(at, { features });
const choose = async (file: File) => {
  const input = await screen.findByLabelText("Escolher planilha");
  // Straight to the input: a person's file dialog would hide what does not fit its filter.
  await act(async () => {
    fireEvent.change(input, { target: { files: [file] } });
  });
};

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

async function startReading(): Promise<void> {
  await choose(sheetFile());
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(() => uploads[0]!.finish());
}

describe("Importação de planilha", () => {
  it("IMP-001 analysts are kept out", async () => {
    const app = renderApp(address, { session: { profile: "analyst" }, features });
    await waitFor(() => expect(app.address()).toBe("/acesso-negado"));
  });

  it.each(["folha.xls", "folha.pdf", "folha", "csv"])("IMP-008 refuses %s at once", async (name) => {
    open();
    await choose(sheetFile(name));
    const alert = within(await screen.findByRole("alert"));
    alert.getByRole("heading", { name: "Falha na importação da planilha" });
    alert.getByText("O arquivo precisa ser uma planilha terminada em .xlsx ou .csv.");
    expect(uploads).toHaveLength(0);
  });

  it.each(["a.CSV", "b.XlSx", "c.d.xlsx"])("IMP-008 takes %s", (name) => {
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

  it("IMP-002 IMP-003 invites, and hands out the three models in both forms", async () => {
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

  it("IMP-002 IMP-004 says what letting go will do", async () => {
    open();
    const area = (await screen.findByText("Arraste e solte aqui sua planilha =)")).closest("div")!;
    await act(async () => {
      fireEvent.dragEnter(area, {
        dataTransfer: { types: ["Files"], items: [{ kind: "file", type: "" }], files: [] },
      });
    });
    await screen.findByRole("heading", { name: "Pode soltar sua planilha" });
    screen.getByText("Iremos importar suas transferências em um único lote");
  });

  it("IMP-005 IMP-022 uploads with real progress, then asks for the batch of the stored sheet", async () => {
    open();
    await choose(sheetFile());
    await screen.findByRole("heading", { name: "Importando seus pagamentos" });
    act(() => uploads[0]!.progress(40, 100));
    const bar = screen.getByRole("progressbar");
    expect(bar.getAttribute("aria-valuenow")).toBe("40");
    screen.getByText("Enviando o arquivo: 40%");
    await act(() => uploads[0]!.finish());
    await waitFor(() => expect(fakeServer.calls(importSheet)[0]?.body).toEqual({ sheet_id: sheetId }));
    const form = fakeServer.calls(uploadSheet)[0]?.body as FormData;
    expect(form.get("fileName")).toBe("folha.xlsx");
    expect((form.get("file") as File).name).toBe("folha.xlsx");
  });

  it("IMP-005 IMP-023 counts the rows read and opens the new batch over the list", async () => {
    const app = open();
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 12_300, rows_total: 50_000 }));
    await startReading();
    await screen.findByText("12.300 de 50.000 linhas lidas");
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("25");
    expect(app.address()).toBe(`${address}?planilha=${sheetId}`);
    fakeServer.on(readSheet, () => buildSheet({ state: "imported", batch_id: batchId }));
    await waitFor(() => expect(app.address()).toBe(`/pagamentos/lotes?lote=${batchId}`), { timeout: 3_000 });
    expect(runningImport.read().kind).toBe("idle");
  });

  it("IMP-006 cancelling stops the upload, and a result that arrives later is dropped", async () => {
    const user = userEvent.setup();
    const app = open();
    await choose(sheetFile());
    await user.click(await screen.findByRole("button", { name: "Cancelar a importação" }));
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(uploads[0]!.wasAborted()).toBe(true);
    await act(() => uploads[0]!.finish());
    expect(fakeServer.calls(importSheet)).toHaveLength(0);
    expect(app.address()).toBe(address);
  });

  it("IMP-006 cancelling while the server reads tells the server", async () => {
    const user = userEvent.setup();
    const app = open();
    await startReading();
    await waitFor(() => expect(app.address()).toContain(sheetId));
    await user.click(await screen.findByRole("button", { name: "Cancelar a importação" }));
    await waitFor(() => expect(fakeServer.calls(cancelSheet)).toHaveLength(1));
    await waitFor(() => expect(app.address()).toBe(address));
  });

  it("IMP-007 IMP-010 shows the server's sentence, and trying again keeps the file", async () => {
    const user = userEvent.setup();
    open();
    const message = "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.";
    const refusal = { code: "sheet_wrong_format", data: null, message };
    fakeServer.on(readSheet, () => buildSheet({ state: "refused", refusal }));
    await startReading();
    within(await screen.findByRole("alert")).getByText(message);
    screen.getByRole("button", { name: "Escolher outro arquivo" });
    await user.click(screen.getByRole("button", { name: "Tentar de novo com folha.xlsx" }));
    await waitFor(() => expect(uploads).toHaveLength(2));
  });

  it("IMP-024 names a failed upload", async () => {
    fakeServer.on(uploadSheet, () => refuse("internal"));
    open();
    await startReading();
    within(await screen.findByRole("alert")).getByText("Ocorreu um problema no upload da planilha.");
  });

  it("IMP-024 says that the connection is gone", async () => {
    open();
    await choose(sheetFile());
    fakeServer.goOffline();
    await act(() => uploads[0]!.finish());
    within(await screen.findByRole("alert")).getByText("Você parece estar offline");
  });

  it("IMP-025 names a failed import without a known cause", async () => {
    fakeServer.on(importSheet, () => refuse("internal"));
    open();
    await startReading();
    within(await screen.findByRole("alert")).getByText(/Ocorreu um erro ao importar sua planilha/);
  });

  it("goes on with the sheet that arrived when the answer to reading it was lost, and sends no second one", async () => {
    const user = userEvent.setup();
    fakeServer.on(importSheet, () => refuse("internal"));
    open();
    await startReading();
    await screen.findByRole("alert");
    fakeServer.on(importSheet, () => buildSheet());
    await user.click(screen.getByRole("button", { name: "Tentar de novo com folha.xlsx" }));
    await waitFor(() => expect(fakeServer.calls(importSheet)).toHaveLength(2));
    expect(fakeServer.calls(importSheet).map(({ body }) => body)).toEqual([
      { sheet_id: sheetId },
      { sheet_id: sheetId },
    ]);
    expect(uploads).toHaveLength(1);
  });

  it("sends another file anew after a lost answer", async () => {
    fakeServer.on(importSheet, () => refuse("internal"));
    open();
    await startReading();
    await screen.findByRole("alert");
    await choose(sheetFile("outra.xlsx"));
    await waitFor(() => expect(uploads).toHaveLength(2));
  });

  it("IMP-026 lists the mistakes of the sheet", async () => {
    const mistake = "A mensagem Pix deve ter no máximo 140 caracteres por transação";
    const refusal = { code: "sheet_wrong_format", data: { errors: [mistake] }, message: "" };
    fakeServer.on(readSheet, () => buildSheet({ state: "refused", refusal }));
    open();
    await startReading();
    const alert = within(await screen.findByRole("alert"));
    alert.getByText(/Identificamos um ou mais erros durante a importação/);
    expect(alert.getByRole("listitem").textContent).toBe(mistake);
  });

  it("IMP-002 finds the running import again by its address", async () => {
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 7 }));
    open(`${address}?planilha=${sheetId}`);
    await screen.findByText("7 linhas lidas");
    screen.getByText("folha.xlsx");
    expect(fakeServer.calls(importSheet)).toHaveLength(0);
  });

  it("IMP-002 finds the running import again by the menu, whose address does not name it", async () => {
    const first = open();
    await startReading();
    await waitFor(() => expect(first.address()).toContain(sheetId));
    first.unmount();
    const second = open();
    await waitFor(() => expect(second.address()).toBe(`${address}?planilha=${sheetId}`));
    await screen.findByRole("heading", { name: "Importando seus pagamentos" });
  });

  it("IMP-022 a sheet left between its upload and its import is imported on coming back", async () => {
    fakeServer.on(readSheet, () => buildSheet({ state: "uploaded" }));
    open(`${address}?planilha=${sheetId}`);
    await waitFor(() => expect(fakeServer.calls(importSheet)).toHaveLength(1));
  });
});
