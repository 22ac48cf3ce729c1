/** History of validations: filtered, paged, opened. */
import {
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  listValidations,
  readValidation,
} from "@malote/contracts/validation";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { build, byKey, field, id, open, radio, serveValidation, underWay } from "../testing/validation.ts";

serveValidation();

describe("the history", () => {
  const history = "/contacerta/validacoes/historico";
  const other = "0198f000-0000-7000-8000-0000000000a2";
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T15:00:00Z") });
    fakeServer.on(listValidations, ({ query }) => ({
      data: query["searchTerm"]
        ? []
        : [
            build({
              type: "MICRO_DEPOSIT",
              micro_deposit_status: "TRANSFERRED",
              receipt_url: "/receipt",
              // Answered later than it was requested.
              validated_at: "2026-11-20T18:05:00.000Z",
            }),
            build({
              id: other,
              valid: false,
              errors: [{ code: "pix_key_not_found", field: "pix_key", message: "Chave Pix não encontrada" }],
              data: { ...byKey, cpf_cnpj: null, pix_key: "a@b.co", pix_key_type: "EMAIL" },
            }),
          ],
      metadata: { pagination: { itemsPerPage: 12, totalItems: query["searchTerm"] ? 0 : 14 } },
    }));
  });
  const asked = () => fakeServer.calls(listValidations).map(({ query }) => query);

  it("VAL-017 VAL-025 VAL-028 lists the validations of this month", async () => {
    open(history);
    const table = await screen.findByRole("table", { name: "Histórico de validações" });
    const headings = within(table)
      .getAllByRole("columnheader")
      .map((cell) => cell.textContent);
    expect(headings).toEqual([
      "Data",
      "Tipo de validação",
      "Nome",
      "Pix ou Agência/Conta",
      "Status",
      "Comprovante",
    ]);
    const rows = within(table).getAllByRole("row").slice(1);
    // On phones each value has its heading beside it.
    const cells = rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }, at) => textContent?.slice(headings[at]?.length)),
    );
    const date = "20/11/2026 15:00";
    expect(cells).toEqual([
      [date, "Microdepósito", "Padaria Sol Nascente", "Ag. 1234 · Conta 56789-7", "Validado", "Baixar"],
      [date, "Validação básica", "–", "a@b.co", "Inválido", "–"],
    ]);
    const saved = watchSavedFiles();
    fakeServer.on(downloadValidationReceipt, () => new Blob(["%PDF"]));
    await userEvent.click(
      within(table).getByRole("button", { name: "Baixar comprovante de Padaria Sol Nascente" }),
    );
    await waitFor(() => expect(saved).toEqual(["comprovante-padaria-sol-nascente.pdf"]));
    expect(fakeServer.calls(downloadValidationReceipt).map(({ params }) => params)).toEqual([{ id }]);
    expect(fakeServer.calls(downloadValidationBankReceipt)).toEqual([]);
    expect(asked()).toEqual([{ page: "0", initialDate: "2026-11-01", endDate: "2026-11-30" }]);
    screen.getByText("14 validações");
  });

  it("VAL-024 VAL-029 filters by the address, and pages by twelve", async () => {
    const app = open(`${history}?status=invalido&tipo=basica&mes=2026-10&pagina=2`);
    await screen.findByRole("table");
    screen.getByPlaceholderText("Nome, Documento, Chave Pix, etc.");
    expect(asked()).toEqual([
      { page: "1", initialDate: "2026-10-01", endDate: "2026-10-31", type: "BASIC", valid: "false" },
    ]);
    await userEvent.click(screen.getByRole("button", { name: "Status: Inválido" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Validando" }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ microDepositValidated: "false", page: "0" }));
    await userEvent.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe(history));
  });

  it("VAL-024 filters by the chosen type and month, and by the typed text", async () => {
    const app = open(history);
    await screen.findByRole("table");
    await userEvent.click(screen.getByRole("button", { name: "Mês: novembro de 2026" }));
    await userEvent.click(screen.getByRole("button", { name: "setembro de 2026" }));
    const inSeptember = { page: "0", initialDate: "2026-09-01", endDate: "2026-09-30" };
    await waitFor(() => expect(asked().at(-1)).toEqual(inSeptember));
    await userEvent.click(screen.getByRole("button", { name: "Tipo: Todos os tipos" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Microdepósito" }));
    await waitFor(() => expect(asked().at(-1)).toEqual({ ...inSeptember, type: "MICRO_DEPOSIT" }));
    await userEvent.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Validado" }));
    const chosen = { ...inSeptember, type: "MICRO_DEPOSIT", valid: "true" };
    await waitFor(() => expect(asked().at(-1)).toEqual(chosen));
    await userEvent.type(screen.getByRole("searchbox"), "Padaria{Enter}");
    await waitFor(() => expect(asked().at(-1)).toEqual({ ...chosen, searchTerm: "Padaria" }));
    expect(app.address()).toBe(`${history}?mes=2026-09&tipo=microdeposito&status=validado&busca=Padaria`);
  });

  it("SES-070 shows above the list that it could not be read again, and reads again on demand", async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let row = underWay;
    const answer = () => ({ data: [row], metadata: { pagination: { itemsPerPage: 12, totalItems: 1 } } });
    fakeServer.on(listValidations, answer);
    open(history);
    await screen.findByText("Validando");
    fakeServer.on(listValidations, () => refuse("internal"));
    await act(() => vi.advanceTimersByTimeAsync(10_100));
    await screen.findByText("Não foi possível carregar as validações");
    expect(screen.getByText("Validando")).toBeTruthy();
    row = build({ type: "MICRO_DEPOSIT", micro_deposit_status: "TRANSFERRED" });
    fakeServer.on(listValidations, answer);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Validado");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("VAL-026 opens a row in full screen, which offers to repeat it", async () => {
    const app = open(history);
    await userEvent.click(await screen.findByText("Ag. 1234 · Conta 56789-7"));
    const modal = within(await screen.findByRole("dialog", { name: "Resultado da validação" }));
    await modal.findByText("Os dados bancários informados estão corretos.");
    expect(screen.getByRole("dialog").getAttribute("data-place")).toBe("full");
    expect(app.address()).toBe(`${history}?validacao=${id}`);
    expect(fakeServer.calls(readValidation).map(({ params }) => params)).toEqual([{ id }]);
    await userEvent.click(modal.getByRole("button", { name: "Refazer validação" }));
    await waitFor(() => expect(app.address()).toBe(`/contacerta/validacoes/nova?refazer=${id}`));
    expect((await field("Conta")).value).toBe("56789");
  });

  it("VAL-026 opens the row that is clicked, not another one", async () => {
    fakeServer.on(readValidation, ({ params }) => build({ id: params["id"] ?? "" }));
    const app = open(history);
    await userEvent.click(await screen.findByText("a@b.co"));
    await screen.findByRole("dialog", { name: "Resultado da validação" });
    expect(app.address()).toBe(`${history}?validacao=${other}`);
    await waitFor(() =>
      expect(fakeServer.calls(readValidation).map(({ params }) => params)).toEqual([{ id: other }]),
    );
  });

  it("VAL-029 opens another page, and marks it", async () => {
    const app = open(history);
    await userEvent.click(await screen.findByRole("button", { name: "Página 2" }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ page: "1" }));
    expect(app.address()).toBe(`${history}?pagina=2`);
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Página 2" }).getAttribute("aria-current")).toBe("page"),
    );
  });

  it("VAL-023 leads from a result to a new, empty form", async () => {
    const app = open(`${history}?validacao=${id}`);
    const modal = within(await screen.findByRole("dialog", { name: "Resultado da validação" }));
    await userEvent.click(await modal.findByRole("button", { name: "Nova validação" }));
    expect((await radio("Conta bancária")).checked).toBe(true);
    expect((await field("Conta")).value).toBe("");
    expect(app.address()).toBe("/contacerta/validacoes/nova");
  });

  it.each([
    ["admin", "by a search", "?busca=ninguem"],
    ["admin", "in the month", ""],
    ["operator", "in the month", ""],
  ])(
    "VAL-027 reports to an %s that nothing was found %s, and links to the form",
    async (profile, _, search) => {
      fakeServer.on(listValidations, () => ({
        data: [],
        metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
      }));
      open(history + search, { profile });
      const said = await screen.findByRole("heading", { name: "Nenhuma validação foi encontrada" });
      // The link below this text, not the one above every history.
      const link = within(said.parentElement as HTMLElement).getByRole("link", { name: "Nova validação" });
      expect(link.getAttribute("href")).toBe("/contacerta/validacoes/nova");
      expect(asked()).toMatchObject([search ? { searchTerm: "ninguem" } : { page: "0" }]);
    },
  );
});
