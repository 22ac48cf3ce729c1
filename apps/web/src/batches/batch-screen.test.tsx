import {
  closeBatch,
  createBatch,
  deleteBatch,
  downloadBatchReport,
  enableBatchEdit,
  readBatch,
  readHasFailed,
  renameBatch,
  reproveBatch,
  requestBatchReport,
  saveBatch,
  sendBatchToApproval,
} from "@malote/contracts/batches";
import { createCheckpoint, readUserSettings } from "@malote/contracts/company";
import { listTransfers, removeTransfers } from "@malote/contracts/transfers";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const operator = { session: { profile: "operator" as const } };
const analyst = { session: { profile: "analyst" as const } };
const openBatch = (options: Parameters<typeof renderApp>[1] = {}, more = "") =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${more}`, options);
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const dialog = (name: string | RegExp) => screen.findByRole("dialog", { name });
/** As the product does: the copy on screen is what the server says now. */
const change = (patch: Partial<Desk["batch"]>) => {
  desk.batch = { ...desk.batch, ...patch };
};

// What loads when it is opened: the first test would wait for all of it.
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

describe("opening", () => {
  it("BAT-021 BAT-023 opens by the address alone and closes to the page it lies on", async () => {
    const user = userEvent.setup();
    const app = openBatch();
    await dialog("Folha 11/2026");
    await user.click(await button("Fechar"));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("BAT-023 opens by a modal token in the state of the address, once", async () => {
    const app = renderApp("/pagamentos/lotes");
    await screen.findByRole("heading", { name: "Seus lotes" });
    const modalToken = JSON.stringify({ kind: "openBatch", id: desk.batch.id });
    await act(() => app.router.navigate({ to: "/pagamentos/lotes", state: { modalToken } } as never));
    await dialog("Folha 11/2026");
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

  it("opened from a card, closing is going back", async () => {
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/lotes");
    await user.click(await screen.findByRole("link", { name: "Abrir o lote Folha 11/2026" }));
    await dialog("Folha 11/2026");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    app.history.forward();
    await dialog("Folha 11/2026");
  });

  it("says what failed and tries again", async () => {
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

  it("BAT-008 asks every two seconds while the batch is closing, and no more once it is settled", async () => {
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

  it("SES-070 an error stops the asking", async () => {
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
  it("BAT-033 FST-001 without first steps the wizard opens at first steps", async () => {
    desk.filledFirstSteps = false;
    // A company of its own: once filled, first steps are remembered for as long as the page lives.
    const company = { id: testId(88), name: "Nova", cpfCnpj: "27418639000148", acceptedContract: true };
    openBatch({ session: { profile: "operator", company } });
    await dialog("Folha 11/2026");
    await waitFor(() => expect(screen.queryByLabelText("Nome do lote")).toBeNull());
    expect(screen.queryByRole("button", { name: "Salvar rascunho" })).toBeNull();
  });

  it("FST-001 FST-008 the first step of the wizard is the page's form, whose save goes on in the wizard instead of leaving it", async () => {
    const user = userEvent.setup();
    desk.filledFirstSteps = false;
    const company = { id: testId(89), name: "Nova", cpfCnpj: "27418639000148", acceptedContract: true };
    fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: true, isTwoFactorEnforced: false }));
    const app = openBatch({ session: { profile: "operator", company } });
    const at = app.address();
    const save = await button("Finalizar cadastro");
    desk.filledFirstSteps = true;
    await user.click(save);
    await screen.findByLabelText("Nome do lote");
    expect(app.address()).toBe(at);
  });

  it("BAT-004 a batch without a name cannot be saved", async () => {
    const user = userEvent.setup();
    openBatch();
    await user.clear(await screen.findByLabelText("Nome do lote"));
    screen.getByText("Digite um nome para o lote");
    expect((await button("Salvar rascunho")).hasAttribute("disabled")).toBe(true);
  });

  it("BAT-043 'Salvar rascunho' sends the name alone", async () => {
    const user = userEvent.setup();
    openBatch();
    const field = await screen.findByLabelText("Nome do lote");
    await user.clear(field);
    await user.type(field, "Comissões");
    await user.click(await button("Salvar rascunho"));
    await screen.findByText("Seu rascunho foi salvo!");
    expect(fakeServer.calls(saveBatch)[0]?.body).toEqual({ name: "Comissões" });
  });

  it("a save that is refused says why and keeps what was typed", async () => {
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
  ])("BAT-044 %s, when saving fails, says '%s'", async (name, text) => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button(name));
    await screen.findByText(text);
    expect(screen.queryByRole("dialog", { name: "Confirmação" })).toBeNull();
  });

  it("BAT-044 an operator's 'Continuar', when saving fails, says so and leads to no funding", async () => {
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
    ["FINISHED", "operator", "Detalhes da transferência"],
  ] as const)("BAT-040 a card of a batch in %s opens for an %s as '%s'", async (status, profile, title) => {
    const user = userEvent.setup();
    change({ status });
    openBatch({ session: { profile } });
    await user.click(await button("Marina Lopes"));
    await dialog(title);
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

  it("BAT-036 filters by status and searches 'Dados do pagamento', in the address", async () => {
    const user = userEvent.setup();
    const app = openBatch();
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
  });

  it("BAT-046 BAT-047 removes failed payments after saying how many", async () => {
    const user = userEvent.setup();
    desk.transfers = [
      buildTransfer({ errors: [{ code: "value_invalid", field: "value" }], value: 200 }),
      buildTransfer(),
    ];
    change({ payments_count: 2, errors_count: 1 });
    fakeServer.on(removeTransfers, () => ({ removed: 1 }));
    openBatch();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await within(asked).findByText(/1 pagamento com falha/);
    await user.click(within(asked).getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Pagamentos com falha excluídos com sucesso!");
    expect(fakeServer.calls(removeTransfers)[0]?.body).toEqual({ ids: [desk.transfers[0]?.id] });
  });

  it("BAT-047 says that removing failed", async () => {
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

  it("BAT-046 is disabled while nothing failed", async () => {
    openBatch();
    expect((await button("Excluir falhas")).hasAttribute("disabled")).toBe(true);
  });

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
  it("BAT-024 says that renaming failed, and asks on", async () => {
    const user = userEvent.setup();
    fakeServer.on(renameBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Renomear lote" }));
    await user.click(await button("Salvar nome"));
    await screen.findByText("Houve um problema na edição!");
    await dialog("Renomear lote");
    expect(fakeServer.calls(renameBatch)[0]?.body).toEqual({ name: "Folha 11/2026" });
  });

  it("BAT-024 says that going back to edit failed", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING" });
    fakeServer.on(enableBatchEdit, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Editar lote"));
    await screen.findByText("Houve um problema na edição!");
  });

  it("a batch that an approver looks at keeps its name", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING_APPROVAL" });
    openBatch();
    await user.click(await button("Mais ações"));
    await screen.findByRole("menuitem", { name: "Baixar relatório" });
    expect(screen.queryByRole("menuitem", { name: "Renomear lote" })).toBeNull();
  });
});

describe("closing", () => {
  beforeEach(() => {
    fakeServer.on(closeBatch, () => {
      change({ status: "RECEIVED" });
      return { is_batch_paid: true, status: "PENDING" as const };
    });
  });

  it("BAT-045 BAT-053 BAT-056 BAT-057 saves, confirms with name, number and total, and closes once", async () => {
    const user = userEvent.setup();
    openBatch();
    await user.click(await button("Fechar lote"));
    const asked = await dialog("Confirmação");
    expect(asked.textContent).toContain("Folha 11/2026 com 1 pagamento, no total de R$ 123,45");
    await user.dblClick(within(asked).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Lote de pagamentos fechado com sucesso!");
    const calls = fakeServer.calls(closeBatch);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.body).toEqual({ revision: 2 });
    expect(calls[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("BAT-057 says that closing failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(closeBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Ocorreu uma falha ao fechar o lote.");
  });

  it("BAT-061 says that sending to approval failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(sendBatchToApproval, () => refuseWithoutCode());
    openBatch(operator);
    await user.click(await button("Continuar"));
    await user.click(await button("Enviar para aprovação"));
    await screen.findByText("Ocorreu um erro ao enviar lote para aprovação.");
    await button("Enviar para aprovação");
  });

  it("BAT-058 shows an operator where balance is sent, also where it suffices", async () => {
    const user = userEvent.setup();
    openBatch(operator);
    await user.click(await button("Continuar"));
    await screen.findByText("O saldo atual cobre este lote.");
    screen.getByText("Total a enviar");
    await screen.findByText("financeiro@aurora.exemplo");
  });

  it("BAT-057 a retry after a lost answer repeats the same key", async () => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => desk.batch);
    fakeServer.on(closeBatch, () => refuse("unavailable"));
    openBatch();
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText(/Estamos nos recuperando/);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirmação" })).toBeNull());
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await waitFor(() => expect(fakeServer.calls(closeBatch)).toHaveLength(2));
    const keys = fakeServer.calls(closeBatch).map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toBe(keys[1]);
  });

  it("BAT-055 does not close while a payment is wrong, and shows which", async () => {
    const user = userEvent.setup();
    desk.transfers = [buildTransfer({ errors: [{ code: "value_invalid", field: "value" }] })];
    change({ errors_count: 1 });
    openBatch();
    await user.click(await button("Fechar lote"));
    await screen.findByText("Corrija o pagamento com erro antes de continuar.");
    expect(fakeServer.calls(saveBatch)).toHaveLength(0);
  });

  it("BAT-045 BAT-054 BAT-058 too little balance leads an admin to funding", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    const app = openBatch();
    await user.click(await button("Continuar"));
    await screen.findByRole("heading", { name: "Quase tudo pronto para finalizar o pagamento." });
    expect(app.address()).toContain("etapa=envio");
    const figure = (label: string) => screen.getByText(label).parentElement?.textContent;
    expect(figure("Total a enviar")).toMatch(/^Total a enviarR\$\s123,45$/);
    expect(figure("Saldo atual")).toMatch(/^Saldo atualR\$\s1,00$/);
    const ways = within(await screen.findByRole("region", { name: "Como enviar o saldo" }));
    await ways.findByText("financeiro@aurora.exemplo");
    await user.click(ways.getByRole("button", { name: "Conta bancária" }));
    expect(ways.queryByText("financeiro@aurora.exemplo")).toBeNull();
    ways.getByText("Agência");
    await user.click(ways.getByRole("button", { name: "Pix" }));
    await ways.findByText("financeiro@aurora.exemplo");
    await user.click(await button("Pronto para pagar"));
    await dialog("Confirmação");
    await user.keyboard("{Escape}");
    await user.click(await button("Cancelar"));
    await screen.findByLabelText("Nome do lote");
  });

  it("BAT-060 a batch not paid at once goes on to wait for its money", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    fakeServer.on(closeBatch, () => {
      change({ status: "WAITING" });
      return { is_batch_paid: false, status: "WAITING" as const };
    });
    openBatch();
    await user.click(await button("Continuar"));
    await user.click(await button("Pronto para pagar"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Aguardamos o recebimento do valor do lote.");
  });

  it("BAT-054 BAT-059 BAT-061 operators always go to funding and send to approval", async () => {
    const user = userEvent.setup();
    fakeServer.on(sendBatchToApproval, () => {
      change({ status: "WAITING_APPROVAL" });
      return desk.batch;
    });
    openBatch(operator);
    await user.click(await button("Continuar"));
    expect(screen.queryByRole("button", { name: "Pronto para pagar" })).toBeNull();
    await user.click(await button("Enviar para aprovação"));
    await screen.findByText("Lote enviado para aprovação.");
    expect(fakeServer.calls(sendBatchToApproval)[0]?.body).toEqual({ revision: 2 });
  });

  it("SHL-016 copies the Pix code", async () => {
    const user = userEvent.setup();
    desk.balance = 0;
    openBatch({}, "&etapa=envio");
    await user.click(await button(/Copiar o código Pix da chave/));
    await screen.findByText("Código copiado e pronto para uso!");
    expect(await navigator.clipboard.readText()).toBe("00020126PIX");
  });
});

describe("approval and waiting", () => {
  it.each([
    [true, "Lote aprovado com sucesso!"],
    [false, "Lote aprovado com sucesso! Aguardamos o recebimento do valor total do lote"],
  ])("BAT-063 BAT-064 approving, paid at once: %s", async (is_batch_paid, text) => {
    const user = userEvent.setup();
    change({ status: "WAITING_APPROVAL" });
    fakeServer.on(closeBatch, () => {
      change({ status: is_batch_paid ? "FINISHED" : "WAITING" });
      return { is_batch_paid, status: is_batch_paid ? ("PENDING" as const) : ("WAITING" as const) };
    });
    openBatch();
    await user.click(await button("Aprovar"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Aprovar lote" }));
    await screen.findByText(text);
    await waitFor(() => expect(screen.queryByRole("button", { name: "Aprovar" })).toBeNull());
    const waits = screen.queryByText("Aguardamos o recebimento do valor do lote.");
    if (is_batch_paid) {
      expect(waits).toBeNull();
      expect(screen.getAllByText("Finalizado").length).toBeGreaterThan(0);
    } else expect(waits).not.toBeNull();
  });

  it.each([
    ["admin", ["Editar lote", "Reprovar", "Aprovar"]],
    ["operator", []],
    ["analyst", []],
  ] as const)(
    "BAT-063 what waits for an approval is decided or edited by an admin: %s",
    async (profile, names) => {
      change({ status: "WAITING_APPROVAL" });
      const app = openBatch({ session: { profile } });
      await screen.findAllByText("Marina Lopes");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      const decisions = ["Editar lote", "Reprovar", "Aprovar"];
      const offered = screen
        .queryAllByRole("button")
        .map(({ textContent }) => textContent ?? "")
        .filter((name) => decisions.includes(name));
      expect(offered).toEqual(names);
    },
  );

  it("BAT-065 BAT-066 reproves with a reason of at most 255 characters", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING_APPROVAL" });
    fakeServer.on(reproveBatch, () => {
      change({ status: "DRAFT", reprove_reason: "Valores errados", sent_back_by: "person" });
      return desk.batch;
    });
    openBatch();
    await user.click(await button("Reprovar"));
    const asked = await dialog("Reprovar o lote Folha 11/2026?");
    const reason = within(asked).getByLabelText<HTMLTextAreaElement>("Motivo (opcional)");
    expect(reason.maxLength).toBe(255);
    await user.type(reason, "Valores errados");
    await user.click(within(asked).getByRole("button", { name: "Reprovar lote" }));
    await screen.findByText("Lote reprovado, o criador do lote receberá um aviso por e-mail");
    expect(fakeServer.calls(reproveBatch)[0]?.body).toEqual({ reason: "Valores errados" });
    await screen.findByText("Este lote foi reprovado");
  });

  it("says of a draft that came back who or what sent it, with and without a reason", async () => {
    change({ status: "DRAFT", sent_back_by: "person", reprove_reason: null });
    const { unmount } = openBatch();
    await screen.findByText("Este lote foi reprovado");
    unmount();
    change({ sent_back_by: "system", reprove_reason: "Um recebedor foi bloqueado." });
    openBatch();
    await screen.findByText("Este lote voltou a ser rascunho e não foi pago");
    screen.getByText("Um recebedor foi bloqueado.");
    expect(screen.queryByText("Este lote foi reprovado")).toBeNull();
  });

  it("BAT-067 'Editar lote' makes it a draft again", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING" });
    fakeServer.on(enableBatchEdit, () => {
      change({ status: "DRAFT" });
      return desk.batch;
    });
    openBatch();
    await user.click(await button("Editar lote"));
    await screen.findByLabelText("Nome do lote");
  });

  it.each([
    ["admin", ["Editar lote", "Excluir lote"], []],
    ["operator", ["Excluir lote"], ["Editar lote"]],
    ["analyst", [], ["Editar lote", "Excluir lote"]],
  ] as const)(
    "BAT-031 the view of a batch that waits holds for an %s its total, where to send balance, its payments to be read, and %j",
    async (profile, offered, lacking) => {
      const user = userEvent.setup();
      desk.balance = 0;
      change({ status: "WAITING" });
      openBatch({ session: { profile } });
      const shown = within(await dialog("Folha 11/2026"));
      await shown.findByText("Aguardamos o recebimento do valor do lote.");
      await shown.findByText("financeiro@aurora.exemplo");
      expect(shown.getAllByText(/123,45/).length).toBeGreaterThan(0);
      for (const name of offered) shown.getByRole("button", { name });
      for (const name of [...lacking, "Adicionar pagamento", "Excluir falhas", "Salvar rascunho"])
        expect(shown.queryByRole("button", { name })).toBeNull();
      await user.click(shown.getByRole("button", { name: "Marina Lopes" }));
      await dialog("Detalhes da transferência");
    },
  );

  it("BAT-070 says that deleting failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(deleteBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Excluir lote" }));
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Ocorreu uma falha ao excluir o lote.");
    await dialog("Folha 11/2026");
  });

  it("BAT-070 a draft is deleted with an exclamation mark", async () => {
    const user = userEvent.setup();
    fakeServer.on(deleteBatch, () => {
      fakeServer.on(readBatch, () => refuse("not_found"));
      return { ok: true as const };
    });
    const app = openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Excluir lote" }));
    const asked = fakeServer.calls(readBatch).length;
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Lote excluído com sucesso!");
    // The answer would be that it is gone, in the place of what says that it was deleted.
    expect(fakeServer.calls(readBatch)).toHaveLength(asked);
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("BAT-068 SES-051 an operator gets no 'Editar lote' on a waiting batch, but may delete it", async () => {
    change({ status: "WAITING" });
    openBatch(operator);
    await button("Excluir lote");
    expect(screen.queryByRole("button", { name: "Editar lote" })).toBeNull();
  });

  it("SES-051 an analyst gets no 'Editar lote' on a waiting batch, and an admin does", async () => {
    change({ status: "WAITING" });
    const { unmount } = openBatch(analyst);
    await screen.findByText("Aguardamos o recebimento do valor do lote.");
    expect(screen.queryByRole("button", { name: "Editar lote" })).toBeNull();
    unmount();
    openBatch();
    await button("Editar lote");
  });

  it.each([operator, analyst])(
    "SES-051 nobody but an admin approves, reproves or edits a batch that awaits approval: %o",
    async (session) => {
      change({ status: "WAITING_APPROVAL" });
      const admin = openBatch();
      for (const name of ["Aprovar", "Reprovar", "Editar lote"]) await button(name);
      admin.unmount();
      openBatch(session);
      await screen.findByText("Marina Lopes");
      for (const name of ["Aprovar", "Reprovar", "Editar lote"])
        expect(screen.queryByRole("button", { name })).toBeNull();
    },
  );

  it.each([operator, analyst])(
    "SES-051 'Fechar lote' and 'Pronto para pagar' are an admin's, whatever the balance: %o",
    async (session) => {
      const open = async (given: typeof operator | object, name: string) => {
        const { unmount } = openBatch(given, name === "Pronto para pagar" ? "&etapa=envio" : "");
        // Analysts have no wizard: whatever the address says, they read the draft.
        const isFunding = name === "Pronto para pagar" && given !== analyst;
        await screen.findByText(isFunding ? /finalizar o pagamento/ : "Marina Lopes");
        const found = screen.queryByRole("button", { name });
        unmount();
        return found !== null;
      };
      for (const balance of [0, 99_000_000]) {
        desk.balance = balance;
        for (const name of ["Fechar lote", "Pronto para pagar"])
          expect(await open(session, name)).toBe(false);
      }
      expect(await open({}, "Fechar lote")).toBe(true);
    },
  );

  it("BAT-069 BAT-070 BAT-072 deletes after naming the batch, and keeps its receivers", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING" });
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    const app = openBatch();
    await user.click(await button("Excluir lote"));
    const asked = await dialog("Excluir lote");
    within(asked).getByText("Folha 11/2026");
    await user.click(within(asked).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Lote excluído com sucesso");
    expect(fakeServer.calls(deleteBatch)[0]?.query).toEqual({ removeDestinationBankAccounts: "false" });
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("BAT-052 cancelling a batch that was just imported asks first, because it removes the batch", async () => {
    const user = userEvent.setup();
    change({ was_imported: true });
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    const app = openBatch();
    await user.click(await button("Cancelar importação"));
    const asked = await dialog("Excluir lote");
    within(asked).getByText(/A importação será cancelada e o lote/);
    await user.click(within(asked).getByRole("button", { name: "Cancelar" }));
    expect(fakeServer.calls(deleteBatch)).toHaveLength(0);
    await user.click(await button("Cancelar importação"));
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(fakeServer.calls(deleteBatch)).toHaveLength(1);
  });

  it("BAT-052 a batch saved since is no import any more, and offers no such thing", async () => {
    openBatch();
    await button("Salvar rascunho");
    expect(screen.queryByRole("button", { name: "Cancelar importação" })).toBeNull();
  });

  it.each([true, false])("BAT-026 asks whether the red alert is due, and shows it: %s", async (data) => {
    change({ status: "FINISHED", has_failed_or_returned_transfers: !data });
    fakeServer.on(readHasFailed, () => ({ data }));
    openBatch();
    await waitFor(() => expect(fakeServer.calls(readHasFailed)).toHaveLength(1));
    await waitFor(() =>
      expect(screen.queryByText("Alguns pagamentos não foram realizados!") !== null).toBe(data),
    );
  });

  it("BAT-025 BAT-027 FST-024 the red alert leads to the report, fetched with the session's token", async () => {
    const user = userEvent.setup();
    change({ status: "FINISHED", has_failed_or_returned_transfers: true, returned_count: 1 });
    fakeServer.on(requestBatchReport, () => ({ url: "/api/payments/batch/x/report" }));
    fakeServer.on(downloadBatchReport, () => "bytes");
    const saved = watchSavedFiles();
    openBatch();
    await screen.findByText("Alguns pagamentos não foram realizados!");
    const timers = vi.spyOn(globalThis, "setTimeout");
    await user.click(await button("Baixar relatório"));
    await screen.findByText("Seu relatório está sendo gerado.");
    // Ten seconds, and then it goes.
    const dismiss = timers.mock.calls.find(([, ms]) => ms === 10_000)?.[0];
    timers.mockRestore();
    if (typeof dismiss !== "function") throw new Error("the toast does not stay ten seconds");
    act(() => dismiss());
    expect(screen.queryByText("Seu relatório está sendo gerado.")).toBeNull();
    await waitFor(() => expect(saved).toEqual(["folha-11-2026-relatorio.xlsx"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
    expect(fakeServer.calls(downloadBatchReport)[0]?.headers.get("authorization")).toMatch(/^Bearer /);
  });

  it("BAT-039 an empty draft asks for its first payment at once, and only once", async () => {
    const user = userEvent.setup();
    desk.transfers = [];
    change({ payments_count: 0, value: 0 });
    openBatch();
    await dialog("Criar novo pagamento");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    await button("Adicionar pagamento");
    expect(fakeServer.calls(createBatch)).toHaveLength(0);
  });
});
