/** Opens the lists of all transfers and of all boletos. */
import { type Boleto, listAllBoletos, readBoletosBlankslate } from "@malote/contracts/boletos";
import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import { type ListedTransfer, listAllTransfers, readTransfersBlankslate } from "@malote/contracts/transfers";
import { screen, within } from "@testing-library/react";
import { beforeEach } from "vitest";
import { fakeServer } from "./fake-server.ts";
import { buildBoleto, buildTransfer, testId } from "./payments.ts";
import { renderApp } from "./render-app.tsx";

/** No space lies at the cut, because it would hide a shorter or longer cut. */
const longName = "Companhia Brasileira de Distribuição Nacional de Papéis e Embalagens";

export const receipt = "/api/payments/app/transfer/x/receipt";

export const started =
  "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!";

export const inBatch = (name = "Folha 11/2026") => ({ Batch: { id: testId(1), name } });

export const pageOf = <Row>(rows: Row[]) => ({
  data: rows,
  metadata: { pagination: { itemsPerPage: 50, totalItems: rows.length } },
});

export const openTransfers = (search = "", options: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(`/pagamentos/transferencias${search}`, options);

export const openBoletos = (search = "", options: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(`/pagamentos/boletos${search}`, options);

export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

export const rowOf = async (name: RegExp | string) => {
  const row = (await screen.findByRole("link", { name })).closest("tr");
  if (!row) throw new Error("no row");
  return within(row);
};

export const cellsOf = (row: Awaited<ReturnType<typeof rowOf>>) =>
  row.getAllByRole("cell").map(({ textContent }) => textContent?.replace(/\u00a0/g, " "));

export function paymentsPage() {
  const served = {} as { transfers: ListedTransfer[]; boletos: Boleto[]; isBlank: boolean };
  beforeEach(() => {
    served.isBlank = false;
    served.transfers = [
      {
        ...buildTransfer({
          status: "TRANSFERRED",
          receipt_url: receipt,
          payment_date: "2026-11-20",
          transfer_date: "2026-11-21T12:00:00.000Z",
          to: { name: longName },
        }),
        ...inBatch(),
      },
      {
        ...buildTransfer({
          payment_method: "TED",
          payment_date: "2026-12-10",
          status: "SCHEDULED",
          to: {
            name: "Gráfica Ponto Final",
            pix_key: null,
            pix_key_type: null,
            Bank: { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null },
            agency: "0457",
            agency_digit: "9",
            account: "123456789012345678901",
            account_digit: "3",
          },
        }),
        ...inBatch("Fornecedores de novembro de 2026"),
      },
    ];
    served.boletos = [
      buildBoleto({
        status: "PAID",
        receipt_url: receipt,
        description: "Aluguel dos escritórios da filial",
        scheduled_for: "2026-11-23",
        batch: { id: testId(1), name: "Contas do mês de novembro" },
      }),
      buildBoleto({ description: "Energia", due_date: null }),
    ];
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    fakeServer.on(listBanks, () => ({ data: [] }));
    fakeServer.on(listAllTransfers, () => pageOf(served.transfers));
    fakeServer.on(listAllBoletos, () => pageOf(served.boletos));
    fakeServer.on(readTransfersBlankslate, () => ({ data: served.isBlank }));
    fakeServer.on(readBoletosBlankslate, () => ({ data: served.isBlank }));
  });

  return { served };
}
