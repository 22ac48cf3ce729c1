/** Filters of the contestations, as a person chooses them. */
import * as contracts from "@malote/contracts/contestations";
import { analysisNames } from "@malote/domain/infraction";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { infractionOf, listPath, openContestations, serveContestations } from "../testing/contestations.ts";
import { fakeServer } from "../testing/fake-server.ts";

beforeEach(() => serveContestations({ items: () => [infractionOf(1)], accepted: () => true }));

async function openList() {
  const app = openContestations(listPath);
  await screen.findByRole("table", { name: "Contestações" });
  return app;
}
const day = (name: string) => screen.getByRole("textbox", { name });

it("MED-013 MED-015 a chosen status and chosen days change the list", async () => {
  const app = await openList();
  await userEvent.click(screen.getByRole("button", { name: "Status: Todos os status" }));
  expect(screen.getAllByRole("menuitemradio").map(({ textContent }) => textContent)).toEqual([
    "Todos os status",
    ...Object.values(analysisNames),
  ]);
  await userEvent.click(screen.getByRole("menuitemradio", { name: "Atrasada" }));
  await userEvent.type(day("De"), "01112026");
  await userEvent.type(day("Até"), "15112026");
  const chosen =
    "infractionAnalysisStatus=delayed&infractionStartDate=2026-11-01&infractionEndDate=2026-11-15";
  await waitFor(() => expect(app.address()).toBe(`${listPath}?${chosen}`));
  await waitFor(() =>
    expect(fakeServer.calls(contracts.listInfractions).at(-1)?.query).toEqual({
      page_size: "10",
      analysis_status: "delayed",
      infraction_date__gte: "2026-11-01",
      infraction_date__lte: "2026-11-15",
    }),
  );
});

it("MED-015 a day of the filter can be typed, and cleared", async () => {
  const app = await openList();
  await userEvent.type(day("De"), "0111");
  expect(day("De")).toHaveProperty("value", "01/11");
  expect(app.address()).toBe(listPath);
  await userEvent.type(day("De"), "2026");
  await waitFor(() => expect(app.address()).toBe(`${listPath}?infractionStartDate=2026-11-01`));
  expect(day("De")).toHaveProperty("value", "01/11/2026");
  await userEvent.clear(day("De"));
  await waitFor(() => expect(app.address()).toBe(listPath));
  expect(day("De")).toHaveProperty("value", "");
});

it("MED-013 a search or a filter shows its results from the first page on", async () => {
  const app = await openList();
  const asked = () => fakeServer.calls(contracts.listInfractions).at(-1)?.query;
  const wants = async (filter: object) =>
    waitFor(() => expect(asked()).toEqual({ page_size: "10", ...filter }));
  let pages = 0;
  const fromLaterPage = async () => {
    const page_cursor = `older_${++pages}_x`;
    await app.router.navigate({ href: `${listPath}?pageCursor=${page_cursor}` });
    await wants({ page_cursor });
  };
  await fromLaterPage();
  await userEvent.click(screen.getByRole("button", { name: "Status: Todos os status" }));
  await userEvent.click(screen.getByRole("menuitemradio", { name: "Atrasada" }));
  await wants({ analysis_status: "delayed" });
  for (const [name, field] of [
    ["De", "infraction_date__gte"],
    ["Até", "infraction_date__lte"],
  ] as const) {
    await fromLaterPage();
    await userEvent.type(day(name), "01112026");
    await wants({ [field]: "2026-11-01" });
  }
  await fromLaterPage();
  await userEvent.type(screen.getByRole("searchbox", { name: "Documento ou ID Pix" }), "E8888{Enter}");
  await wants({ transaction_id: "E8888" });
});

it("MED-013 MED-017 another page or page size keeps the search and the filters", async () => {
  fakeServer.on(contracts.listInfractions, () => ({
    items: [infractionOf(1)],
    meta: { next: "older_1_x", previous: null },
  }));
  const chosen =
    "searchTerm=E8888&infractionAnalysisStatus=delayed&infractionStartDate=2026-11-01&infractionEndDate=2026-11-15";
  openContestations(`${listPath}?${chosen}`);
  await screen.findByRole("table", { name: "Contestações" });
  const filters = {
    transaction_id: "E8888",
    analysis_status: "delayed",
    infraction_date__gte: "2026-11-01",
    infraction_date__lte: "2026-11-15",
  };
  const wants = async (page: object) =>
    waitFor(() =>
      expect(fakeServer.calls(contracts.listInfractions).at(-1)?.query).toEqual({ ...filters, ...page }),
    );
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Por página" }), "100");
  await wants({ page_size: "100" });
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Próxima" })).toHaveProperty("disabled", false),
  );
  await userEvent.click(screen.getByRole("button", { name: "Próxima" }));
  await wants({ page_size: "100", page_cursor: "older_1_x" });
});

it("MED-017 an address with another page size shows ten infractions", async () => {
  openContestations(`${listPath}?pageSize=15`);
  await screen.findByRole("table", { name: "Contestações" });
  expect(screen.getByRole("combobox", { name: "Por página" })).toHaveProperty("value", "10");
  expect(fakeServer.calls(contracts.listInfractions).map(({ query }) => query)).toEqual([
    { page_size: "10" },
  ]);
});
