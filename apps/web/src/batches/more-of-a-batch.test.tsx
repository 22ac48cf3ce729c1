import { cancelScheduledBatch, deleteBatch, setBatchReconciled } from "@malote/contracts/batch-life";
import { listTransfersWithReceipt, readBatchSummary } from "@malote/contracts/batches";
import { readCompanyBankAccount, readUserSettings } from "@malote/contracts/company";
import { contracts } from "@malote/contracts/index";
import { requestReceipts } from "@malote/contracts/receipts";
import { listFailedOfReceiver, type Transfer } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const openBatch = (options: Parameters<typeof renderApp>[1] = {}, more = "") =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${more}`, options);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const change = (patch: Partial<Desk["batch"]>) => {
  desk.batch = { ...desk.batch, ...patch };
};

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
});

describe("cancelling and reconciling", () => {
  const scheduled = () => {
    change({ status: "RECEIVED", payments_count: 3, value: 450_00 });
    desk.byStatus = [{ status: "SCHEDULED", count: 3, value: 450_00 }];
  };
  const openMenu = async () => userEvent.click(await screen.findByRole("button", { name: "Mais ações" }));

  it("BAT-073 BAT-074 BAT-075 FST-024 cancels a batch of which nothing has begun, after explaining the effect", async () => {
    const user = userEvent.setup();
    scheduled();
    fakeServer.on(cancelScheduledBatch, () => {
      change({ status: "RETURNED", is_canceled: true });
      return desk.batch;
    });
    openBatch();
    await openMenu();
    await user.click(await screen.findByRole("menuitem", { name: "Cancelar lote" }));
    const asked = await dialog("Cancelar o lote Folha 11/2026?");
    asked.getByText(/3 pagamentos agendados/);
    asked.getByText(/não pode ser desfeito/);
    asked.getByText(/deixam de ser feitos/);
    asked.getByText(/^R\$\s450,00$/);
    asked.getByText(/voltam ao saldo/);
    asked.getByRole("button", { name: "Voltar" });
    expect(recordedMarks()).not.toContain("HAS_CONFIRMED_BATCH_CANCEL");
    await user.click(asked.getByRole("button", { name: "Cancelar lote" }));
    await screen.findByText("Lote cancelado com sucesso!");
    expect(recordedMarks()).toContain("HAS_CONFIRMED_BATCH_CANCEL");
    const [sent] = fakeServer.calls(cancelScheduledBatch);
    expect(sent?.params).toEqual({ id: desk.batch.id });
    expect(sent?.headers.get("idempotency-key")).toBeTruthy();
  });

  it("FST-025 cancels when its mark cannot be stored, and stores the mark of the next one", async () => {
    const user = userEvent.setup();
    scheduled();
    fakeServer.on(cancelScheduledBatch, () => desk.batch);
    openBatch();
    refuseMarks();
    const cancel = async () => {
      await openMenu();
      await user.click(await screen.findByRole("menuitem", { name: "Cancelar lote" }));
      const asked = await dialog("Cancelar o lote Folha 11/2026?");
      await user.click(asked.getByRole("button", { name: "Cancelar lote" }));
    };
    await cancel();
    await screen.findByText("Lote cancelado com sucesso!");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: /^Cancelar o lote/ })).toBeNull());
    await expectQuietReport();
    await cancel();
    await waitFor(() => expect(fakeServer.calls(cancelScheduledBatch)).toHaveLength(2));
    expect(recordedMarks().filter((mark) => mark === "HAS_CONFIRMED_BATCH_CANCEL")).toHaveLength(2);
  });

  it("BAT-075 reports what went wrong", async () => {
    const user = userEvent.setup();
    scheduled();
    fakeServer.on(cancelScheduledBatch, () => refuseWithoutCode());
    openBatch();
    await openMenu();
    await user.click(await screen.findByRole("menuitem", { name: "Cancelar lote" }));
    await user.click(
      (await dialog("Cancelar o lote Folha 11/2026?")).getByRole("button", { name: "Cancelar lote" }),
    );
    await screen.findByText("Houve um problema no cancelamento!");
  });

  it.each<[string, "analyst" | "operator", () => void]>([
    ["to analysts", "analyst", scheduled],
    [
      "once a payment has started",
      "operator",
      () => {
        scheduled();
        desk.byStatus = [
          { status: "SCHEDULED", count: 2, value: 300_00 },
          { status: "EXECUTING", count: 1, value: 150_00 },
        ];
      },
    ],
  ])("BAT-073 offers no cancelling %s", async (_, profile, given) => {
    given();
    const app = openBatch({ session: { profile } });
    await openMenu();
    await screen.findByRole("menuitem", { name: "Baixar relatório" });
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole("menuitem", { name: "Cancelar lote" })).toBeNull();
  });

  it.each(["admin", "operator"] as const)(
    "BAT-076 BAT-077 an %s marks a finished batch, and sees when that fails",
    async (profile) => {
      const user = userEvent.setup();
      change({ status: "FINISHED", paid_count: 1 });
      fakeServer.on(setBatchReconciled, () => refuseWithoutCode());
      openBatch({ session: { profile } });
      await user.click(await screen.findByRole("button", { name: "Não conciliado" }));
      await screen.findByText("Ocorreu um erro ao definir conciliado");
      fakeServer.on(setBatchReconciled, ({ body }) => {
        change({ reconciled: body.reconciled });
        return desk.batch;
      });
      await user.click(screen.getByRole("button", { name: "Não conciliado" }));
      await screen.findByRole("button", { name: "Conciliado", pressed: true });
      fakeServer.on(setBatchReconciled, () => refuseWithoutCode());
      await user.click(screen.getByRole("button", { name: "Conciliado" }));
      await screen.findByText("Ocorreu um erro ao definir não conciliado");
      expect(fakeServer.calls(setBatchReconciled).map(({ params, body }) => [params, body])).toEqual(
        [true, true, false].map((reconciled) => [{ id: desk.batch.id }, { reconciled }]),
      );
    },
  );

  it.each([
    ["to analysts", "analyst", "FINISHED"],
    ["before a batch is finished", "operator", "RECEIVED"],
    ["of an unpaid batch", "operator", "RETURNED"],
  ] as const)("BAT-076 offers no reconciling %s", async (_, profile, status) => {
    change({ status, paid_count: 1 });
    const app = openBatch({ session: { profile } });
    await screen.findByRole("button", { name: "Mais ações" });
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole("button", { name: /onciliado$/ })).toBeNull();
  });

  it.each(["true", "false"] as const)(
    "BAT-071 offers to remove the receivers that a draft imported, off by default: %s",
    async (wanted) => {
      const user = userEvent.setup();
      desk.importedReceivers = true;
      fakeServer.on(deleteBatch, () => ({ ok: true as const }));
      openBatch();
      await openMenu();
      await user.click(await screen.findByRole("menuitem", { name: "Excluir lote" }));
      const asked = await dialog("Excluir lote");
      const tick = await asked.findByRole("checkbox", { name: /Excluir também os recebedores/ });
      expect(tick).toHaveProperty("checked", false);
      if (wanted === "true") await user.click(tick);
      await user.click(asked.getByRole("button", { name: "Excluir lote" }));
      await screen.findByText("Lote excluído com sucesso!");
      expect(fakeServer.calls(deleteBatch)[0]?.query).toEqual({ removeDestinationBankAccounts: wanted });
    },
  );
});

describe("receipts", () => {
  async function requestReceiptsOfBatch() {
    const user = userEvent.setup();
    change({ status: "FINISHED", paid_count: 1 });
    openBatch();
    await user.click(await screen.findByRole("button", { name: "Mais ações" }));
    await user.click(await screen.findByRole("menuitem", { name: "Baixar comprovantes" }));
    return dialog("Comprovantes");
  }

  const withReceipt = (data: Transfer[], totalItems = data.length) =>
    fakeServer.on(listTransfersWithReceipt, () => ({
      data,
      metadata: { pagination: { itemsPerPage: 50, totalItems } },
    }));
  const paid = () =>
    buildTransfer({ status: "FINISHED", receipt_url: "/api/payments/app/transfer/x/receipt" });
  const started =
    "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!";

  it("BAT-029 TRF-065 reports that a batch has no receipt available", async () => {
    withReceipt([]);
    const asked = await requestReceiptsOfBatch();
    await asked.findByText("Nenhum comprovante disponível.");
    expect(asked.queryByRole("button", { name: "Baixar comprovantes" })).toBeNull();
  });

  it("BAT-028 TRF-060 TRF-064 FST-024 requests the receipts of the whole batch, and announces an e-mail", async () => {
    const user = userEvent.setup();
    withReceipt([paid()], 1_234);
    fakeServer.on(requestReceipts, () => ({ id: testId(90), receipts_count: 1_234 }));
    const asked = await requestReceiptsOfBatch();
    await asked.findByText("1.234 comprovantes");
    expect(fakeServer.calls(listTransfersWithReceipt)[0]?.params).toEqual({ id: desk.batch.id });
    await user.click(asked.getByRole("button", { name: "Baixar comprovantes" }));
    await screen.findByText(started);
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_RECEIPTS"]));
    expect(fakeServer.calls(requestReceipts).map(({ body }) => body)).toEqual([{ batch_id: desk.batch.id }]);
    expect(screen.queryByRole("dialog", { name: "Comprovantes" })).toBeNull();
  });

  it("TRF-065 shows why a request fails", async () => {
    const user = userEvent.setup();
    withReceipt([paid()]);
    fakeServer.on(requestReceipts, () => refuse("receipts_at_once", { max: 3 }));
    const asked = await requestReceiptsOfBatch();
    await user.click(await asked.findByRole("button", { name: "Baixar comprovantes" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    expect(failed.getByRole("alert").textContent).toBe(
      "Já há 3 pedidos de comprovantes em preparo. Aguarde o e-mail de um deles e peça de novo.",
    );
    expect(screen.queryByText(started)).toBeNull();
    await user.click(failed.getByRole("button", { name: "Voltar" }));
    expect(screen.queryByRole("dialog", { name: "Não foi possível baixar os comprovantes" })).toBeNull();
  });
});

it("BAT-030 the default view shows name, status, value, dates, creator, sheet and returned amount, read-only", async () => {
  change({
    status: "FINISHED",
    payments_count: 2,
    paid_count: 1,
    returned_count: 1,
    received_date: "2026-11-20T20:00:00.000Z",
    finish_date: "2026-11-20T21:30:00.000Z",
    returned_date: "2026-11-20T22:15:00.000Z",
    spreadsheet_file_name: "folha.xlsx",
  });
  desk.transfers = [
    buildTransfer({ status: "FINISHED" }),
    buildTransfer({ status: "RETURNED", to: { name: "Ivo Reis" } }),
  ];
  fakeServer.on(readBatchSummary, () => ({
    returned: 45_67,
    by_status: [],
    by_method: [{ payment_method: "PIX", count: 2, value: 12_345 }],
    balance: 0,
    missing: 0,
  }));
  openBatch();
  const shown = await dialog("Folha 11/2026");
  await shown.findByText("Ivo Reis");
  shown.getByText("Marina Lopes");
  shown.getByText("Finalizado");
  const fact = (name: string) => shown.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
  expect(fact("Criado em")).toBe("20/11/2026 16:42");
  expect(fact("Criado por")).toBe("Rui Nogueira");
  expect(fact("Recebido em")).toBe("20/11/2026 17:00");
  expect(fact("Finalizado em")).toBe("20/11/2026 18:30");
  expect(fact("Devolvido em")).toBe("20/11/2026 19:15");
  expect(fact("Planilha")).toBe("folha.xlsx");
  const figure = (name: string) => shown.getByText(name).parentElement?.textContent;
  await shown.findByText("Total devolvido");
  expect(figure("Total devolvido")).toMatch(/R\$\s45,67$/);
  const summary = within(shown.getByRole("region", { name: "Resumo dos pagamentos:" }));
  expect(summary.getByText("Total do lote").parentElement?.textContent).toMatch(/R\$\s123,45$/);
  expect(shown.queryByLabelText("Nome do lote")).toBeNull();
  for (const name of ["Salvar rascunho", "Fechar lote", "Adicionar pagamento", /^Corrigir/]) {
    expect(shown.queryByRole("button", { name })).toBeNull();
  }
});

describe("the wizard", () => {
  it("BAT-032 BAT-033 has the step of first steps", async () => {
    desk.filledFirstSteps = false;
    fakeServer.on(readCompanyBankAccount, () => null);
    fakeServer.on(readUserSettings, () => ({ hasTwoFactorEnabled: false, isTwoFactorEnforced: false }));
    // A company of its own, because filled first steps are cached for the life of the page.
    const company = { id: testId(89), name: "Nova", cpfCnpj: "27418639000148", acceptedContract: true };
    openBatch({ session: { company } });
    const shown = await dialog("Folha 11/2026");
    await shown.findByRole("combobox", { name: "Tipo de conta" });
    expect(shown.queryByText("Não foi possível carregar os primeiros passos")).toBeNull();
    expect(shown.queryByLabelText("Nome do lote")).toBeNull();
  });

  it("BAT-032 BAT-033 has the step of the batch's form", async () => {
    openBatch();
    await (await dialog("Folha 11/2026")).findByLabelText("Nome do lote");
  });

  it("BAT-032 has the step that chooses where to send balance", async () => {
    desk.balance = 100;
    openBatch({}, "&etapa=envio");
    await screen.findByRole("heading", { name: "Quase tudo pronto para finalizar o pagamento." });
    await screen.findByRole("region", { name: "Como enviar o saldo" });
    expect(screen.queryByLabelText("Nome do lote")).toBeNull();
  });

  it("BAT-032 has the step of a batch that waits for balance", async () => {
    desk.balance = 100;
    change({ status: "WAITING" });
    openBatch();
    await screen.findByText("Aguardamos o recebimento do valor do lote.");
    await screen.findByRole("region", { name: "Como enviar o saldo" });
  });

  it("BAT-035 the form has its three sections, the last with the total", async () => {
    openBatch();
    const shown = await dialog("Folha 11/2026");
    await shown.findByRole("heading", { name: "Dê um nome a este lote" });
    shown.getByRole("heading", { name: "Deseja adicionar mais pagamentos?" });
    const summary = within(await shown.findByRole("region", { name: "Resumo dos pagamentos:" }));
    expect(summary.getByText("Total do lote").parentElement?.textContent).toMatch(/R\$\s123,45$/);
  });
});

it("BAT-082 requests the failed transfers of one receiver in the batch, and counts the answer", async () => {
  const user = userEvent.setup();
  const failed = () => buildTransfer({ status: "FAILED", status_description: "Conta encerrada" });
  desk.transfers = [failed(), failed(), failed()];
  change({ status: "RECEIVED", failed_count: 3, payments_count: 3 });
  let asked: Record<string, string> = {};
  fakeServer.on(listFailedOfReceiver, ({ params }) => {
    asked = { ...params };
    return { data: desk.transfers };
  });
  openBatch({}, `&pagamento=${desk.transfers[0]?.id}`);
  await user.click(await screen.findByRole("button", { name: "Devolver ao saldo" }));
  const question = await dialog("Editar dados de pagamento");
  await question.findByText(/Todos os 3 serão devolvidos/);
  expect(asked).toEqual({ id: desk.batch.id, dbaId: testId(50) });
});

describe("BAT-083 each call keeps its base", () => {
  // All calls of the contract, because a call may move to another file.
  const addresses = contracts
    .filter(({ base }) => base === "payments")
    .map(({ method, path }) => `${method} ${path}`);

  it.each([
    "GET /app/batch",
    "POST /app/batch",
    "GET /app/batch/:id",
    "PATCH /app/batch/:id",
    "PUT /batch/:id",
    "DELETE /batch/:id",
    "GET /app/batch/:id/summary",
    "GET /app/batch/:id/hasFailedOrReturnedTransfers",
    "GET /batch/:id/transfer/validate",
    "POST /batch/:id/report",
    "GET /app/batch/:id/transfersWithReceipt",
    "GET /app/batch/:id/billetsWithReceipt",
    "GET /app/batch/:id/transfer",
    "POST /app/batch/:id/transfer",
    "PUT /app/batch/:id/transfer/:tid",
    "DELETE /batch/:id/transfer/:tid",
    "POST /app/batch/:id/transfer/removeMany",
    "POST /batch/:id/transfer/:tid/cancel",
    "POST /batch/:id/close",
    "POST /batch/:id/sendToApproval",
    "POST /batch/:id/reprove",
    "POST /batch/:id/enableEdit",
    "GET /batch/waiting",
    "GET /batch/:id/hasDestinationBankAccountsToRemove",
    "GET /batch/:id/billet",
    "POST /app/batch/:id/billet",
    "PUT /batch/:id/billet",
    "DELETE /batch/:id/billet/:billetId",
    "POST /app/batch/:id/cancel_scheduled",
    "PUT /batch/:id/setReconciled",
    "POST /batch/sheet/upload",
    "POST /batch/spreadsheet",
    "POST /batch/billet/sheet",
    "GET /batch/:id/destinationBankAccount/:dbaId/failedTransfers",
  ])("BAT-083 %s, and not under the other base", (address) => {
    expect(addresses).toContain(address);
    const [method = "", path = ""] = address.split(" ");
    const other = path.startsWith("/app") ? path.slice("/app".length) : `/app${path}`;
    expect(addresses).not.toContain(`${method} ${other}`);
  });

  it("BAT-083 no batch call has another base", () => {
    // The statement of a batch is a call of the statement.
    const ofOneBatch = addresses.filter(
      (address) => address.includes("/batch") && !address.includes("/statement/"),
    );
    expect(ofOneBatch.filter((address) => !/^[A-Z]+ (\/app)?\/batch(\/|$)/.test(address))).toEqual([]);
  });
});
