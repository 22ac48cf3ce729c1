/** List of all boletos, its filters and its receipts. */
import {
  listAllBoletos,
  listBoletosWithReceipts,
  readBoletoDetails,
  readBoletosBlankslate,
} from "@malote/contracts/boletos";
import { listBanks } from "@malote/contracts/company";
import { requestBoletoReceipts } from "@malote/contracts/receipts";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { testId } from "../testing/payments.ts";
import { cellsOf, dialog, openBoletos, paymentsPage, rowOf, started } from "../testing/payments-page.ts";
import { settled } from "../testing/settled.ts";

const { served } = paymentsPage();

describe("Seus boletos", () => {
  it("BIL-004 BIL-020 BIL-030 BIL-031 lists the month, with descriptions and batches cut as required", async () => {
    openBoletos();
    await screen.findByRole("heading", { name: "Seus boletos", level: 1 });
    // Each value has the heading that phones show beside it.
    expect(cellsOf(await rowOf("Aluguel dos escritório…"))).toEqual([
      "DescriçãoAluguel dos escritório…",
      "Código75691.43212 01012.345672 80000.123010 4 17230000015000",
      "LoteContas do mês de novemb…",
      "Vencimento15/02/2027",
      "Pagamento23/11/2026",
      "ValorR$ 150,00",
      "StatusPago",
      "Comprovante",
    ]);
    for (const [name, pill, color] of [
      ["Aluguel dos escritório…", "Pago", "blue"],
      ["Energia", "Criado", "grey"],
    ] as const) {
      const shown = (await rowOf(name)).getByText(pill).closest("[data-color]");
      expect([pill, shown?.getAttribute("data-color")]).toEqual([pill, color]);
    }
    expect(cellsOf(await rowOf("Energia")).slice(3, 5)).toEqual(["Vencimento00/00/0000", "PagamentoHoje"]);
    const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(headings).toEqual(
      "Descrição Código Lote Vencimento Pagamento Valor Status Comprovante".split(" "),
    );
  });

  it("BIL-033 BIL-032 reports that nothing was found", async () => {
    served.boletos = [];
    openBoletos("?status=processando&busca=luz");
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    expect(fakeServer.calls(listAllBoletos)[0]?.query).toMatchObject({ status: "EXECUTING", search: "luz" });
  });

  it("BIL-030 BIL-033 sends the filters of the address, including bank and month", async () => {
    const user = userEvent.setup();
    served.boletos = [];
    const app = openBoletos("?mes=2026-02&status=falha&busca=1234&banco=60701190&pagina=1");
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    expect(fakeServer.calls(listAllBoletos)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "0",
      status: "FAILED",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).not.toContain("busca"));
  });

  it("BIL-030 BIL-032 filters by search, month, bank and status, and requests them", async () => {
    const user = userEvent.setup();
    fakeServer.on(listBanks, () => ({
      data: [{ id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null }],
    }));
    const app = openBoletos("?mes=2026-02");
    await user.type(await screen.findByRole("searchbox", { name: /Código.*valor.*lote/ }), "1234{Enter}");
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Pago" }));
    await user.click(screen.getByRole("combobox", { name: "Banco" }));
    await user.click(await screen.findByRole("option", { name: "341 · Itaú Unibanco" }));
    await user.click(screen.getByRole("button", { name: "Mês: fevereiro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() =>
      expect(fakeServer.calls(listAllBoletos).at(-1)?.query).toEqual({
        initialDate: "2026-03-01",
        endDate: "2026-03-31",
        page: "0",
        search: "1234",
        status: "PAID",
        bankId: "60701190",
      }),
    );
    expect(app.address()).toBe("/pagamentos/boletos?mes=2026-03&busca=1234&status=pago&banco=60701190");
  });

  it("BIL-005 BIL-030 each entry of the filter requests its status, and the page requests none at first", async () => {
    const user = userEvent.setup();
    openBoletos();
    await rowOf("Energia");
    expect(fakeServer.calls(listAllBoletos)[0]?.query).not.toHaveProperty("status");
    for (const [name, status] of [
      ["Criado", "CREATED"],
      ["Agendado", "SCHEDULED"],
      ["Em processamento", "EXECUTING"],
      ["Pago", "PAID"],
      ["Falha", "FAILED"],
      ["Devolvido", "RETURNED"],
    ] as const) {
      await user.click(screen.getByRole("button", { name: /^Status: / }));
      await user.click(await screen.findByRole("menuitemradio", { name }));
      await waitFor(() =>
        expect([name, fakeServer.calls(listAllBoletos).at(-1)?.query["status"]]).toEqual([name, status]),
      );
    }
  });

  it("BIL-034 has its own state of first use, and reports an empty month only as empty", async () => {
    served.isBlank = true;
    served.boletos = [];
    const app = openBoletos();
    await screen.findByText("Pague seu primeiro boleto");
    app.unmount();
    // An empty result of a filter is no first use.
    const filtered = openBoletos("?busca=luz");
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    await settled(filtered);
    expect(screen.queryByText("Pague seu primeiro boleto")).toBeNull();
    filtered.unmount();
    served.isBlank = false;
    openBoletos();
    await waitFor(() => expect(fakeServer.calls(readBoletosBlankslate)).toHaveLength(2));
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    expect(screen.queryByText("Pague seu primeiro boleto")).toBeNull();
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "BAT-013 BIL-034 offers a new batch in the list and at first use, unless to analysts: %s",
    async (profile) => {
      const offers = async (text: string) => {
        const app = openBoletos("", { session: { profile } });
        await screen.findByText(text);
        const isOffered = screen.queryByRole("button", { name: "Novo lote" }) !== null;
        app.unmount();
        return isOffered;
      };
      expect(await offers("Energia")).toBe(profile !== "analyst");
      served.isBlank = true;
      served.boletos = [];
      expect(await offers("Pague seu primeiro boleto")).toBe(profile !== "analyst");
    },
  );

  it("BIL-030 BIL-035 BIL-036 requests the receipts of the filter", async () => {
    const user = userEvent.setup();
    fakeServer.on(listBoletosWithReceipts, () => ({ data: [{ id: testId(6), value: 1 }] }));
    fakeServer.on(requestBoletoReceipts, () => ({ id: testId(90), receipts_count: 1 }));
    const [paid] = served.boletos;
    fakeServer.on(readBoletoDetails, () => paid ?? refuse("not_found"));
    openBoletos("?mes=2026-02&status=pago&busca=1234&banco=60701190");
    await user.click(await screen.findByRole("link", { name: "Aluguel dos escritório…" }));
    await screen.findByRole("button", { name: "Baixar comprovante" });
    await user.click((await dialog("Detalhes do boleto")).getByRole("button", { name: "Voltar" }));
    await user.click(screen.getByRole("button", { name: "Baixar comprovantes" }));
    const asked = await dialog("Comprovantes");
    await asked.findByText("1 comprovante");
    expect(fakeServer.calls(listBoletosWithReceipts)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      status: "PAID",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(asked.getByRole("button", { name: "Baixar comprovantes" }));
    await screen.findByText(started);
    expect(fakeServer.calls(requestBoletoReceipts).map(({ body }) => body)).toEqual([{ ids: [testId(6)] }]);
  });
});
