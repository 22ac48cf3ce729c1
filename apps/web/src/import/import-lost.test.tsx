/** An import that is cancelled, fails or loses its answer, and one that is found again. */
import { cancelSheet, importSheet, readSheet, uploadSheet } from "@malote/contracts/import";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { holdUploads } from "../testing/fake-upload.ts";
import { address, buildSheet, choose, importPage, open, sheetFile, sheetId } from "../testing/import-page.ts";
import { runningImport } from "./running-import.ts";

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
  it("IMP-006 cancelling stops the upload, and drops a result that arrives later", async () => {
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

  it("IMP-006 cancelling while the server reads informs the server", async () => {
    const user = userEvent.setup();
    const app = open();
    await startReading();
    await waitFor(() => expect(app.address()).toContain(sheetId));
    await user.click(await screen.findByRole("button", { name: "Cancelar a importação" }));
    await waitFor(() =>
      expect(fakeServer.calls(cancelSheet).map(({ params }) => params)).toEqual([{ id: sheetId }]),
    );
    await waitFor(() => expect(app.address()).toBe(address));
  });

  it("IMP-006 cancelling opens no batch that was created meanwhile", async () => {
    const app = open();
    await startReading();
    await waitFor(() => expect(app.address()).toContain(sheetId));
    const created = buildSheet({ state: "imported", batch_id: "0198f000-0000-7000-8000-0000000000d2" });
    fakeServer.on(cancelSheet, () => {
      fakeServer.on(readSheet, () => created);
      return created;
    });
    await userEvent.click(await screen.findByRole("button", { name: "Cancelar a importação" }));
    await waitFor(() => expect(fakeServer.calls(cancelSheet)).toHaveLength(1));
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(app.address()).toBe(address);
  });

  it("IMP-006 cancelling before the reading began drops its answer, and informs the server", async () => {
    const user = userEvent.setup();
    const reading = Promise.withResolvers<ReturnType<typeof buildSheet>>();
    fakeServer.on(importSheet, () => reading.promise);
    const app = open();
    await startReading();
    await waitFor(() => expect(fakeServer.calls(importSheet)).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Cancelar a importação" }));
    await screen.findByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(fakeServer.calls(cancelSheet)).toEqual([]);
    await act(async () => reading.resolve(buildSheet()));
    await waitFor(() =>
      expect(fakeServer.calls(cancelSheet).map(({ params }) => params)).toEqual([{ id: sheetId }]),
    );
    screen.getByRole("heading", { name: "Arraste e solte aqui sua planilha =)" });
    expect(runningImport.read().kind).toBe("idle");
    expect(app.address()).toBe(address);
  });

  it("IMP-007 IMP-010 shows the server's sentence, and a retry keeps the file", async () => {
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

  it("IMP-010 keeps the sentence for meaningless headings, beside the columns with what their cells suggest", async () => {
    const user = userEvent.setup();
    open();
    const message = "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.";
    const column = { may_be: null, sample: [] };
    const columns = [
      { ...column, column: 0, heading: "A", field: "pixKey" as const },
      { ...column, column: 1, heading: "B", field: "value" as const },
    ];
    const refusal = { code: "sheet_wrong_format", data: null, message };
    fakeServer.on(readSheet, () => buildSheet({ state: "refused", refusal, columns }));
    await startReading();
    const alert = within(await screen.findByRole("alert"));
    alert.getByText(message);
    await user.click(alert.getByRole("button", { name: "Dizer o que há em cada coluna" }));
    const form = within(await screen.findByRole("form", { name: "Colunas da planilha" }));
    form.getByText("O cabeçalho não diz o que há nas colunas, e a escolha vale só para esta planilha.");
    await user.click(form.getByRole("button", { name: "Importar com estas colunas" }));
    await waitFor(() =>
      expect(fakeServer.calls(importSheet).at(-1)?.body).toEqual({
        sheet_id: sheetId,
        columns: [
          { column: 0, field: "pixKey" },
          { column: 1, field: "value" },
        ],
      }),
    );
  });

  const unknown = [
    ["by an error of the server", () => refuse("internal")],
    ["by a refusal without a code", () => refuseWithoutCode()],
  ] as const;

  it.each(unknown)("IMP-024 reports an upload that failed %s", async (_how, answer) => {
    fakeServer.on(uploadSheet, answer);
    open();
    await startReading();
    within(await screen.findByRole("alert")).getByText("Ocorreu um problema no upload da planilha.");
  });

  it("IMP-024 reports a lost connection", async () => {
    open();
    await choose(sheetFile());
    fakeServer.goOffline();
    await act(() => uploads[0]!.finish());
    within(await screen.findByRole("alert")).getByText("Você parece estar offline");
  });

  it.each(unknown)("IMP-025 reports an import that failed %s", async (_how, answer) => {
    fakeServer.on(importSheet, answer);
    open();
    await startReading();
    within(await screen.findByRole("alert")).getByText(
      "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
    );
  });

  it("IMP-025 reports a failed import of a sheet that was left between its upload and its import", async () => {
    fakeServer.on(readSheet, () => buildSheet({ state: "uploaded" }));
    fakeServer.on(importSheet, () => refuse("internal"));
    open(`${address}?planilha=${sheetId}`);
    within(await screen.findByRole("alert")).getByText(
      "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
    );
  });

  it("IMP-024 IMP-025 shows the known cause in place of either", async () => {
    fakeServer.on(importSheet, () => refuse("contract_not_accepted"));
    open();
    await startReading();
    within(await screen.findByRole("alert")).getByText(
      "Sua empresa ainda não aceitou o contrato. Fale com o administrador.",
    );
    fakeServer.on(uploadSheet, () => refuse("too_many_requests"));
    await choose(sheetFile());
    await waitFor(() => expect(uploads).toHaveLength(2));
    await act(() => uploads[1]!.finish());
    within(await screen.findByRole("alert")).getByText(/^Muitas chamadas em pouco tempo/);
  });

  it("continues with the uploaded sheet when the answer to reading it was lost, and sends no second one", async () => {
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

  it("uploads another file from the start after a lost answer", async () => {
    fakeServer.on(importSheet, () => refuse("internal"));
    open();
    await startReading();
    await screen.findByRole("alert");
    await choose(sheetFile("outra.xlsx"));
    await waitFor(() => expect(uploads).toHaveLength(2));
  });

  it("IMP-002 finds the running import again by its address", async () => {
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 7 }));
    open(`${address}?planilha=${sheetId}`);
    await screen.findByText("7 linhas lidas");
    screen.getByText("folha.xlsx");
    expect(fakeServer.calls(readSheet)[0]?.params).toEqual({ id: sheetId });
    expect(fakeServer.calls(importSheet)).toHaveLength(0);
  });

  it("SES-070 shows that the progress could not be read, and follows it again on demand", async () => {
    open(`${address}?planilha=${sheetId}`);
    await screen.findByText("Lendo a planilha…");
    fakeServer.on(readSheet, () => refuse("internal"));
    const notice = (await screen.findByText(/A leitura continua no servidor\.$/)).closest<HTMLElement>(
      "[data-tone]",
    );
    fakeServer.on(readSheet, () => buildSheet({ rows_read: 7 }));
    await userEvent.click(within(notice!).getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("7 linhas lidas");
    expect(screen.queryByText(/A leitura continua no servidor/)).toBeNull();
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

  it("IMP-022 imports a sheet that was left between its upload and its import when the person returns", async () => {
    fakeServer.on(readSheet, () => buildSheet({ state: "uploaded" }));
    open(`${address}?planilha=${sheetId}`);
    await waitFor(() =>
      expect(fakeServer.calls(importSheet).map(({ body }) => body)).toEqual([{ sheet_id: sheetId }]),
    );
  });

  it("IMP-025 names an import that fails only when the person returns to its sheet", async () => {
    fakeServer.on(readSheet, () => buildSheet({ state: "uploaded" }));
    fakeServer.on(importSheet, () => refuse("internal"));
    open(`${address}?planilha=${sheetId}`);
    within(await screen.findByRole("alert")).getByText(
      "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
    );
  });
});
