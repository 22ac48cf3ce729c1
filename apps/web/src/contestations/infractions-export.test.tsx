import { createCheckpoint } from "@malote/contracts/company";
import * as contracts from "@malote/contracts/contestations";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  button,
  idOf,
  infractionOf,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";

async function openList(made: contracts.Infraction[], address = listPath) {
  items = made;
  const app = openContestations(address);
  await screen.findByRole("table", { name: "Contestações" });
  return app;
}
let items: contracts.Infraction[];
beforeEach(() => {
  items = [];
  serveContestations({ items: () => items, accepted: () => true });
});

describe("the export", () => {
  const exported = (status: contracts.InfractionExport["status"]): contracts.InfractionExport => ({
    id: idOf(9),
    status,
    file_url: status === "succeeded" ? "/x" : null,
    file_name: "Infrações.csv",
  });

  it("MED-024 MED-025 FST-024 requests the filters of the list, polls every 2 seconds and saves the file", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let looks = 0;
    const { promise: held, resolve: letThrough } = Promise.withResolvers<void>();
    fakeServer.on(contracts.exportInfractions, async () => {
      await held;
      return exported("processing");
    });
    fakeServer.on(contracts.readInfractionExport, () => exported(++looks < 3 ? "processing" : "succeeded"));
    fakeServer.on(contracts.downloadInfractionExport, () => "Data;Prazo");
    const saved = watchSavedFiles();
    await openList(
      [infractionOf(1)],
      `${listPath}?infractionAnalysisStatus=pending&infractionStartDate=2026-11-01&infractionEndDate=2026-11-30&searchTerm=529.982.247-25`,
    );
    await user.click(button("Exportar"));
    const busy = () => screen.getByRole("button", { name: "Exportando..." });
    await screen.findByRole("button", { name: "Exportando..." });
    expect(looks).toBe(0);
    letThrough();
    await waitFor(() => expect(looks).toBe(1));
    busy();
    await vi.advanceTimersByTimeAsync(1_900);
    expect(looks).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(looks).toBe(2);
    busy();
    await vi.advanceTimersByTimeAsync(2_100);
    await screen.findByRole("button", { name: "Exportar" });
    await waitFor(() => expect(fakeServer.calls(contracts.downloadInfractionExport)).toHaveLength(1));
    await waitFor(() => expect(saved).toEqual(["Infrações.csv"]));
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_REPORT"]));
    for (const call of [contracts.readInfractionExport, contracts.downloadInfractionExport])
      for (const { params } of fakeServer.calls(call)) expect(params).toEqual({ id: idOf(9) });
    expect(fakeServer.calls(contracts.exportInfractions)[0]?.body).toEqual({
      analysis_status: "pending",
      payer_tax_id: "52998224725",
      infraction_date__gte: "2026-11-01",
      infraction_date__lte: "2026-11-30",
    });
    vi.useRealTimers();
  });

  it("MED-024 requests the Pix of the search, and neither the page nor its size", async () => {
    const search = "searchTerm=E8888-8801&pageCursor=older_1_x&pageSize=50";
    await openList([infractionOf(1)], `${listPath}?${search}`);
    fakeServer.on(contracts.exportInfractions, () => refuseWithoutCode());
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    expect(fakeServer.calls(contracts.exportInfractions).map(({ body }) => body)).toEqual([
      { transaction_id: "E88888801" },
    ]);
  });

  it("MED-025 reports that it could not be requested", async () => {
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => refuseWithoutCode());
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    expect(fakeServer.calls(contracts.readInfractionExport)).toEqual([]);
  });

  it("MED-025 reports that creating it failed", async () => {
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => exported("processing"));
    fakeServer.on(contracts.readInfractionExport, () => exported("failed"));
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    await screen.findByRole("button", { name: "Exportar" });
    expect(fakeServer.calls(contracts.downloadInfractionExport)).toEqual([]);
  });

  it("MED-025 reports that it could not be polled, and stops polling", async () => {
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => exported("processing"));
    fakeServer.on(contracts.readInfractionExport, () => refuseWithoutCode());
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    await screen.findByRole("button", { name: "Exportar" });
    expect(fakeServer.calls(contracts.downloadInfractionExport)).toEqual([]);
  });

  it("MED-025 reports that the file could not be downloaded", async () => {
    const saved = watchSavedFiles();
    await openList([infractionOf(1)]);
    fakeServer.on(contracts.exportInfractions, () => exported("succeeded"));
    fakeServer.on(contracts.readInfractionExport, () => exported("succeeded"));
    fakeServer.on(contracts.downloadInfractionExport, () => refuseWithoutCode());
    await userEvent.click(button("Exportar"));
    await screen.findByText("Ocorreu um erro ao tentar exportar as infrações");
    await screen.findByRole("button", { name: "Exportar" });
    expect(saved).toEqual([]);
  });

  it("FST-024 the link of the e-mail offers the file", async () => {
    fakeServer.on(contracts.readInfractionExport, () => exported("succeeded"));
    fakeServer.on(contracts.downloadInfractionExport, () => "Data;Prazo");
    await openList([infractionOf(1)], `${listPath}?exportacao=${idOf(9)}`);
    const saved = watchSavedFiles();
    await userEvent.click(await screen.findByRole("button", { name: "Baixar lista" }));
    await waitFor(() => expect(saved).toEqual(["Infrações.csv"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
  });
});
