/** Receipts that both lists of payments offer. */
import { listAllBoletos, listBoletosWithReceipts } from "@malote/contracts/boletos";
import { requestBoletoReceipts, requestReceipts } from "@malote/contracts/receipts";
import { listAllTransfers, listTransfersWithReceipts } from "@malote/contracts/transfers";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto, buildTransfer, testId } from "../testing/payments.ts";
import {
  dialog,
  inBatch,
  openBoletos,
  openTransfers,
  paymentsPage,
  receipt,
  rowOf,
  started,
} from "../testing/payments-page.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";

const { served } = paymentsPage();

type Receipts = { receipt_url: string } | { bank_receipt_url: string };
const inTwoPages = { metadata: { pagination: { itemsPerPage: 3, totalItems: 4 } } };
const transfer = (name: string, receipts: Receipts) => ({
  ...buildTransfer({ status: "FINISHED", ...receipts, to: { name } }),
  ...inBatch(),
});
const boleto = (description: string, receipts: Receipts) =>
  buildBoleto({ status: "FINISHED", ...receipts, description });

const lists = [
  {
    name: "of transfers",
    proves: {
      chosen: "TRF-060 TRF-062 TRF-064",
      ofPage: "TRF-062",
      ofFilter: "TRF-063 TRF-065",
    },
    open: openTransfers,
    request: requestReceipts,
    find: listTransfersWithReceipts,
    unpaid: "Gráfica Ponto Final",
    paid: { inAddress: "transferida", onWire: "TRANSFERRED" },
    rows: () => served.transfers,
    servePages() {
      served.transfers.push(transfer("Ivo Reis", { bank_receipt_url: receipt }));
      const pages = [served.transfers, [transfer("Zeca", { receipt_url: receipt })]];
      fakeServer.on(listAllTransfers, ({ query }) => ({
        data: pages[Number(query["page"])] ?? [],
        ...inTwoPages,
      }));
    },
  },
  {
    name: "of boletos",
    proves: { chosen: "BIL-036", ofPage: "BIL-036", ofFilter: "BIL-035 BIL-036" },
    open: openBoletos,
    request: requestBoletoReceipts,
    find: listBoletosWithReceipts,
    unpaid: "Energia",
    paid: { inAddress: "pago", onWire: "PAID" },
    rows: () => served.boletos,
    servePages() {
      served.boletos.push(boleto("Ivo Reis", { bank_receipt_url: receipt }));
      const pages = [served.boletos, [boleto("Zeca", { receipt_url: receipt })]];
      fakeServer.on(listAllBoletos, ({ query }) => ({
        data: pages[Number(query["page"])] ?? [],
        ...inTwoPages,
      }));
    },
  },
];

describe.each(lists)("receipts $name", ({ proves, open, request, find, unpaid, paid, rows, servePages }) => {
  const all = () => screen.getByRole("checkbox", { name: "Selecionar todos os comprovantes desta página" });

  it(`${proves.chosen} allows only payments with a receipt to be selected, those of the page at once`, async () => {
    const user = userEvent.setup();
    fakeServer.on(request, () => ({ id: testId(90), receipts_count: 1 }));
    open();
    expect((await rowOf(unpaid)).getByRole("checkbox")).toHaveProperty("disabled", true);
    await user.click(all());
    screen.getByText("1 comprovante selecionado");
    await user.click(screen.getByRole("button", { name: "Baixar selecionados" }));
    await user.click((await dialog("Comprovantes")).getByRole("button", { name: "Baixar comprovantes" }));
    await screen.findByText(started);
    expect(fakeServer.calls(request).map(({ body }) => body)).toEqual([{ ids: [rows()[0]?.id] }]);
    expect(screen.queryByText("1 comprovante selecionado")).toBeNull();
  });

  it(`${proves.chosen} requests the receipts of one selected payment alone, and of all that are selected`, async () => {
    const user = userEvent.setup();
    servePages();
    fakeServer.on(request, () => ({ id: testId(90), receipts_count: 1 }));
    open();
    const send = async () => {
      await user.click(screen.getByRole("button", { name: "Baixar selecionados" }));
      await user.click((await dialog("Comprovantes")).getByRole("button", { name: "Baixar comprovantes" }));
      await waitFor(() => expect(screen.queryByText(/comprovantes? selecionados?$/)).toBeNull());
    };
    await user.click((await rowOf("Ivo Reis")).getByRole("checkbox"));
    screen.getByText("1 comprovante selecionado");
    await send();
    // The button that phones show in place of the heading's checkbox.
    await user.click(screen.getByRole("button", { name: "Selecionar comprovantes desta página" }));
    screen.getByText("2 comprovantes selecionados");
    await send();
    const [paid, , last] = rows().map(({ id }) => id);
    expect(fakeServer.calls(request).map(({ body }) => body)).toEqual([
      { ids: [last] },
      { ids: [paid, last] },
    ]);
  });

  it(`${proves.ofPage} counts the bank's own receipt too, and keeps the selection to its page`, async () => {
    const user = userEvent.setup();
    servePages();
    open();
    expect((await rowOf("Ivo Reis")).getByRole("checkbox")).toHaveProperty("disabled", false);
    await user.click(all());
    screen.getByText("2 comprovantes selecionados");
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    expect((await rowOf("Zeca")).getByRole("checkbox")).toHaveProperty("checked", false);
    expect(screen.queryByText(/comprovantes? selecionados?/)).toBeNull();
  });

  it(`${proves.ofFilter} requests those of the whole filter, and reports when there are none or when it fails`, async () => {
    const user = userEvent.setup();
    let found = [5, 6].map((n) => ({ id: testId(n), value: 1 }));
    fakeServer.on(find, () => ({ data: found }));
    fakeServer.on(request, () => refuse("receipts_at_once", { max: 3 }));
    open(`?status=${paid.inAddress}&busca=1234&banco=60701190`);
    const ask = async () => user.click(await screen.findByRole("button", { name: "Baixar comprovantes" }));
    await ask();
    const asked = await dialog("Comprovantes");
    await asked.findByText("2 comprovantes");
    expect(fakeServer.calls(find)[0]?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      status: paid.onWire,
      search: "1234",
      bankId: "60701190",
    });
    await user.click(asked.getByRole("button", { name: "Baixar comprovantes" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    failed.getByText(/Já há 3 pedidos/);
    expect(fakeServer.calls(request).map(({ body }) => body)).toEqual([{ ids: [testId(5), testId(6)] }]);
    await user.click(failed.getByRole("button", { name: "Voltar" }));
    found = [];
    await ask();
    await (await dialog("Comprovantes")).findByText("Nenhum comprovante disponível.");
    await user.click((await dialog("Comprovantes")).getByRole("button", { name: "Voltar" }));
    fakeServer.on(find, () => refuse("receipts_too_many", { max: "5.000" }));
    await ask();
    const tooMany = await dialog("Não foi possível baixar os comprovantes");
    expect(tooMany.getByRole("alert").textContent).toMatch(/5\.000/);
  });
});
