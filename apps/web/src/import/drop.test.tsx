/** Files dropped on the page, and the models it offers. */
import { downloadModelSheet, importSheet, readSheet, uploadSheet } from "@malote/contracts/import";
import { act, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { holdUploads } from "../testing/fake-upload.ts";
import { address, buildSheet, features, open, sheetFile, sheetId } from "../testing/import-page.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { runningImport } from "./running-import.ts";

let uploads: ReturnType<typeof holdUploads>;
beforeEach(() => {
  uploads = holdUploads();
  fakeServer.on(uploadSheet, () => buildSheet({ state: "uploaded" }));
  fakeServer.on(importSheet, () => buildSheet());
  fakeServer.on(readSheet, () => buildSheet());
});
afterEach(() => {
  act(() => runningImport.reset());
});

async function drop(...files: File[]) {
  await screen.findByRole("heading", { name: "Importação de planilha", level: 1 });
  const area = screen.getByText("Arraste e solte aqui sua planilha =)").closest("div") as HTMLElement;
  await act(async () => {
    fireEvent.drop(area, { dataTransfer: { types: ["Files"], files } });
  });
}

it("IMP-001 IMP-002 reads the sheet that is dropped", async () => {
  open();
  await drop(sheetFile());
  await screen.findByRole("heading", { name: "Importando seus pagamentos" });
  await act(() => uploads[0]?.finish());
  await waitFor(() => expect(fakeServer.calls(importSheet)[0]?.body).toEqual({ sheet_id: sheetId }));
  expect(uploads).toHaveLength(1);
});

it("IMP-001 IMP-007 reads none of several files dropped at once, and accepts the next one", async () => {
  open();
  await drop(sheetFile("junho.csv"), sheetFile("julho.csv"));
  const alert = within(await screen.findByRole("alert"));
  alert.getByRole("heading", { name: "Falha na importação da planilha" });
  alert.getByText("Importe uma planilha por vez.");
  alert.getByRole("button", { name: "Escolher outro arquivo" });
  expect(uploads).toHaveLength(0);
  const area = screen.getByRole("alert").parentElement as HTMLElement;
  await act(async () => {
    fireEvent.drop(area, { dataTransfer: { types: ["Files"], files: [sheetFile("junho.csv")] } });
  });
  await waitFor(() => expect(uploads).toHaveLength(1));
});

it("IMP-002 IMP-004 explains over the error, too, what dropping will do, and shows the error again after it", async () => {
  open();
  await drop(sheetFile("junho.pdf"));
  const area = (await screen.findByRole("alert")).parentElement as HTMLElement;
  const dataTransfer = { types: ["Files"], items: [{ kind: "file", type: "" }], files: [] };
  await act(async () => void fireEvent.dragEnter(area, { dataTransfer }));
  await screen.findByRole("heading", { name: "Pode soltar sua planilha" });
  expect(screen.queryByRole("alert")).toBeNull();
  await act(async () => void fireEvent.dragLeave(area));
  within(await screen.findByRole("alert")).getByRole("heading", { name: "Falha na importação da planilha" });
});

it("IMP-001 IMP-004 accepts a file in the whole area, and explains while it moves over a part of it", async () => {
  open();
  const invitation = await screen.findByText("Arraste e solte aqui sua planilha =)");
  const area = invitation.closest("div") as HTMLElement;
  const dataTransfer = { types: ["Files"], items: [{ kind: "file", type: "" }], files: [] };
  await act(async () => void fireEvent.dragEnter(area, { dataTransfer }));
  const title = await screen.findByRole("heading", { name: "Pode soltar sua planilha" });
  // A browser drops only where this event is cancelled, and otherwise opens the file itself.
  await act(async () => expect(fireEvent.dragOver(title, { dataTransfer })).toBe(false));
  // The event of the tests' browser does not take it as an option.
  const leave = Object.defineProperty(createEvent.dragLeave(area), "relatedTarget", { value: title });
  await act(async () => void fireEvent(area, leave));
  screen.getByRole("heading", { name: "Pode soltar sua planilha" });
});

it("IMP-007 opens the file picker again from the error", async () => {
  const user = userEvent.setup();
  open();
  await drop(sheetFile("junho.pdf"));
  const alert = within(await screen.findByRole("alert"));
  const opened = vi.spyOn(HTMLInputElement.prototype, "click");
  await user.click(alert.getByRole("button", { name: "Escolher outro arquivo" }));
  expect(opened.mock.contexts).toEqual([screen.getByLabelText("Escolher planilha")]);
  opened.mockRestore();
});

it.each([
  ["Transferências", "transfer", "modelo-transferencias"],
  ["Transferências com chave Pix", "transfer-pix", "modelo-transferencias-pix"],
  ["Boletos", "billet", "modelo-boletos"],
])("IMP-003 offers the model of %s as xlsx and as csv", async (title, kind, name) => {
  const user = userEvent.setup();
  const saved = watchSavedFiles();
  const asked: string[] = [];
  fakeServer.on(downloadModelSheet, ({ params, query }) => {
    asked.push(`${params["kind"]} ${query["format"]}`);
    return "bytes";
  });
  open();
  for (const format of ["xlsx", "csv"]) {
    await user.click(await screen.findByRole("button", { name: `Baixar modelo de ${title} em ${format}` }));
    await waitFor(() => expect(saved).toContain(`${name}.${format}`));
  }
  expect(asked).toEqual([`${kind} xlsx`, `${kind} csv`]);
});

it("IMP-003 offers an operator the six models too", async () => {
  renderApp(address, { features, session: { profile: "operator" } });
  await screen.findByText("Arraste e solte aqui sua planilha =)");
  expect(screen.getAllByRole("button", { name: /^Baixar modelo de/ })).toHaveLength(6);
});
