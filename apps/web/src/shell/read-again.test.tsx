/** Content that is polled and could not be read again: it stays, and the reason is shown above it. */
import { listBatches } from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import { listFiles } from "@malote/contracts/files";
import { readHome } from "@malote/contracts/home";
import { listNotifications } from "@malote/contracts/notifications";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

beforeEach(() => {
  serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
  fakeServer.on(listFiles, () => ({ data: [] }));
});

const openBell = async () =>
  userEvent.click(await screen.findByRole("button", { name: /^Arquivos e avisos/ }));
const openFiles = async () => {
  await openBell();
  await userEvent.click(await screen.findByRole("button", { name: "Arquivos" }));
};

const batch = buildOpenBatch();
const emptyHome = { work: [], count: 0, upcoming: [], paying: [] };
const cases: [string, Contract, string, () => Promise<void>, string, RegExp, () => object][] = [
  [
    "the work to do",
    readHome,
    "/inicio",
    async () => undefined,
    "Não foi possível carregar o que há para fazer",
    /^Nada espera por você$/,
    () => emptyHome,
  ],
  [
    "the notifications",
    listNotifications,
    "/acesso-negado",
    openBell,
    "Não foi possível carregar os avisos",
    /^Nenhum aviso\./,
    () => ({ data: [], unseen: 0 }),
  ],
  [
    "the files",
    listFiles,
    "/acesso-negado",
    openFiles,
    "Não foi possível carregar os arquivos",
    /^Nenhum arquivo\./,
    () => ({ data: [] }),
  ],
  [
    "the batches",
    listBatches,
    "/pagamentos/lotes",
    async () => undefined,
    "Não foi possível carregar os lotes",
    /^Folha 11\/2026$/,
    () => ({
      data: [batch],
      summary: { count: 1, value: 1 },
      metadata: { pagination: { itemsPerPage: 12, totalItems: 1 } },
    }),
  ],
];

it.each(cases)(
  "SES-070 shows above %s that they could not be read again, and reads them again on demand",
  async (_what, contract, address, open, title, stays, answer) => {
    const app = renderApp(address);
    fakeServer.on<Contract>(contract, answer);
    await open();
    await screen.findByText(stays);
    expect(screen.queryByText(title)).toBeNull();
    fakeServer.on<Contract>(contract, () => refuse("internal"));
    await act(() => app.queryClient.invalidateQueries());
    const notice = (await screen.findByText(title)).closest<HTMLElement>("[role=alert]");
    screen.getByText(stays);
    fakeServer.on<Contract>(contract, answer);
    await userEvent.click(within(notice!).getByRole("button", { name: "Tentar de novo" }));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    screen.getByText(stays);
  },
);
