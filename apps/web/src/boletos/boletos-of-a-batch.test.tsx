import { downloadBadRows } from "@malote/contracts/batch-issues";
import { listBilletsWithReceipt, saveBatch } from "@malote/contracts/batches";
import { type Boleto, listBillets, readDuplicatedBillet, removeBillet } from "@malote/contracts/boletos";
import { createCheckpoint } from "@malote/contracts/company";
import { downloadBankReceipt, downloadReceipt, requestReceipts } from "@malote/contracts/receipts";
import { removeTransfers } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildBoleto, buildOpenBatch, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { boletoLooks, failReason } from "./boleto-status.ts";

let desk: Desk;
const user = userEvent.setup();
const operator = { session: { profile: "operator" } } as const;
const analyst = { session: { profile: "analyst" } } as const;
const show = (more = "", options: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${more}`, options);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const change = (patch: Partial<Desk["batch"]>) => {
  desk.batch = { ...desk.batch, ...patch };
};
const transferWords = /transferência|\bPix\b|\bTEDs?\b|Internas|Erros que se repetem/i;

const answered: Boleto["register"] = {
  status: "payable",
  code: null,
  beneficiary: { name: "Imobiliária Sol", cpf_cnpj: "12.***.***/0001-**" },
  value: 150_00,
  due_date: "2027-02-15",
  limit_date: null,
  fine_basis_points: 200,
  interest_basis_points: 0,
  discount: null,
  abatement: 0,
  on_day: null,
  asked_at: "2026-11-23T12:00:00.000Z",
  asked_by: "Sistema",
};

beforeEach(() => {
  desk = {
    batch: buildOpenBatch({ type: "BILLET", name: "Contas da semana" }),
    transfers: [],
    boletos: [buildBoleto()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
});

describe("the form of a batch of boletos", () => {
  it("BAT-035 BAT-038 has its three sections and its boletos", async () => {
    show();
    const batch = await dialog("Contas da semana");
    await batch.findByText("Aluguel de novembro");
    batch.getByText("75691.43212 01012.345672 80000.123010 4 17230000015000");
    batch.getByText("Vence 15/02/2027");
    batch.getByRole("heading", { name: "Dê um nome a este lote" });
    batch.getByRole("heading", { name: "Deseja adicionar mais pagamentos?" });
    const sums = within(await batch.findByRole("region", { name: "Resumo dos pagamentos:" }));
    await sums.findByText("Boletos · 1");
    batch.getByRole("button", { name: "Adicionar boleto" });
  });

  it("BIL-023 opens the form of a boleto that is clicked, and for analysts its details", async () => {
    fakeServer.on(readDuplicatedBillet, () => ({ isDuplicated: false }));
    const app = show();
    await user.click(await button("Aluguel de novembro"));
    await dialog("Editar boleto");
    app.unmount();
    show("", analyst);
    await user.click(await button("Aluguel de novembro"));
    await dialog("Detalhes do boleto");
    expect(screen.queryByRole("dialog", { name: "Editar boleto" })).toBeNull();
  });

  it("shows the price and the new total as soon as the register has answered about an imported draft", async () => {
    const created_at = new Date().toISOString();
    const late = buildBoleto({ created_at, value: 150_00 });
    desk.boletos = [late];
    change({ value: 150_00 });
    show();
    const rows = within(await screen.findByRole("list", { name: "Pagamentos do lote" }));
    await rows.findByText(/150,00$/);
    // Without a press of a button: the job has written what the register demands.
    desk.boletos = [{ ...late, value: 153_90, register: answered }];
    change({ value: 153_90 });
    await rows.findByText(/153,90$/, {}, { timeout: 5_000 });
    await waitFor(() =>
      expect(screen.getByText("Total do lote", { selector: ".small" }).parentElement?.textContent).toMatch(
        /153,90$/,
      ),
    );
  });

  it("BAT-038 shows 50 at first, and 50 more for each use of 'Mostrar mais boletos'", async () => {
    desk.boletos = Array.from({ length: 90 }, (_, at) => buildBoleto({ description: `Boleto ${at}` }));
    change({ payments_count: 90 });
    show();
    await screen.findByText("Boleto 49");
    expect(screen.queryByText("Boleto 50")).toBeNull();
    await user.click(await button("Mostrar mais boletos"));
    await screen.findByText("Boleto 89");
    const rows = within(screen.getByRole("list", { name: "Pagamentos do lote" })).getAllByRole("listitem");
    expect(rows).toHaveLength(90);
    expect(screen.queryByRole("button", { name: "Mostrar mais boletos" })).toBeNull();
  });

  it("BAT-039 opens the form of the first boleto by itself, once", async () => {
    desk.boletos = [];
    change({ payments_count: 0, value: 0 });
    show();
    await dialog("Adicionar boleto");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    await button("Adicionar boleto");
  });

  it("BAT-043 saves the draft, and analysts get no such button", async () => {
    fakeServer.on(saveBatch, () => desk.batch);
    const app = show();
    await user.click(await button("Salvar rascunho"));
    await screen.findByText("Seu rascunho foi salvo!");
    app.unmount();
    show("", analyst);
    await screen.findByText("Aluguel de novembro");
    expect(screen.queryByRole("button", { name: "Salvar rascunho" })).toBeNull();
  });

  it("BAT-048 reports mistakes in the words of boletos, and opens on them", async () => {
    const mistake = { code: "billet_overdue", field: "barcode", data: { date: "22/02/2025" } };
    desk.boletos = [buildBoleto({ errors: [mistake] }), buildBoleto({ description: "Água" })];
    change({ errors_count: 1, payments_count: 2 });
    show();
    await screen.findByText("Seu lote possui alguns erros! Verifique os boletos em destaque para corrigir.");
    await screen.findByText("Este boleto venceu em 22/02/2025");
    expect(screen.queryByText("Água")).toBeNull();
    await user.click(await button("Todos · 2"));
    await screen.findByText("Água");
  });

  it("BAT-046 BAT-047 takes all wrong boletos out at once, after saying how many", async () => {
    desk.boletos = [
      buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }], value: 200 }),
      buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }], value: 100 }),
      buildBoleto(),
    ];
    change({ errors_count: 2, payments_count: 3 });
    fakeServer.on(removeTransfers, () => ({ removed: 2 }));
    show();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await asked.findByText("2 boletos com falha");
    asked.getByText(/^R\$\s3,00$/);
    await user.click(asked.getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Pagamentos com falha excluídos com sucesso!");
    expect(fakeServer.calls(removeTransfers)[0]?.body).toEqual({
      ids: desk.boletos.slice(0, 2).map(({ id }) => id),
    });
  });

  it("BAT-047 says that taking them out failed, in the words of boletos", async () => {
    desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
    change({ errors_count: 1 });
    fakeServer.on(removeTransfers, () => refuseWithoutCode());
    show();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await asked.findByText("1 boleto com falha");
    await user.click(asked.getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Ocorreu um erro ao remover os boletos.");
  });

  it("says in the row whom a boleto pays, and why it costs another amount than its code's", async () => {
    const register = {
      status: "payable",
      code: null,
      beneficiary: { name: "Lopes Materiais Ltda", cpf_cnpj: "11.222.333/0001-81" },
      value: 1_000_00,
      due_date: "2027-02-15",
      limit_date: "2027-02-15",
      fine_basis_points: 0,
      interest_basis_points: 0,
      discount: { amount: 50_00, until: "2027-02-10" },
      abatement: 0,
      on_day: {
        days_late: 0,
        fine: 0,
        interest: 0,
        discount: 50_00,
        abatement: 0,
        total: 950_00,
        until: "2027-02-10",
      },
      asked_at: "2026-11-10T12:00:00.000Z",
      asked_by: "Sistema",
    } as const;
    desk.boletos = [
      buildBoleto({ value: 950_00, register }),
      buildBoleto({ description: "Paga em outro dia", value: 1_000_00, register }),
    ];
    change({ payments_count: 2 });
    show();
    const row = (await screen.findByText("Aluguel de novembro")).closest("li") as HTMLElement;
    within(row).getByText("Lopes Materiais Ltda · vence 15/02/2027");
    expect(row.textContent?.replaceAll("\u00a0", " ")).toContain(
      "Valor registrado R$ 1.000,00: desconto de R$ 50,00 até 10/02/2027",
    );
    const other = screen.getByText("Paga em outro dia").closest("li") as HTMLElement;
    expect(other.textContent).not.toContain("desconto");
  });

  it("filters by status, and 'Pago' asks for all that were paid", async () => {
    change({ status: "FINISHED" });
    show();
    await user.click(await button("Status: Status"));
    await user.click(await screen.findByRole("menuitemradio", { name: "Pago" }));
    await waitFor(() => expect(fakeServer.calls(listBillets).at(-1)?.query["status"]).toBe("PAID"));
    await user.type(screen.getByRole("searchbox", { name: "Dados do pagamento" }), "aluguel{Enter}");
    await waitFor(() => expect(fakeServer.calls(listBillets).at(-1)?.query["search"]).toBe("aluguel"));
  });
});

it("FST-024 offers the bad rows of a sheet of boletos to correct in the sheet", async () => {
  const saved = watchSavedFiles();
  desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
  change({ status: "DRAFT", was_imported: true, errors_count: 1, spreadsheet_file_name: "contas.csv" });
  fakeServer.on(downloadBadRows, () => "bytes");
  show();
  await user.click(await screen.findByRole("button", { name: "Baixar só as linhas com erro" }));
  await waitFor(() => expect(saved).toEqual(["contas-da-semana-linhas-com-erro.xlsx"]));
  await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_REPORT"));
});

describe("nothing of a transfer is shown", () => {
  it.each([
    ["wizard", { status: "DRAFT", errors_count: 1 }, {}],
    ["imported draft", { status: "DRAFT", was_imported: true, spreadsheet_file_name: "b.csv" }, {}],
    ["approval", { status: "WAITING_APPROVAL" }, {}],
    ["waiting for approval", { status: "WAITING_APPROVAL" }, operator],
    ["running", { status: "RECEIVED" }, {}],
    ["finished", { status: "FINISHED" }, {}],
    ["draft to be read", { status: "DRAFT" }, analyst],
  ] as const)("in the view: %s", async (_view, patch, options) => {
    if ("errors_count" in patch)
      desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
    change(patch);
    show("", options);
    const batch = await screen.findByRole("dialog", { name: "Contas da semana" });
    await within(batch).findByText("Aluguel de novembro");
    await within(batch).findByText("Boletos · 1");
    expect(batch.textContent).not.toMatch(transferWords);
  });

  it("waiting for its money, among the boletos", async () => {
    change({ status: "WAITING" });
    show();
    const list = await screen.findByRole("region", { name: "Pagamentos" });
    await within(list).findByText("Aluguel de novembro");
    expect(list.textContent).not.toMatch(transferWords);
  });
});

describe("a boleto's card", () => {
  it.each([
    ["CREATED", "Criado", "grey"],
    ["SCHEDULED", "Agendado", "green"],
    ["PAID", "Pago", "blue"],
    ["FINISHED", "Pago", "blue"],
    ["FAILED", "Falha", "red"],
    ["RETURNED", "Devolvido", "yellow"],
    ["EM_REMESSA", "Em processamento", "green"],
    ["EXECUTING", "Em processamento", "green"],
    ["FAILED_INTERNAL", "Em processamento", "green"],
  ] as const)("BIL-004 calls %s '%s', in %s", async (status, name, color) => {
    expect(boletoLooks[status]).toMatchObject({ name, color });
    desk.boletos = [buildBoleto({ status })];
    change({ status: "RECEIVED" });
    show();
    const row = (await button("Aluguel de novembro")).closest("li") as HTMLElement;
    expect(within(row).getByText(name).closest("[data-color]")?.getAttribute("data-color")).toBe(color);
  });

  it("BIL-006 says why one failed or came back, without tags, and no other", () => {
    const status_description = "<p>Boleto <b>baixado</b></p>";
    const reasonIn = (status: Boleto["status"]) => failReason({ status, status_description });
    expect(reasonIn("FAILED")).toBe("Boleto baixado");
    expect(reasonIn("RETURNED")).toBe("Boleto baixado");
    expect(reasonIn("PAID")).toBeNull();
    expect(failReason({ status: "FAILED", status_description: "valor < 10 e prazo > 5" })).toBe(
      "valor < 10 e prazo > 5",
    );
  });

  it("BIL-025 cuts the description at 45 characters on cards and at 125 in details", async () => {
    desk.boletos = [buildBoleto({ description: "d".repeat(200) })];
    change({ status: "FINISHED" });
    const app = show();
    await screen.findByText(`${"d".repeat(45)}…`);
    app.unmount();
    show(`&pagamento=${desk.boletos[0]?.id}`);
    await screen.findByText(`${"d".repeat(125)}…`);
  });
});

describe("the details", () => {
  async function details(given: Partial<Boleto>, options = {}) {
    desk.boletos = [buildBoleto(given)];
    show(`&pagamento=${desk.boletos[0]?.id}`, options);
    await screen.findByText("Identificador");
    return dialog("Detalhes do boleto");
  }
  beforeEach(() => change({ status: "RECEIVED" }));

  it("BIL-024 BAT-040 show all that is known of it", async () => {
    const shown = await details({
      status: "FAILED",
      status_description: "Boleto baixado",
      scheduled_for: "2026-11-23",
      paid_date: "2026-11-23T15:30:00.000Z",
      integration_id: "NF-1",
    });
    shown.getByText(/^R\$\s150,00$/);
    expect(shown.getByText("Falha").closest("[data-color]")?.getAttribute("data-color")).toBe("red");
    shown.getByText("Aluguel de novembro");
    shown.getByText("Motivo da falha informado pelo banco:");
    shown.getByText("Boleto baixado");
    const said = (name: string) => shown.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
    expect(said("Linha digitável")).toBe("75691.43212 01012.345672 80000.123010 4 17230000015000");
    expect(said("Banco")).toBe("756 · Sicoob");
    expect(said("Vencimento")).toBe("15/02/2027");
    expect(said("Agendado para")).toBe("23/11/2026");
    expect(said("Pago em")).toBe("23/11/2026 12:30");
    expect(said("Lote")).toBe("Contas da semana");
    expect(said("ID de integração")).toBe("NF-1");
    shown.getByRole("button", { name: "Copiar Linha digitável" });
  });

  it("FST-024 note that a payment was opened", async () => {
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await details({ status: "FINISHED" });
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_OPENED_PAYMENT" },
    ]);
  });

  it("BIL-020 show a missing due date as 00/00/0000", async () => {
    const shown = await details({ due_date: null });
    shown.getByText("00/00/0000");
  });

  const bank_receipt_url = "/api/payments/app/transfer/x/bankReceipt";
  const receipt_url = "/api/payments/app/transfer/x/receipt";

  it.each(["PAID", "FINISHED"] as const)(
    "BIL-027 FST-024 offer the receipts there are, in %s",
    async (status) => {
      const shown = await details({ status, bank_receipt_url, receipt_url });
      shown.getByRole("button", { name: "Baixar comprovante" });
      const saved = watchSavedFiles();
      let asked: string | undefined;
      fakeServer.on(downloadBankReceipt, ({ params }) => {
        asked = params["id"];
        return {};
      });
      await user.click(shown.getByRole("button", { name: "Comprovante do banco" }));
      await waitFor(() => expect(saved).toEqual(["comprovante-do-banco-aluguel-de-novembro.pdf"]));
      await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
      expect(asked).toBe(desk.boletos?.[0]?.id);
    },
  );

  it.each([
    ["there is none", { status: "PAID" }],
    ["it was not paid", { status: "RETURNED", bank_receipt_url, receipt_url }],
  ] as const)("BIL-027 offer no receipt where %s", async (_case, given) => {
    const shown = await details(given);
    expect(shown.queryByRole("button", { name: "Baixar comprovante" })).toBeNull();
    expect(shown.queryByRole("button", { name: "Comprovante do banco" })).toBeNull();
  });

  it("BIL-027 FST-024 save the receipt of this boleto, under its name", async () => {
    const saved = watchSavedFiles();
    let asked: string | undefined;
    fakeServer.on(downloadReceipt, ({ params }) => {
      asked = params["id"];
      return {};
    });
    const shown = await details({ status: "PAID", receipt_url });
    await user.click(shown.getByRole("button", { name: "Baixar comprovante" }));
    await waitFor(() => expect(saved).toEqual(["comprovante-aluguel-de-novembro.pdf"]));
    await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_RECEIPTS"));
    expect(asked).toBe(desk.boletos?.[0]?.id);
  });

  describe("of a scheduled boleto", () => {
    const scheduled = { status: "SCHEDULED", scheduled_for: "2026-11-30", can_cancel: true } as const;

    it("BAT-062 BIL-028 BIL-029 let it be cancelled after asking, once, and show what became of it", async () => {
      fakeServer.on(removeBillet, () => {
        desk.boletos = desk.boletos?.map((one) => ({ ...one, status: "RETURNED", can_cancel: false })) ?? [];
        return { ok: true as const };
      });
      const shown = await details(scheduled, operator);
      expect(shown.queryByRole("button", { name: /Corrigir|Salvar|Excluir/ })).toBeNull();
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      question.getByText("Aluguel de novembro");
      question.getByText(/agendado para 30\/11\/2026/);
      const confirm = question.getByRole("button", { name: "Cancelar agendamento" });
      confirm.click();
      confirm.click();
      await screen.findByText("Agendamento cancelado com sucesso!");
      expect(fakeServer.calls(removeBillet)).toHaveLength(1);
      await shown.findByText("Devolvido");
      expect(shown.queryByRole("button", { name: "Cancelar agendamento" })).toBeNull();
    });

    it.each([
      ["by an analyst", { can_cancel: true }, analyst],
      ["once its day has come", { can_cancel: false }, {}],
    ] as const)("BIL-028 do not let it be cancelled %s", async (_case, given, options) => {
      const shown = await details({ ...scheduled, ...given }, options);
      expect(shown.queryByRole("button", { name: "Cancelar agendamento" })).toBeNull();
    });

    it("BIL-029 show the message of a code", async () => {
      fakeServer.on(removeBillet, () => refuse("not_found"));
      const shown = await details(scheduled);
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      await user.click(question.getByRole("button", { name: "Cancelar agendamento" }));
      await screen.findByText(/Não encontramos/);
      expect(screen.queryByText("Agendamento cancelado com sucesso!")).toBeNull();
    });

    it("BIL-029 without a code say that it failed", async () => {
      const shown = await details(scheduled);
      const before = fetch;
      vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
        init?.method === "DELETE" ? Promise.resolve(new Response("", { status: 418 })) : before(input, init),
      );
      await user.click(shown.getByRole("button", { name: "Cancelar agendamento" }));
      const question = await dialog("Cancelar agendamento");
      await user.click(question.getByRole("button", { name: "Cancelar agendamento" }));
      await screen.findByText("Ocorreu um erro ao cancelar o boleto. Tente novamente!");
    });
  });
});

it("BAT-028 BAT-029 asks for the receipts of all boletos of the batch, and says when there are none", async () => {
  change({ status: "FINISHED", paid_count: 1 });
  let totalItems = 0;
  fakeServer.on(listBilletsWithReceipt, () => ({
    data: [],
    metadata: { pagination: { itemsPerPage: 50, totalItems } },
  }));
  fakeServer.on(requestReceipts, () => ({ id: testId(90), receipts_count: 7 }));
  show();
  const openReceipts = async () => {
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Baixar comprovantes" }));
    return dialog("Comprovantes");
  };
  const none = await openReceipts();
  await none.findByText("Nenhum comprovante disponível.");
  await user.click(none.getByRole("button", { name: "Voltar" }));
  totalItems = 7;
  const some = await openReceipts();
  await some.findByText("7 comprovantes");
  await user.click(some.getByRole("button", { name: "Baixar comprovantes" }));
  await screen.findByText(/^Download iniciado com sucesso/);
  expect(fakeServer.calls(requestReceipts).map(({ body }) => body)).toEqual([{ batch_id: desk.batch.id }]);
});
