/** List of all transfers, its filters and its receipts. */
import { createBatch } from "@malote/contracts/batches";
import { listBanks } from "@malote/contracts/company";
import { listAllTransfers, readTransfer, readTransfersBlankslate } from "@malote/contracts/transfers";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildTransfer } from "../testing/payments.ts";
import { cellsOf, dialog, inBatch, openTransfers, paymentsPage, rowOf } from "../testing/payments-page.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";

const { served } = paymentsPage();

describe("Suas transferências", () => {
  it("TRF-049 TRF-050 TRF-051 TRF-054 lists the month, with names cut as required", async () => {
    openTransfers();
    await screen.findByRole("heading", { name: "Suas transferências", level: 1 });
    // Each value has the heading that phones show beside it.
    expect(cellsOf(await rowOf("Companhia Brasileira de Distribuição Nac…"))).toEqual([
      "RecebedorCompanhia Brasileira de Distribuição Nac…",
      "BancoPix",
      "Agência–",
      "Contamarina@exemplo.com",
      "LoteFolha 11/2026",
      "ValorR$ 123,45",
      "Data21/11/2026",
      "StatusTransferida",
      "Comprovante",
    ]);
    expect(cellsOf(await rowOf("Gráfica Ponto Final"))).toEqual([
      "RecebedorGráfica Ponto Final",
      "BancoItaú Unibanco",
      "Agência0457-9",
      "Conta12345678901234567890…",
      "LoteFornecedores de novembr…",
      "ValorR$ 123,45",
      "Data10/12/2026",
      "StatusAgendado",
      "Comprovante",
    ]);
    expect(fakeServer.calls(listAllTransfers)[0]?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      page: "0",
    });
    const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(headings).toEqual("Recebedor Banco Agência Conta Lote Valor Data Status Comprovante".split(" "));
  });

  it("TRF-050 shows a dash for a bank, an agency or an account that a draft lacks", async () => {
    const to = {
      name: "Ivo Reis",
      pix_key: null,
      pix_key_type: null,
      agency: null,
      account: null,
      Bank: null,
    };
    served.transfers = [{ ...buildTransfer({ payment_method: "TED", to }), ...inBatch() }];
    openTransfers();
    expect(cellsOf(await rowOf("Ivo Reis")).slice(1, 4)).toEqual(["Banco–", "Agência–", "Conta–"]);
  });

  it("TRF-050 names a payment by key without a name by the key's holder, and marks it so", async () => {
    const holder = { to: { name: null }, key_holder_name: "Bruno Reis" };
    served.transfers = [{ ...buildTransfer(holder), ...inBatch() }];
    openTransfers();
    expect(cellsOf(await rowOf("Bruno Reis"))[0]).toBe("RecebedorBruno Reistitular da chave");
  });

  it("TRF-054 cuts a key as an account, and the name of a holder as a receiver's", async () => {
    const to = { name: null, pix_key: `${"b".repeat(30)}@exemplo.com` };
    const holder = { to, key_holder_name: "H".repeat(50) };
    served.transfers = [{ ...buildTransfer(holder), ...inBatch() }];
    openTransfers();
    const cells = cellsOf(await rowOf(`${"H".repeat(40)}…`));
    expect(cells[0]).toBe(`Recebedor${"H".repeat(40)}…titular da chave`);
    expect(cells[3]).toBe(`Conta${"b".repeat(20)}…`);
  });

  it("TRF-049 shows the creation date of a payment without a day of its own", async () => {
    const created_at = "2026-11-19T02:30:00.000Z";
    served.transfers = [{ ...buildTransfer({ created_at, to: { name: "Ivo Reis" } }), ...inBatch() }];
    openTransfers();
    expect(cellsOf(await rowOf("Ivo Reis"))).toContain("Data18/11/2026");
  });

  it("TRF-049 TRF-052 sends the filters of the address, and reports that nothing was found", async () => {
    const user = userEvent.setup();
    served.transfers = [];
    const app = openTransfers("?mes=2026-02&status=falha&busca=1234&banco=60701190&pagina=1");
    await screen.findByText("Nenhuma transferência foi encontrada na sua busca");
    expect(fakeServer.calls(listAllTransfers)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "0",
      status: "FAILED",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).not.toContain("busca"));
    expect(fakeServer.calls(readTransfersBlankslate)).toHaveLength(1);
  });

  it("TRF-007 TRF-009 TRF-049 filters by a chosen status, month and bank, and shows a draft's mistake as its status", async () => {
    const user = userEvent.setup();
    const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    fakeServer.on(listBanks, () => ({ data: [itau] }));
    const mistake = { code: "pix_key_cpf_invalid", field: "pix_key" };
    served.transfers.push({
      ...buildTransfer({ errors: [mistake], to: { name: "Ivo Reis" } }),
      ...inBatch(),
    });
    const app = openTransfers("?mes=2026-11");
    const pill = (await rowOf("Ivo Reis")).getByText("CPF inválido");
    expect(pill.closest("[data-color]")?.getAttribute("data-color")).toBe("red");
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    const offered = await screen.findAllByRole("menuitemradio");
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      "Todos os status",
      "Criada",
      "Agendado",
      "Em processamento",
      "Transferida",
      "Falha",
      "Devolvida",
    ]);
    await user.click(screen.getByRole("menuitemradio", { name: "Criada" }));
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}");
    await user.click(screen.getByRole("button", { name: "Mês: novembro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() =>
      expect(fakeServer.calls(listAllTransfers).at(-1)?.query).toEqual({
        initialDate: "2026-03-01",
        endDate: "2026-03-31",
        page: "0",
        status: "CREATED",
        bankId: itau.id,
      }),
    );
    expect(app.address()).toContain("status=criada");
  });

  it("TRF-053 a first use starts a batch", async () => {
    const user = userEvent.setup();
    served.isBlank = true;
    served.transfers = [];
    fakeServer.on(createBatch, () => refuse("contract_not_accepted"));
    openTransfers();
    await screen.findByText("Faça sua primeira transferência");
    await user.click(screen.getByRole("button", { name: "Novo lote" }));
    await waitFor(() => expect(fakeServer.calls(createBatch)).toHaveLength(1));
    expect(fakeServer.calls(createBatch)[0]?.body).toMatchObject({ type: "TRANSFER" });
  });

  it("TRF-053 an empty month after earlier transfers is no first use", async () => {
    served.transfers = [];
    openTransfers();
    await waitFor(() => expect(fakeServer.calls(readTransfersBlankslate)).toHaveLength(1));
    await screen.findByText("Nenhuma transferência foi encontrada na sua busca");
    expect(screen.queryByText("Faça sua primeira transferência")).toBeNull();
  });

  it("TRF-053 a first use offers analysts no batch", async () => {
    served.isBlank = true;
    served.transfers = [];
    openTransfers("", { session: { profile: "analyst" } });
    await screen.findByText("Faça sua primeira transferência");
    expect(screen.queryByRole("button", { name: "Novo lote" })).toBeNull();
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "BAT-013 the list offers a new batch, unless to analysts: %s",
    async (profile) => {
      openTransfers("", { session: { profile } });
      await screen.findByRole("button", { name: "Baixar comprovantes" });
      expect(screen.queryByRole("button", { name: "Novo lote" }) !== null).toBe(profile !== "analyst");
    },
  );

  it("TRF-055 TRF-056 opens one by its address, with its batch and its receipt", async () => {
    const user = userEvent.setup();
    const [paid] = served.transfers;
    fakeServer.on(readTransfer, () => (paid ? { ...paid, key_holder: null } : refuse("not_found")));
    const app = openTransfers(`?detalhe=${paid?.id}`);
    await screen.findByRole("button", { name: "Baixar comprovante" });
    const details = await dialog("Detalhes da transferência");
    details.getByRole("link", { name: "Folha 11/2026" });
    expect(fakeServer.calls(readTransfer).map(({ params }) => params)).toEqual([{ id: paid?.id }]);
    await user.click(details.getByRole("button", { name: "Voltar" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/transferencias"));
  });
});
