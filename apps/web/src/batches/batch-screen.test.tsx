import { enableBatchEdit } from "@malote/contracts/batch-life";
import { readBatch, renameBatch, saveBatch } from "@malote/contracts/batches";
import { readUserSettings } from "@malote/contracts/company";
import { listTransfers, removeTransfers } from "@malote/contracts/transfers";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;

// Loads the screen in advance, so that the first test does not wait for it.
beforeAll(() => Promise.all([import("./batch-modal.tsx"), import("./batch-dialogs.tsx")]));
beforeEach(() => {
  desk = {
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  fakeServer.on(saveBatch, ({ body }) => {
    change({ name: body.name, revision: desk.batch.revision + 1 });
    return desk.batch;
  });
});

const { operator, analyst, openBatch, button, dialog, change } = batchScreen(() => desk);

describe("opening", () => {
  it("BAT-021 BAT-023 opens by the address alone, and closes to the page below it", async () => {
    const user = userEvent.setup();
    const app = openBatch();
    await dialog("Folha 11/2026");
    await user.click(await button("Fechar"));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("BAT-023 SES-027 opens by a modal token in the state of the address, once", async () => {
    const app = renderApp("/pagamentos/lotes");
    await screen.findByRole("heading", { name: "Seus lotes" });
    const modalToken = JSON.stringify({ kind: "openBatch", id: desk.batch.id });
    // SES-027: the query serves only when the history state has no token.
    const another = modalToken.replace(desk.batch.id, "0198f000-0000-7000-8000-0000000000fa");
    const search = { modalToken: another };
    await act(() => app.router.navigate({ to: "/pagamentos/lotes", search, state: { modalToken } } as never));
    await dialog("Folha 11/2026");
    expect(app.address()).toBe(`/pagamentos/lotes?lote=${desk.batch.id}`);
    await userEvent.click(await button("Fechar"));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(app.address()).toBe("/pagamentos/lotes");
  });

  it("BAT-023 opens by a modal token in the query, once", async () => {
    const token = encodeURIComponent(JSON.stringify({ kind: "openBatch", id: desk.batch.id }));
    const app = renderApp(`/pagamentos/lotes?modalToken=${token}`);
    await dialog("Folha 11/2026");
    expect(app.address()).toBe(`/pagamentos/lotes?lote=${desk.batch.id}`);
  });

  it("closes a batch that a card opened by going back in the history", async () => {
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/lotes");
    await user.click(await screen.findByRole("link", { name: "Abrir o lote Folha 11/2026" }));
    await dialog("Folha 11/2026");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    app.history.forward();
    await dialog("Folha 11/2026");
  });

  it("reports what failed and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(readBatch, () => refuse("not_found"));
    openBatch();
    const alert = await screen.findByRole("alert");
    within(alert).getByText(/Não encontramos o que você procura/);
    serveBatch(desk);
    await user.click(within(alert).getByRole("button", { name: "Tentar de novo" }));
    await dialog("Folha 11/2026");
  });

  it.each([
    ["DRAFT", "admin", "Salvar rascunho"],
    ["DRAFT", "operator", "Salvar rascunho"],
    ["WAITING_APPROVAL", "admin", "Aprovar"],
    ["WAITING", "admin", "Editar lote"],
  ] as const)("BAT-021 a batch in %s for an %s offers '%s'", async (status, profile, name) => {
    change({ status });
    openBatch({ session: { profile } });
    await button(name);
  });

  it("BAT-021 BAT-043 an analyst sees a draft without any action", async () => {
    openBatch(analyst);
    await screen.findByText("Marina Lopes");
    for (const name of ["Salvar rascunho", "Fechar lote", "Continuar", "Mais ações", "Adicionar pagamento"]) {
      expect(screen.queryByRole("button", { name })).toBeNull();
    }
  });

  it("BAT-030 shows no sheet, end or return for a batch that had none", async () => {
    change({ status: "RECEIVED", received_date: "2026-11-20T20:00:00.000Z" });
    openBatch();
    const shown = within(await dialog("Folha 11/2026"));
    await shown.findByText("Recebido em");
    const names = shown.getAllByRole("term").map(({ textContent }) => textContent);
    expect(names).toEqual(["Criado em", "Criado por", "Recebido em"]);
    expect(shown.queryByText("Total devolvido")).toBeNull();
  });

  const toRead = ["Baixar relatório", "Baixar comprovantes"];
  it.each([
    ["operator", "DRAFT", ["Renomear lote", "Excluir lote"]],
    ["operator", "WAITING", ["Renomear lote", ...toRead, "Excluir lote"]],
    ["operator", "RECEIVED", ["Renomear lote", ...toRead, "Cancelar lote"]],
    ["analyst", "WAITING", toRead],
    ["analyst", "RECEIVED", toRead],
  ] as const)(
    "BAT-024 BAT-069 BAT-073 shows an %s the menu of a batch in %s with %j",
    async (profile, status, items) => {
      const user = userEvent.setup();
      change({ status });
      desk.byStatus = [{ status: "SCHEDULED", count: 1, value: 123_45 }];
      const app = openBatch({ session: { profile } });
      const more = await button("Mais ações");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      await user.click(more);
      const offered = await screen.findAllByRole("menuitem");
      expect(offered.map(({ textContent }) => textContent)).toEqual(items);
    },
  );

  it("BAT-008 polls every two seconds while the batch is closing, and stops once it is settled", async () => {
    change({ status: "PENDING" });
    openBatch();
    await screen.findByText(/Fechando o lote/);
    change({ status: "FINISHED", paid_count: 1 });
    const shown = within(await dialog("Folha 11/2026"));
    await waitFor(() => shown.getByText("Finalizado"), { timeout: 3_500 });
    const calls = fakeServer.calls(readBatch).length;
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    expect(fakeServer.calls(readBatch)).toHaveLength(calls);
  });

  it("SES-070 stops polling after an error", async () => {
    change({ status: "PENDING" });
    openBatch();
    await screen.findByText(/Fechando o lote/);
    fakeServer.on(readBatch, () => refuse("internal"));
    await waitFor(() => expect(fakeServer.calls(readBatch)).toHaveLength(2), { timeout: 3_500 });
    await new Promise((resolve) => setTimeout(resolve, 2_300));
    expect(fakeServer.calls(readBatch)).toHaveLength(2);
  });
});

describe("form", () => {
  it("BAT-033 FST-001 FST-008 the first step of the wizard shows the page's form, and saving it goes on in the wizard", async () => {
    const user = userEvent.setup();
    desk.filledFirstSteps = false;
    const company = { id: testId(89), name: "Nova", cpfCnpj: "27418639000148", acceptedContract: true };
    fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: true, isTwoFactorEnforced: false }));
    const app = openBatch({ session: { profile: "operator", company } });
    const at = app.address();
    const save = await button("Finalizar cadastro");
    expect(screen.queryByLabelText("Nome do lote")).toBeNull();
    expect(screen.queryByRole("button", { name: "Salvar rascunho" })).toBeNull();
    desk.filledFirstSteps = true;
    await user.click(save);
    await screen.findByLabelText("Nome do lote");
    expect(app.address()).toBe(at);
  });

  it("BAT-043 'Salvar rascunho' sends only the name", async () => {
    const user = userEvent.setup();
    openBatch();
    const field = await screen.findByLabelText("Nome do lote");
    await user.clear(field);
    await user.type(field, "Comissões");
    await user.click(await button("Salvar rascunho"));
    await screen.findByText("Seu rascunho foi salvo!");
    const [sent] = fakeServer.calls(saveBatch);
    expect([sent?.params, sent?.body]).toEqual([{ id: desk.batch.id }, { name: "Comissões" }]);
  });

  it("shows why a save is refused, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => refuse("batch_not_draft"));
    openBatch();
    const field = await screen.findByLabelText<HTMLInputElement>("Nome do lote");
    await user.type(field, " B");
    await user.click(await button("Salvar rascunho"));
    await screen.findByText(/Este lote já não é um rascunho/);
    expect(field.value).toBe("Folha 11/2026 B");
  });

  it.each([
    ["Salvar rascunho", "Ocorreu uma falha ao salvar o lote."],
    ["Fechar lote", "Ocorreu um erro ao salvar o lote."],
  ])("BAT-044 %s shows '%s' when saving fails", async (name, text) => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button(name));
    await screen.findByText(text);
    expect(screen.queryByRole("dialog", { name: "Confirmação" })).toBeNull();
  });

  it("BAT-044 an operator's 'Continuar' reports a failed save, and does not lead to funding", async () => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => refuseWithoutCode());
    const app = openBatch(operator);
    await user.click(await button("Continuar"));
    await screen.findByText("Ocorreu um erro ao salvar o lote.");
    expect(app.address()).not.toContain("etapa");
  });

  it.each([
    ["DRAFT", "admin", "Editar pagamento"],
    ["DRAFT", "operator", "Editar pagamento"],
    ["DRAFT", "analyst", "Detalhes da transferência"],
    ["WAITING", "admin", "Detalhes da transferência"],
    ["WAITING_APPROVAL", "admin", "Detalhes da transferência"],
    ["FINISHED", "operator", "Detalhes da transferência"],
  ] as const)("BAT-040 a card of a batch in %s opens for an %s as '%s'", async (status, profile, title) => {
    const user = userEvent.setup();
    change({ status, payments_count: 2 });
    desk.transfers = [buildTransfer({ to: { name: "Ivo Reis" } }), buildTransfer()];
    const app = openBatch({ session: { profile } });
    await user.click(await button("Marina Lopes"));
    await dialog(title);
    expect(app.address()).toContain(`pagamento=${desk.transfers[1]?.id}`);
  });

  it("BAT-037 shows 50 at a time, and 50 more for each use of the button", async () => {
    const user = userEvent.setup();
    desk.transfers = Array.from({ length: 90 }, (_, at) => buildTransfer({ to: { name: `Pessoa ${at}` } }));
    change({ payments_count: 90 });
    openBatch();
    await screen.findByText("Pessoa 49");
    expect(screen.queryByText("Pessoa 50")).toBeNull();
    await user.click(await button("Mostrar mais transferências"));
    await screen.findByText("Pessoa 89");
    const rows = within(screen.getByRole("list", { name: "Pagamentos do lote" })).getAllByRole("listitem");
    expect(rows).toHaveLength(90);
    expect(rows[89]?.getAttribute("aria-posinset")).toBe("90");
    expect(rows[89]?.getAttribute("aria-setsize")).toBe("90");
    expect(screen.queryByRole("button", { name: "Mostrar mais transferências" })).toBeNull();
  });

  it("BAT-037 shows 50 more for each use of the button, and not all of them at once", async () => {
    const user = userEvent.setup();
    desk.transfers = Array.from({ length: 160 }, () => buildTransfer());
    change({ payments_count: 160 });
    openBatch();
    for (const shown of ["50 de 160", "100 de 160", "150 de 160"]) {
      await screen.findByText(`${shown} transferências`);
      await user.click(await button("Mostrar mais transferências"));
    }
    await screen.findByText("160 transferências", { selector: "[role=status]" });
    expect(screen.queryByRole("button", { name: "Mostrar mais transferências" })).toBeNull();
  });

  it("BAT-036 filters by status and searches 'Dados do pagamento', in the address, beside its cards and buttons", async () => {
    const user = userEvent.setup();
    const app = openBatch();
    await screen.findByText("Marina Lopes");
    await button("Excluir falhas");
    await user.type(await screen.findByRole("searchbox", { name: "Dados do pagamento" }), "marina{Enter}");
    await waitFor(() => expect(app.address()).toContain("dados=marina"));
    await user.click(await button("Status: Status"));
    await user.click(await screen.findByRole("menuitemradio", { name: "Falha" }));
    await waitFor(() => expect(app.address()).toContain("pagamentos=falha"));
    await waitFor(() =>
      expect(fakeServer.calls(listTransfers).at(-1)?.query).toEqual({
        page: "0",
        status: "FAILED",
        search: "marina",
      }),
    );
    await user.click(await button("Adicionar pagamento"));
    await dialog("Criar novo pagamento");
  });

  it("BAT-046 BAT-047 removes failed payments after showing their number", async () => {
    const user = userEvent.setup();
    desk.transfers = [
      buildTransfer({ errors: [{ code: "value_invalid", field: "value" }], value: 200 }),
      buildTransfer(),
    ];
    const wrong = desk.transfers[0]?.id;
    change({ payments_count: 2, errors_count: 1 });
    fakeServer.on(removeTransfers, () => {
      desk.transfers = desk.transfers.slice(1);
      change({ payments_count: 1, errors_count: 0 });
      return { removed: 1 };
    });
    openBatch();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await within(asked).findByText(/1 pagamento com falha/);
    await user.click(within(asked).getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Pagamentos com falha excluídos com sucesso!");
    const [sent] = fakeServer.calls(removeTransfers);
    expect([sent?.params, sent?.body]).toEqual([{ id: desk.batch.id }, { ids: [wrong] }]);
    const offered = () => screen.getByRole("button", { name: "Excluir falhas" });
    await waitFor(() => expect(offered().hasAttribute("disabled")).toBe(true));
  });

  it("BAT-047 reports that removing failed", async () => {
    const user = userEvent.setup();
    desk.transfers = [buildTransfer({ errors: [{ code: "value_invalid", field: "value" }] })];
    change({ errors_count: 1 });
    fakeServer.on(removeTransfers, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await within(asked).findByText(/1 pagamento com falha/);
    await user.click(within(asked).getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Ocorreu um erro ao remover as transferências.");
  });

  it("BAT-046 is disabled while no payment failed", async () => {
    openBatch();
    expect((await button("Excluir falhas")).hasAttribute("disabled")).toBe(true);
  });

  it.each(["WAITING_APPROVAL", "WAITING", "RECEIVED", "FINISHED"] as const)(
    "BAT-046 is hidden in %s, whatever failed",
    async (status) => {
      change({ status, failed_count: 1 });
      const app = openBatch();
      await button("Marina Lopes");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      expect(screen.queryByRole("button", { name: "Excluir falhas" })).toBeNull();
    },
  );

  it("BAT-024 renames the batch", async () => {
    const user = userEvent.setup();
    fakeServer.on(renameBatch, ({ body }) => {
      change({ name: body.name });
      return desk.batch;
    });
    change({ status: "FINISHED" });
    openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Renomear lote" }));
    const asked = await dialog("Renomear lote");
    const field = within(asked).getByLabelText("Nome do lote");
    await user.clear(field);
    await user.type(field, "Folha paga{Enter}");
    await screen.findByText("Nome do lote editado com sucesso!");
    await dialog("Folha paga");
  });
});

describe("naming", () => {
  it("BAT-024 reports that renaming failed, and leaves the dialog open", async () => {
    const user = userEvent.setup();
    fakeServer.on(renameBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Renomear lote" }));
    await user.click(await button("Salvar nome"));
    await screen.findByText("Houve um problema na edição!");
    await dialog("Renomear lote");
    const [sent] = fakeServer.calls(renameBatch);
    expect([sent?.params, sent?.body]).toEqual([{ id: desk.batch.id }, { name: "Folha 11/2026" }]);
  });

  it("BAT-024 reports that returning to the draft failed", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING" });
    fakeServer.on(enableBatchEdit, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Editar lote"));
    await screen.findByText("Houve um problema na edição!");
  });

  it.each(["WAITING_APPROVAL", "PENDING"] as const)(
    "BAT-024 offers no renaming of a batch in %s",
    async (status) => {
      const user = userEvent.setup();
      change({ status });
      openBatch();
      await user.click(await button("Mais ações"));
      await screen.findByRole("menuitem", { name: "Baixar relatório" });
      expect(screen.queryByRole("menuitem", { name: "Renomear lote" })).toBeNull();
    },
  );
});
