import {
  approveBatch,
  type BatchApprovals,
  closeBatch,
  readBatchApprovals,
  rejectBatch,
} from "@malote/contracts/batch-life";
import type { CompanySettings } from "@malote/contracts/company";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
let approvals: BatchApprovals;
beforeEach(() => {
  desk = {
    batch: buildOpenBatch({ status: "WAITING_APPROVAL" }),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  approvals = {
    needed: 2,
    missing: 1,
    digest: "d1",
    asks_for_code: false,
    approvals: [
      { name: "Segunda Admin", at: "2026-11-20T13:00:00Z", counts: true },
      { name: "Antiga Admin", at: "2026-11-19T13:00:00Z", counts: false },
    ],
    may_approve: true,
    has_approved: false,
    why_not: null,
    is_stuck: false,
    prepared_by: ["Rui Tavares (rui@aurora.example)"],
  };
  fakeServer.on(readBatchApprovals, () => approvals);
});

const open = (settings: Partial<CompanySettings> = { asksForApprovals: true }, session = {}) =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`, { settings, session });
const panel = async () => within(await screen.findByRole("region", { name: "Aprovações" }));

it("names who approved, whose approval is outdated, and how many are missing", async () => {
  open();
  const shown = await panel();
  screen.getByText("Preparado por Rui Tavares (rui@aurora.example).");
  shown.getByText("1 de 2 aprovações");
  shown.getByText("1 falta");
  for (const [name, word] of [
    ["Segunda Admin", "Aprovou"],
    ["Antiga Admin", "Não conta mais"],
  ] as const) {
    const line = shown.getByText(name).parentElement as HTMLElement;
    within(line).getByText(word);
  }
  shown.getByText("20/11/2026 10:00");
});

it("announces before the click that a code is required, to the person who has to enter it", async () => {
  const said = "Ao confirmar, você digita o código do aplicativo autenticador.";
  approvals = { ...approvals, asks_for_code: true };
  const { unmount } = open();
  await panel();
  screen.getByText(said);
  unmount();
  approvals = { ...approvals, may_approve: false, has_approved: true, why_not: "Já." };
  open();
  await panel();
  expect(screen.queryByText(said)).toBeNull();
});

it("reports when no approval is missing", async () => {
  approvals = { ...approvals, missing: 0 };
  open();
  const shown = await panel();
  shown.getByText("2 de 2 aprovações");
  shown.getByText("Nenhuma falta");
});

it.each<[string, Partial<BatchApprovals>, string, string]>([
  [
    "a preparer",
    { why_not: "Você preparou este lote." },
    "Você não pode aprovar este lote.",
    "Você preparou este lote.",
  ],
  ["an earlier approver", { has_approved: true, why_not: "Já." }, "Você já aprovou este lote.", "1 falta"],
  [
    "all people, when no approver is left,",
    { is_stuck: true },
    "Ninguém mais pode dar a aprovação que falta.",
    "Um administrador pode incluir aprovadores ou mudar os Controles em Minha empresa.",
  ],
])("shows %s why they may not approve, and offers no approval", async (_who, changes, title, detail) => {
  approvals = { ...approvals, may_approve: false, ...changes };
  open();
  await screen.findByText(title);
  await screen.findByText(detail);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Aprovar" }).disabled).toBe(true);
  expect(screen.queryByText(/pede a sua aprovação/)).toBeNull();
});

it.each([true, false])(
  "BAT-021 BAT-063 BAT-064 an operator named by the company approves what is shown, and sees who is missing (others required: %s)",
  async (asksForApprovals) => {
    fakeServer.on(approveBatch, () => ({ is_batch_paid: false, status: "WAITING_APPROVAL" as const }));
    const user = userEvent.setup();
    open({ asksForApprovals, approvesBatches: true }, { profile: "operator" });
    await panel();
    await user.click(await screen.findByRole("button", { name: "Aprovar" }));
    const question = within(await screen.findByRole("dialog", { name: "Confirmação" }));
    await user.click(question.getByRole("button", { name: "Aprovar lote" }));
    await screen.findByText("Aprovação registrada. Falta a aprovação de outra pessoa.");
    expect(fakeServer.calls(approveBatch).map(({ params, body }) => [params, body])).toEqual([
      [{ id: desk.batch.id }, expect.objectContaining({ revision: desk.batch.revision, digest: "d1" })],
    ]);
    expect(fakeServer.calls(closeBatch)).toEqual([]);
  },
);

it.each([
  [true, "PENDING", "Lote aprovado com sucesso!", /^Fechando o lote/],
  [
    false,
    "WAITING",
    "Lote aprovado com sucesso! Aguardamos o recebimento do valor total do lote",
    /^Aguardamos o recebimento do valor do lote/,
  ],
] as const)(
  "BAT-064 the last approval, by a named operator, closes the batch (paid at once: %s)",
  async (is_batch_paid, status, said, next) => {
    fakeServer.on(approveBatch, () => {
      desk.batch = { ...desk.batch, status };
      return { is_batch_paid, status };
    });
    const user = userEvent.setup();
    open({ approvesBatches: true }, { profile: "operator" });
    await panel();
    await user.click(await screen.findByRole("button", { name: "Aprovar" }));
    const question = within(await screen.findByRole("dialog", { name: "Confirmação" }));
    await user.click(question.getByRole("button", { name: "Aprovar lote" }));
    await screen.findByText(said);
    await screen.findByText(next);
    expect(screen.queryByText(/^Aprovação registrada/)).toBeNull();
  },
);

it("BAT-064 an admin whose approval is not the last one reads that another is missing", async () => {
  fakeServer.on(closeBatch, () => ({ is_batch_paid: false, status: "WAITING_APPROVAL" as const }));
  const user = userEvent.setup();
  open();
  await panel();
  await user.click(await screen.findByRole("button", { name: "Aprovar" }));
  const question = within(await screen.findByRole("dialog", { name: "Confirmação" }));
  await user.click(question.getByRole("button", { name: "Aprovar lote" }));
  await screen.findByText("Aprovação registrada. Falta a aprovação de outra pessoa.");
  expect(fakeServer.calls(closeBatch).map(({ params, body }) => [params, body])).toEqual([
    [{ id: desk.batch.id }, { revision: desk.batch.revision }],
  ]);
  expect(fakeServer.calls(approveBatch)).toEqual([]);
});

it("BAT-063 an admin may reject and edit a batch that they prepared", async () => {
  approvals = { ...approvals, may_approve: false, why_not: "Você preparou este lote." };
  open();
  await screen.findByText("Você não pode aprovar este lote.");
  const isOff = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name }).disabled;
  expect(["Editar lote", "Reprovar", "Aprovar"].map(isOff)).toEqual([false, false, true]);
});

it("BAT-063 BAT-065 an operator named by the company rejects a batch that others prepared, and edits nothing", async () => {
  fakeServer.on(rejectBatch, () => {
    desk.batch = { ...desk.batch, status: "DRAFT", sent_back_by: "person" };
    return desk.batch;
  });
  const user = userEvent.setup();
  open({ approvesBatches: true }, { profile: "operator" });
  await user.click(await screen.findByRole("button", { name: "Reprovar" }));
  expect(screen.queryByRole("button", { name: "Editar lote" })).toBeNull();
  const asked = within(await screen.findByRole("dialog", { name: "Reprovar o lote Folha 11/2026?" }));
  await user.click(asked.getByRole("button", { name: "Reprovar lote" }));
  await screen.findByText("Lote reprovado, o criador do lote receberá um aviso por e-mail");
});

it.each([
  ["a batch of their own", { may_approve: false, why_not: "Você preparou este lote." }, true],
  [
    "a batch of their own that needs no approver",
    { needed: 0, may_approve: false, why_not: "Você preparou este lote." },
    true,
  ],
  ["a batch that they approved", { may_approve: false, has_approved: true }, false],
] as const)("BAT-063 lets an operator reject %s, or not", async (_what, changes, isDisabled) => {
  approvals = { ...approvals, ...changes };
  open({ approvesBatches: true }, { profile: "operator" });
  await screen.findByText(isDisabled ? "Você não pode aprovar este lote." : "Você já aprovou este lote.");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Reprovar" }).disabled).toBe(isDisabled);
});

it("offers no approval until it is known who may approve", async () => {
  const known = Promise.withResolvers<void>();
  fakeServer.on(readBatchApprovals, async () => {
    await known.promise;
    return { ...approvals, may_approve: false, why_not: "Você preparou este lote." };
  });
  const app = open();
  const approve = await screen.findByRole<HTMLButtonElement>("button", { name: "Aprovar" });
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(1));
  expect(approve.disabled).toBe(true);
  expect(screen.queryByText(/pede a sua aprovação/)).toBeNull();
  known.resolve();
  await screen.findByText("Você não pode aprovar este lote.");
  expect(approve.disabled).toBe(true);
});

it("is hidden when the company requires no other person", async () => {
  open({ asksForApprovals: false });
  await screen.findByRole("button", { name: "Aprovar" });
  expect(screen.queryByRole("region", { name: "Aprovações" })).toBeNull();
  expect(fakeServer.calls(readBatchApprovals)).toEqual([]);
});
