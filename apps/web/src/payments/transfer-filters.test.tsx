/** Requests that the filters of the transfers page send, for the list and for the export. */
import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import { createPayoutReport } from "@malote/contracts/reports";
import { listAllTransfers, readTransfersBlankslate } from "@malote/contracts/transfers";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({ data: [] }));
  fakeServer.on(readTransfersBlankslate, () => ({ data: false }));
  fakeServer.on(listAllTransfers, () => ({
    data: [{ ...buildTransfer(), Batch: { id: testId(1), name: "Folha" } }],
    metadata: { pagination: { itemsPerPage: 50, totalItems: 1 } },
  }));
});

it("TRF-009 each entry of the filter requests its status, and the page requests none at first", async () => {
  const user = userEvent.setup();
  renderApp("/pagamentos/transferencias");
  await screen.findByRole("link", { name: "Marina Lopes" });
  expect(fakeServer.calls(listAllTransfers)[0]?.query).not.toHaveProperty("status");
  for (const [name, status] of [
    ["Criada", "CREATED"],
    ["Agendado", "SCHEDULED"],
    ["Em processamento", "RECEIVED"],
    ["Transferida", "TRANSFERRED"],
    ["Falha", "FAILED"],
    ["Devolvida", "RETURNED"],
  ] as const) {
    await user.click(screen.getByRole("button", { name: /^Status: / }));
    await user.click(await screen.findByRole("menuitemradio", { name }));
    await waitFor(() =>
      expect([name, fakeServer.calls(listAllTransfers).at(-1)?.query["status"]]).toEqual([name, status]),
    );
  }
});

it("TRF-049 requests what is typed into the search", async () => {
  const user = userEvent.setup();
  const app = renderApp("/pagamentos/transferencias");
  await screen.findByRole("link", { name: "Marina Lopes" });
  await user.type(
    screen.getByRole("searchbox", { name: "Recebedor, agência, conta, valor ou lote" }),
    "1234",
  );
  await waitFor(() => expect(fakeServer.calls(listAllTransfers).at(-1)?.query["search"]).toBe("1234"));
  expect(app.address()).toBe("/pagamentos/transferencias?busca=1234");
});

it.each([
  [
    "status",
    async () => {
      await userEvent.click(screen.getByRole("button", { name: /^Status: / }));
      await userEvent.click(await screen.findByRole("menuitemradio", { name: "Falha" }));
    },
  ],
  ["bank", () => userEvent.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}")],
  [
    "month",
    async () => {
      await userEvent.click(screen.getByRole("button", { name: "Mês: novembro de 2026" }));
      await userEvent.click(await screen.findByRole("button", { name: "março de 2026" }));
    },
  ],
  [
    "search",
    () =>
      userEvent.type(
        screen.getByRole("searchbox", { name: "Recebedor, agência, conta, valor ou lote" }),
        "1234",
      ),
  ],
] as const)(
  "TRF-049 TRF-051 counts the second page as 1, and shows the first one of another %s",
  async (_what, change) => {
    const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    fakeServer.on(listBanks, () => ({ data: [itau] }));
    fakeServer.on(listAllTransfers, () => ({
      data: [{ ...buildTransfer(), Batch: { id: testId(1), name: "Folha" } }],
      metadata: { pagination: { itemsPerPage: 50, totalItems: 120 } },
    }));
    const app = renderApp("/pagamentos/transferencias?mes=2026-11&pagina=2");
    await screen.findByRole("link", { name: "Marina Lopes" });
    expect(fakeServer.calls(listAllTransfers).map(({ query }) => query["page"])).toEqual(["1"]);
    await change();
    await waitFor(() => expect(fakeServer.calls(listAllTransfers).at(-1)?.query["page"]).toBe("0"));
    expect(app.address()).not.toContain("pagina");
  },
);

it("TRF-057 the export requests status and bank of the filter as well, and no search when there is none", async () => {
  fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
  renderApp("/pagamentos/transferencias?mes=2026-02&status=falha&banco=60701190");
  await userEvent.click(await screen.findByRole("button", { name: "Exportar" }));
  await waitFor(() =>
    expect(fakeServer.calls(createPayoutReport).map(({ body }) => body)).toEqual([
      {
        created_at__gte: "2026-02-01",
        created_at__lte: "2026-02-28",
        status__in: ["FAILED"],
        bank_id: "60701190",
      },
    ]),
  );
});
