import type { Contract } from "@malote/contracts/contract";
import { type FileKindName, listFiles } from "@malote/contracts/files";
import { countWork } from "@malote/contracts/home";
import {
  listNotifications,
  markNotificationsSeen,
  type NotificationItem,
} from "@malote/contracts/notifications";
import { downloadReceipts } from "@malote/contracts/receipts";
import { downloadReport } from "@malote/contracts/reports";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "../shell/feature.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { notifications } from "./feature.ts";

const batchId = "0198f000-0000-7000-8000-000000000b01";
const buildNotification = (given: Partial<NotificationItem> = {}): NotificationItem => ({
  position: 7,
  kind: "batch.approved",
  at: "2026-08-12T12:00:00.000Z",
  object_id: batchId,
  batch: { id: batchId, name: "Folha", is_own: true, paid_count: 3, failed_count: 0 },
  amount: null,
  by: "Helena Prado",
  about: null,
  is_new: true,
  ...given,
});
const buildFile = (kind: FileKindName, state: "making" | "ready" | "failed" | "expired") => ({
  id: `0198f000-0000-7000-8000-0000000${`${state.length}${kind.length}`.padStart(5, "0")}`,
  kind,
  name: `${kind}.csv`,
  state,
  rows_count: 1,
  requested_at: "2026-08-12T12:00:00.000Z",
  expires_at: "2026-08-19T12:00:00.000Z",
});

const lotes = page("BatchesPage", { title: "Lotes", load: async () => ({ default: () => null }) });
const features = [{ pages: [lotes] }, notifications];

async function openBell() {
  const user = userEvent.setup();
  const app = renderApp("/pagamentos/lotes", { features });
  await user.click(await screen.findByRole("button", { name: /^Arquivos e avisos/ }));
  return { user, app, panel: within(await screen.findByRole("dialog", { name: "Arquivos e avisos" })) };
}

beforeEach(() => {
  fakeServer.on(countWork, () => ({ count: 0 }));
  fakeServer.on(markNotificationsSeen, () => ({ ok: true as const }));
});

describe("the bell", () => {
  it("counts open work and new notifications, and announces both", async () => {
    fakeServer.on(countWork, () => ({ count: 2 }));
    fakeServer.on(listNotifications, () => ({ data: [buildNotification()], unseen: 1 }));
    renderApp("/pagamentos/lotes", { features });
    const button = await screen.findByRole("button", {
      name: "Arquivos e avisos, 3: 2 itens para fazer e 1 aviso novo",
    });
    expect(button.textContent).toContain("3");
  });

  it("marks the notifications as seen on opening, and keeps the marks of new ones until it is closed", async () => {
    fakeServer.on(listNotifications, () => ({
      data: [buildNotification(), buildNotification({ position: 6, is_new: false })],
      unseen: 1,
    }));
    const { panel } = await openBell();
    panel.getByText("Novo:");
    panel.getAllByText(/Helena Prado aprovou o lote “Folha”/);
    await waitFor(() => expect(fakeServer.calls(markNotificationsSeen)[0]?.body).toEqual({ position: 7 }));
    await screen.findByRole("button", { name: "Arquivos e avisos" });
    panel.getByText("Novo:");
  });

  it("links from a notification to its object, and closes", async () => {
    fakeServer.on(listNotifications, () => ({ data: [buildNotification()], unseen: 0 }));
    const { user, app, panel } = await openBell();
    await user.click(panel.getByRole("link", { name: /Helena Prado aprovou/ }));
    expect(app.address()).toBe(`/pagamentos/lotes?lote=${batchId}`);
    expect(screen.queryByRole("dialog", { name: "Arquivos e avisos" })).toBeNull();
  });

  it.each<[Partial<NotificationItem>, string]>([
    [{ kind: "batch.rejected", about: "Falta a nota" }, "Helena Prado reprovou o lote “Folha”Falta a nota"],
    [{ kind: "batch.settled", by: null }, "Terminou o lote “Folha”3 pagamentos feitos"],
    [
      {
        kind: "batch.settled",
        batch: { id: batchId, name: "Folha", is_own: false, paid_count: 2, failed_count: 1 },
      },
      "Terminou o lote “Folha”, com 1 falha2 pagamentos feitos",
    ],
    [{ kind: "batch.closed", batch: null }, "Helena Prado fechou um lote que foi excluído"],
    [
      { kind: "payin.doubled", batch: null, amount: 12_34, about: "Ivo" },
      "Recebido em dobro: pagamento de R$",
    ],
  ])("describes in words what happened: %o", async (given, words) => {
    fakeServer.on(listNotifications, () => ({
      data: [buildNotification({ ...given, is_new: false })],
      unseen: 0,
    }));
    const { panel } = await openBell();
    expect((await panel.findByRole("listitem")).textContent).toContain(words);
  });

  it.each([
    ["pix_key.asked_for", "+5511987654321", "Outra instituição pediu a chave (11) 98765-4321"],
    ["pix_key.asked_for", "27418639000148", "Outra instituição pediu a chave 27.418.639/0001-48"],
    ["pix_key.lost", "+5511987654321", "A chave (11) 98765-4321 passou para outra instituição"],
    ["pix_key.lost", "rh@aurora.example", "A chave rh@aurora.example passou para outra instituição"],
  ] as const)("PIX-003 PIX-009 names the key of %s, %s, as people write it", async (kind, about, title) => {
    const given = { kind, about, batch: null, by: null, is_new: false };
    fakeServer.on(listNotifications, () => ({ data: [buildNotification(given)], unseen: 0 }));
    const { panel } = await openBell();
    expect((await panel.findByRole("listitem")).textContent).toContain(title);
  });

  it("lists the person's files with their state, and downloads a ready one", async () => {
    fakeServer.on(listFiles, () => ({
      data: [
        buildFile("statement_csv", "ready"),
        buildFile("receipts", "failed"),
        buildFile("payouts", "expired"),
      ],
    }));
    fakeServer.on(downloadReport, () => "a;b");
    const saved = watchSavedFiles();
    const { user, panel } = await openBell();
    await user.click(panel.getByRole("button", { name: "Arquivos" }));
    await panel.findByText("statement_csv.csv");
    panel.getByText(/Disponível até 19\/08\/2026/);
    panel.getByText(/Não foi possível preparar: peça de novo/);
    panel.getByText(/O prazo para baixar acabou: peça de novo/);
    await user.click(panel.getByRole("button", { name: "Baixar statement_csv.csv" }));
    await waitFor(() => expect(saved).toEqual(["statement_csv.csv"]));
  });

  it.each([
    ["receipts", downloadReceipts, "HAS_DOWNLOADED_RECEIPTS"],
    ["payouts", downloadReport, "HAS_DOWNLOADED_REPORT"],
  ] as const)(
    "FST-024 records the checkpoint of %s when that file is downloaded here",
    async (kind, contract, mark) => {
      fakeServer.on(listFiles, () => ({ data: [buildFile(kind, "ready")] }));
      fakeServer.on<Contract>(contract, () => "content");
      const { user, panel } = await openBell();
      await user.click(panel.getByRole("button", { name: "Arquivos" }));
      await user.click(await panel.findByRole("button", { name: `Baixar ${kind}.csv` }));
      await waitFor(() => expect(recordedMarks()).toEqual([mark]));
    },
  );

  it("explains an empty list, and reports when it could not be read", async () => {
    const { panel, app } = await openBell();
    panel.getByText(/Nenhum aviso/);
    app.unmount();
    fakeServer.on(listNotifications, () => refuse("internal"));
    const again = await openBell();
    await again.panel.findByText("Não foi possível carregar os avisos");
  });
});
