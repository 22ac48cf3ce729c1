import { type Batch, listWaitingBatches } from "@malote/contracts/batches";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { statement } from "../statement/feature.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { waiting } from "./feature.ts";

const address = "/pagamentos/lotes-aguardando-recebimento";
const id = "0198f000-0000-7000-8000-0000000000c1";

const batch: Batch = {
  id,
  name: "Fornecedores da semana quarenta e sete",
  type: "TRANSFER",
  status: "WAITING",
  value: 4_750_000,
  created_at: "2026-11-20T19:42:00.000Z",
  created_by: { id: null, name: "Rui Nogueira" },
  received_date: null,
  finish_date: null,
  returned_date: null,
  reconciled: false,
  cancel_requested_at: null,
  is_canceled: false,
  was_imported: false,
  has_failed_or_returned_transfers: false,
  received_bank_account: null,
  spreadsheet_file_name: null,
  sheet_id: null,
  revision: 1,
  payments_count: 4,
  errors_count: 0,
  paid_count: 0,
  failed_count: 0,
  returned_count: 0,
  reprove_reason: null,
  sent_back_by: null,
  waiting_reason: null,
};

const answer = (data: Batch[]) =>
  fakeServer.on(listWaitingBatches, () => ({
    data,
    total: 4_750_000,
    balance: 2_330_551,
    missing: 2_419_449,
  }));

describe("Aguardando recebimento", () => {
  it("BAT-078 BAT-079 BAT-080 shows balance, total waiting and missing amount, and the next actions", async () => {
    answer([batch]);
    renderApp(address, { features: [statement, waiting, placeholderScreens("BatchesPage")] });
    await screen.findByRole("heading", { name: "Aguardando recebimento", level: 1 });
    await screen.findByRole("heading", { name: "Envie o que falta para processar todos seus lotes" });
    const sums = screen
      .getAllByRole("term")
      .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
    expect(sums.map((sum) => sum.replace(/\u00a0/g, " "))).toEqual([
      "Saldo disponível R$ 23.305,51",
      "Total aguardando R$ 47.500,00",
      "Falta enviar R$ 24.194,49",
    ]);
    screen.getByRole("img", { name: "O saldo cobre 49% do total" });
    expect(screen.getByRole("link", { name: "Ver extrato" }).getAttribute("href")).toBe("/pagamentos/saldo");
    expect(screen.getByRole("link", { name: "Ver seus lotes" }).getAttribute("href")).toBe(
      "/pagamentos/lotes",
    );
  });

  it("BAT-080 BAT-081 lists name, creation, value and status, with the name cut at 30", async () => {
    const user = userEvent.setup();
    const short = {
      ...batch,
      id: "0198f000-0000-7000-8000-0000000000c2",
      name: "Folha de novembro e 13º salári",
    };
    answer([batch, short]);
    const app = renderApp(address, { features: [waiting] });
    const table = within(await screen.findByRole("table", { name: "Lotes aguardando recebimento" }));
    expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual([
      "Nome",
      "Data de criação",
      "Valor",
      "Status",
    ]);
    const name = table.getByRole("button", { name: `Abrir o lote ${batch.name}` });
    // Each value has the heading that phones show beside it.
    const cells = within(name.closest("tr") as HTMLElement).getAllByRole("cell");
    expect(cells.map(({ textContent }) => textContent?.replace(/\u00a0/g, " "))).toEqual([
      "NomeFornecedores da semana quarent…",
      "Data de criação20/11/2026 16:42",
      "ValorR$ 47.500,00",
      "StatusAguardando recebimento",
    ]);
    expect(table.getByRole("button", { name: `Abrir o lote ${short.name}` }).textContent).toBe(short.name);
    await user.click(name);
    await waitFor(() => expect(app.address()).toBe(`${address}?lote=${id}`));
  });

  it("BAT-078 reports that nothing waits, and leads to the batches and the statement all the same", async () => {
    fakeServer.on(listWaitingBatches, () => ({ data: [], total: 0, balance: 0, missing: 0 }));
    renderApp(address, { features: [statement, waiting, placeholderScreens("BatchesPage")] });
    await screen.findByRole("heading", { name: "Nenhum lote espera saldo" });
    const target = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect([target("Ver extrato"), target("Ver seus lotes")]).toEqual([
      "/pagamentos/saldo",
      "/pagamentos/lotes",
    ]);
  });

  it("SES-070 shows above the batches that they could not be read again", async () => {
    answer([batch]);
    const { queryClient } = renderApp(address, { features: [waiting] });
    await screen.findByRole("table");
    fakeServer.on(listWaitingBatches, () => refuse("internal"));
    await act(() => queryClient.refetchQueries());
    await screen.findByText("Não foi possível carregar os lotes que esperam saldo");
    screen.getByRole("table");
  });

  it("reports what failed and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(listWaitingBatches, () => refuse("internal"));
    renderApp(address, { features: [waiting] });
    const alert = within(await screen.findByRole("alert"));
    answer([batch]);
    await user.click(alert.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByRole("table");
  });
});
