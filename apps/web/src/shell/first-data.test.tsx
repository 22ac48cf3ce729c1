/** What a page shows first is requested while its code loads, once. */
import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { readHome } from "@malote/contracts/home";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { features } from "../entries/features.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import type { Feature } from "./feature.ts";

const home = features.flatMap(({ pages }) => pages).find(({ name }) => name === "HomePage");
const empty = { work: [], count: 0, upcoming: [], paying: [] };
const noBatches = {
  data: [],
  summary: { count: 0, value: 0 },
  metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
};

/** The home page, whose code arrives on demand. */
function slowHome() {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  if (!home) throw new Error("no home page");
  const page = { ...home, load: () => arrived.then(home.load) };
  const feature: Feature = { pages: [page] };
  return { arrive: () => act(async () => arrive()), feature };
}

it("the home page's work is requested before its code is there, and not again with it", async () => {
  fakeServer.on(readHome, () => empty);
  const { arrive, feature } = slowHome();
  const app = renderApp("/inicio", { features: [feature] });
  await waitFor(() => expect(fakeServer.calls(readHome)).toHaveLength(1));
  expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
  await arrive();
  await screen.findByText("Nada espera por você");
  await settled(app);
  expect(fakeServer.calls(readHome)).toHaveLength(1);
});

it("SES-070 a failure of what was requested early shows on the page, which reads it again on demand", async () => {
  fakeServer.on(readHome, () => refuse("internal"));
  const { arrive, feature } = slowHome();
  renderApp("/inicio", { features: [feature] });
  await waitFor(() => expect(fakeServer.calls(readHome)).not.toHaveLength(0));
  await arrive();
  await screen.findByText("Não foi possível carregar o que há para fazer");
  fakeServer.on(readHome, () => empty);
  act(() => screen.getByRole("button", { name: "Tentar de novo" }).click());
  await screen.findByText("Nada espera por você");
});

it("nothing is requested for a page that the person may not open", async () => {
  fakeServer.on(readHome, () => empty);
  const { arrive, feature } = slowHome();
  renderApp("/inicio", { features: [feature], session: { permissions: [] } });
  await arrive();
  await screen.findByRole("heading", { name: /não tem permissão/ });
  expect(fakeServer.calls(readHome)).toHaveLength(0);
});

it("BAT-010 the list of batches is requested once, with the filters of its address", async () => {
  fakeServer.on(listBatches, () => noBatches);
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  const app = renderApp("/pagamentos/lotes?mes=2026-02&status=rascunho&busca=12&pagina=abc");
  await screen.findByText("Nenhum lote foi encontrado na sua busca");
  await settled(app);
  const asked = fakeServer.calls(listBatches).map(({ query }) => query);
  expect(asked).toEqual([
    { initialDate: "2026-02-01", endDate: "2026-02-28", page: "0", status: "DRAFT", search: "12" },
  ]);
});
