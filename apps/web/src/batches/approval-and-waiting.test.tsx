import { closeBatch, deleteBatch, enableBatchEdit, rejectBatch } from "@malote/contracts/batch-life";
import {
  createBatch,
  downloadBatchReport,
  listBatches,
  readBatch,
  readHasFailed,
  requestBatchReport,
  saveBatch,
} from "@malote/contracts/batches";
import { createCheckpoint } from "@malote/contracts/company";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";
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

describe("approval and waiting", () => {
  it.each([
    [true, "Lote aprovado com sucesso!"],
    [false, "Lote aprovado com sucesso! Aguardamos o recebimento do valor total do lote"],
  ])("BAT-063 BAT-064 approves a batch and pays it at once: %s", async (is_batch_paid, text) => {
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
    "BAT-063 lets an admin decide or edit a batch that awaits approval: %s",
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

  it("BAT-063 lets an admin decide or edit a batch of boletos too", async () => {
    change({ status: "WAITING_APPROVAL", type: "BILLET" });
    desk.boletos = [];
    openBatch();
    for (const name of ["Editar lote", "Reprovar", "Aprovar"]) await button(name);
  });

  it("BAT-065 BAT-066 rejects with a reason of at most 255 characters", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING_APPROVAL" });
    fakeServer.on(rejectBatch, () => {
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
    const [sent] = fakeServer.calls(rejectBatch);
    expect([sent?.params, sent?.body]).toEqual([{ id: desk.batch.id }, { reason: "Valores errados" }]);
    await screen.findByText("Este lote foi reprovado");
  });

  it("BAT-066 rejects without a reason", async () => {
    const user = userEvent.setup();
    change({ status: "WAITING_APPROVAL" });
    fakeServer.on(rejectBatch, () => {
      change({ status: "DRAFT", sent_back_by: "person" });
      return desk.batch;
    });
    openBatch();
    await user.click(await button("Reprovar"));
    const asked = within(await dialog("Reprovar o lote Folha 11/2026?"));
    await user.click(asked.getByRole("button", { name: "Reprovar lote" }));
    await screen.findByText("Lote reprovado, o criador do lote receberá um aviso por e-mail");
    expect(fakeServer.calls(rejectBatch)[0]?.body).toEqual({});
  });

  it("shows on a returned draft who or what sent it back, with and without a reason", async () => {
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

  it.each(["WAITING", "WAITING_APPROVAL"] as const)(
    "BAT-067 'Editar lote' turns a batch in %s back into a draft",
    async (status) => {
      const user = userEvent.setup();
      change({ status });
      fakeServer.on(enableBatchEdit, () => {
        change({ status: "DRAFT" });
        return desk.batch;
      });
      openBatch();
      await user.click(await button("Editar lote"));
      await screen.findByLabelText("Nome do lote");
      expect(fakeServer.calls(enableBatchEdit).map(({ params }) => params)).toEqual([{ id: desk.batch.id }]);
    },
  );

  it.each([
    ["admin", ["Editar lote", "Excluir lote"], []],
    ["operator", ["Excluir lote"], ["Editar lote"]],
    ["analyst", [], ["Editar lote", "Excluir lote"]],
  ] as const)(
    "BAT-031 the view of a waiting batch shows an %s its total, where to send balance, its payments to read, and %j",
    async (profile, offered, lacking) => {
      const user = userEvent.setup();
      desk.balance = 0;
      // An amount that differs from that of the payment on screen.
      change({ status: "WAITING", value: 777_77 });
      openBatch({ session: { profile } });
      const shown = within(await dialog("Folha 11/2026"));
      await shown.findByText("Aguardamos o recebimento do valor do lote.");
      await shown.findByText("financeiro@aurora.exemplo");
      const summary = within(shown.getByRole("region", { name: "Resumo dos pagamentos:" }));
      expect(summary.getByText("Total do lote").parentElement?.textContent).toMatch(
        /^Total do loteR\$\s777,77$/,
      );
      for (const name of offered) shown.getByRole("button", { name });
      for (const name of [...lacking, "Adicionar pagamento", "Excluir falhas", "Salvar rascunho"])
        expect(shown.queryByRole("button", { name })).toBeNull();
      await user.click(shown.getByRole("button", { name: "Marina Lopes" }));
      await dialog("Detalhes da transferência");
    },
  );

  it("BAT-031 a batch that waits for a limit names the limit, and asks for no deposit", async () => {
    const waiting_reason = "O saldo chegou, mas o lote passa do limite diurno de Pix.";
    change({ status: "WAITING", waiting_reason });
    const app = openBatch();
    await screen.findByText("Este lote ainda espera.");
    screen.getByText(waiting_reason);
    await button("Editar lote");
    // Loads the part that shows where to send balance, so that its absence is proven.
    await act(() => vi.dynamicImportSettled());
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryByText("Aguardamos o recebimento do valor do lote.")).toBeNull();
    expect(screen.queryByRole("region", { name: "Como enviar o saldo" })).toBeNull();
  });

  it("BAT-070 reports that deleting failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(deleteBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Excluir lote" }));
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Ocorreu uma falha ao excluir o lote.");
    await dialog("Folha 11/2026");
  });

  it("BAT-070 the dialog that deletes a draft shows an exclamation mark", async () => {
    const user = userEvent.setup();
    fakeServer.on(deleteBatch, () => {
      fakeServer.on(readBatch, () => refuse("not_found"));
      return { ok: true as const };
    });
    const app = openBatch();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Excluir lote" }));
    await dialog("Excluir lote");
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(within(await dialog("Excluir lote")).queryByRole("checkbox")).toBeNull();
    const asked = fakeServer.calls(readBatch).length;
    const listed = fakeServer.calls(listBatches).length;
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Lote excluído com sucesso!");
    // Reading the deleted batch again would report it as missing, in place of the success message.
    expect(fakeServer.calls(readBatch)).toHaveLength(asked);
    await waitFor(() => expect(fakeServer.calls(listBatches).length).toBeGreaterThan(listed));
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
    "SES-051 only an admin approves, rejects or edits a batch that awaits approval: %o",
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
        // Analysts have no wizard, whatever the address asks for: they read the draft.
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
      expect(await open({}, "Pronto para pagar")).toBe(true);
    },
  );

  it("BAT-069 BAT-070 BAT-072 asks by the batch's name, deletes the batch, and keeps its receivers", async () => {
    const user = userEvent.setup();
    desk.importedReceivers = true;
    change({ status: "WAITING" });
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    const app = openBatch();
    await user.click(await button("Excluir lote"));
    const asked = await dialog("Excluir lote");
    within(asked).getByText("Folha 11/2026");
    expect(within(asked).queryByRole("checkbox")).toBeNull();
    await user.click(within(asked).getByRole("button", { name: "Excluir lote" }));
    await screen.findByText("Lote excluído com sucesso");
    const [sent] = fakeServer.calls(deleteBatch);
    expect([sent?.params, sent?.query]).toEqual([
      { id: desk.batch.id },
      { removeDestinationBankAccounts: "false" },
    ]);
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("BAT-052 cancelling a batch that was just imported asks first, because it removes the batch", async () => {
    const user = userEvent.setup();
    change({ was_imported: true });
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    const app = openBatch();
    await user.click(await button("Cancelar importação"));
    const asked = await dialog("Excluir lote");
    expect(asked.textContent?.replaceAll("\u00a0", " ")).toContain(
      "A importação será cancelada e o lote Folha 11/2026, com 1 pagamento no total de R$ 123,45, será excluído. Ele não pode ser recuperado.",
    );
    await user.click(within(asked).getByRole("button", { name: "Cancelar" }));
    expect(fakeServer.calls(deleteBatch)).toHaveLength(0);
    await user.click(await button("Cancelar importação"));
    await user.click(within(await dialog("Excluir lote")).getByRole("button", { name: "Excluir lote" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(fakeServer.calls(deleteBatch)).toHaveLength(1);
  });

  it("BAT-052 a batch saved after its import is an ordinary draft, and offers no such removal", async () => {
    change({ was_imported: false, spreadsheet_file_name: "folha.xlsx" });
    openBatch();
    await button("Salvar rascunho");
    expect(screen.queryByRole("button", { name: "Cancelar importação" })).toBeNull();
  });

  it.each([true, false])("BAT-026 requests whether the red alert is due, and shows it: %s", async (data) => {
    change({ status: "FINISHED", has_failed_or_returned_transfers: !data });
    fakeServer.on(readHasFailed, () => ({ data }));
    openBatch();
    const asked = () => fakeServer.calls(readHasFailed).map(({ params }) => params);
    await waitFor(() => expect(asked()).toEqual([{ id: desk.batch.id }]));
    await waitFor(() =>
      expect(screen.queryByText("Alguns pagamentos não foram realizados!") !== null).toBe(data),
    );
  });

  it("BAT-025 BAT-027 FST-024 the red alert offers the report, fetched with the session's token", async () => {
    const user = userEvent.setup();
    change({ status: "FINISHED", has_failed_or_returned_transfers: true, returned_count: 1 });
    const asked: [string, string | undefined][] = [];
    fakeServer.on(requestBatchReport, ({ params }) => {
      asked.push(["made", params["id"]]);
      return { url: "/api/payments/batch/x/report" };
    });
    fakeServer.on(downloadBatchReport, ({ params }) => {
      asked.push(["fetched", params["id"]]);
      return "bytes";
    });
    const saved = watchSavedFiles();
    openBatch();
    const alert = await screen.findByText("Alguns pagamentos não foram realizados!");
    expect(alert.closest("[data-tone]")?.getAttribute("data-tone")).toBe("red");
    const timers = vi.spyOn(globalThis, "setTimeout");
    await user.click(await button("Baixar relatório"));
    await screen.findByText("Seu relatório está sendo gerado.");
    // The message disappears after ten seconds.
    const dismiss = timers.mock.calls.find(([, ms]) => ms === 10_000)?.[0];
    timers.mockRestore();
    if (typeof dismiss !== "function") throw new Error("no timer of ten seconds closes the toast");
    act(() => dismiss());
    expect(screen.queryByText("Seu relatório está sendo gerado.")).toBeNull();
    await waitFor(() => expect(saved).toEqual(["folha-11-2026-relatorio.xlsx"]));
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
    );
    expect(asked).toEqual([
      ["made", desk.batch.id],
      ["fetched", desk.batch.id],
    ]);
    const [fetched] = fakeServer.calls(downloadBatchReport);
    expect(fetched?.query).toEqual({ format: "xlsx" });
    expect(fetched?.headers.get("authorization")).toMatch(/^Bearer /);
  });

  it("BAT-039 an empty draft opens the form of its first payment, and only once", async () => {
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

  it("BAT-039 a draft with a payment opens no form", async () => {
    const app = openBatch();
    await screen.findByText("Marina Lopes");
    await screen.findByText("Saldo disponível");
    await act(() => vi.dynamicImportSettled());
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull();
    expect(app.address()).not.toContain("pagamento=");
  });
});
