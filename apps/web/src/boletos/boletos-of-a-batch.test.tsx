/** Form of a batch of boletos, and its list. */
import { downloadBadRows } from "@malote/contracts/batch-issues";
import { downloadBatchReport, requestBatchReport, saveBatch } from "@malote/contracts/batches";
import { type Boleto, listBoletos, readDuplicatedBoleto } from "@malote/contracts/boletos";
import { removeTransfers } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { analyst, batchOfBoletos, button, dialog, operator, user } from "../testing/boletos-of-a-batch.ts";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildBoleto } from "../testing/payments.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";

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

const { served, show, change } = batchOfBoletos();

describe("the form of a batch of boletos", () => {
  it("BAT-035 BAT-038 shows its three sections and its boletos", async () => {
    show();
    const batch = await dialog("Contas da semana");
    await batch.findByText("Aluguel de novembro");
    batch.getByText("75691.43212 01012.345672 80000.123010 4 17230000015000");
    batch.getByText("Paga hoje · vence 15/02/2027");
    batch.getByRole("heading", { name: "Dê um nome a este lote" });
    batch.getByRole("heading", { name: "Deseja adicionar mais pagamentos?" });
    const sums = within(await batch.findByRole("region", { name: "Resumo dos pagamentos:" }));
    await sums.findByText("Boletos · 1");
    expect(sums.getByText("Total do lote").parentElement?.textContent).toMatch(/R\$\s123,45$/);
    batch.getByRole("button", { name: "Adicionar boleto" });
  });

  it("BIL-023 opens the form of a clicked boleto, and for analysts its details", async () => {
    fakeServer.on(readDuplicatedBoleto, () => ({ isDuplicated: false, batch: null }));
    const app = show();
    await user.click(await button("Aluguel de novembro"));
    await dialog("Editar boleto");
    app.unmount();
    show("", analyst);
    await user.click(await button("Aluguel de novembro"));
    await dialog("Detalhes do boleto");
    expect(screen.queryByRole("dialog", { name: "Editar boleto" })).toBeNull();
  });

  it.each(["WAITING_APPROVAL", "WAITING", "FINISHED"] as const)(
    "BAT-040 a boleto of a batch in %s opens in its details",
    async (status) => {
      const pressed = buildBoleto();
      served.desk.boletos = [buildBoleto({ description: "Água" }), pressed];
      change({ status, payments_count: 2 });
      const app = show();
      await user.click(await button("Aluguel de novembro"));
      await dialog("Detalhes do boleto");
      expect(app.address()).toContain(`pagamento=${pressed.id}`);
      expect(screen.queryByRole("dialog", { name: "Editar boleto" })).toBeNull();
    },
  );

  it("shows the price and the new total as soon as the register has answered about an imported draft", async () => {
    const created_at = new Date().toISOString();
    const late = buildBoleto({ created_at, value: 150_00 });
    served.desk.boletos = [late];
    change({ value: 150_00 });
    show();
    const rows = within(await screen.findByRole("list", { name: "Pagamentos do lote" }));
    await rows.findByText(/150,00$/);
    // The job has stored the register's answer, so no button has to be pressed.
    served.desk.boletos = [{ ...late, value: 153_90, register: answered }];
    change({ value: 153_90 });
    await rows.findByText(/153,90$/, {}, { timeout: 5_000 });
    await waitFor(() =>
      expect(screen.getByText("Total do lote", { selector: ".small" }).parentElement?.textContent).toMatch(
        /153,90$/,
      ),
    );
  });

  it("shows beside a boleto which code and value a person typed over the sheet's", async () => {
    const by = { id: "01990000-0000-7000-8000-000000000012", name: "Rui Tavares" };
    const mark = { origin: "changed", by, at: "2026-11-22T17:03:00Z" } as const;
    const marks = [{ ...mark, field: "value", before: "2000", after: "15000" }];
    served.desk.boletos = [buildBoleto({ data_marks: marks })];
    show();
    const rows = within(await screen.findByRole("list", { name: "Pagamentos do lote" }));
    await rows.findByText("Alterado por Rui Tavares, valor: R$ 20,00 → R$ 150,00");
  });

  it("BAT-038 shows 50 at first, and 50 more for each use of 'Mostrar mais boletos'", async () => {
    served.desk.boletos = Array.from({ length: 90 }, (_, at) => buildBoleto({ description: `Boleto ${at}` }));
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

  it("BAT-038 shows 50 more for each use of 'Mostrar mais boletos', and not all of them at once", async () => {
    served.desk.boletos = Array.from({ length: 160 }, () => buildBoleto());
    change({ payments_count: 160 });
    show();
    for (const shown of ["50 de 160", "100 de 160", "150 de 160"]) {
      await screen.findByText(`${shown} boletos`);
      await user.click(await button("Mostrar mais boletos"));
    }
    await screen.findByText("160 boletos", { selector: "[role=status]" });
    expect(screen.queryByRole("button", { name: "Mostrar mais boletos" })).toBeNull();
  });

  it("BAT-039 opens the form of the first boleto by itself, once", async () => {
    served.desk.boletos = [];
    change({ payments_count: 0, value: 0 });
    show();
    await dialog("Adicionar boleto");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    await button("Adicionar boleto");
  });

  it("BAT-043 saves the draft, and hides the button from analysts", async () => {
    fakeServer.on(saveBatch, () => served.desk.batch);
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
    served.desk.boletos = [buildBoleto({ errors: [mistake] }), buildBoleto({ description: "Água" })];
    change({ errors_count: 1, payments_count: 2 });
    show();
    await screen.findByText("Seu lote possui alguns erros! Verifique os boletos em destaque para corrigir.");
    await screen.findByText("Este boleto venceu em 22/02/2025");
    expect(screen.queryByText("Água")).toBeNull();
    await user.click(await button("Todos · 2"));
    await screen.findByText("Água");
  });

  it("BAT-046 BAT-047 removes all wrong boletos at once, after naming their number", async () => {
    served.desk.boletos = [
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
    const ids = served.desk.boletos.slice(0, 2).map(({ id }) => id);
    const [sent] = fakeServer.calls(removeTransfers);
    expect([sent?.params, sent?.body]).toEqual([{ id: served.desk.batch.id }, { ids }]);
  });

  it("BAT-047 reports a failed removal in the words of boletos", async () => {
    served.desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
    change({ errors_count: 1 });
    fakeServer.on(removeTransfers, () => refuseWithoutCode());
    show();
    await user.click(await button("Excluir falhas"));
    const asked = await dialog("Excluir falhas");
    await asked.findByText("1 boleto com falha");
    await user.click(asked.getByRole("button", { name: "Excluir falhas" }));
    await screen.findByText("Ocorreu um erro ao remover os boletos.");
  });

  it("shows in the row the payee of a boleto, and why its price differs from its code", async () => {
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
    served.desk.boletos = [
      buildBoleto({ value: 950_00, register }),
      buildBoleto({ description: "Paga em outro dia", value: 1_000_00, register }),
    ];
    change({ payments_count: 2 });
    show();
    const row = (await screen.findByText("Aluguel de novembro")).closest("li") as HTMLElement;
    within(row).getByText("Lopes Materiais Ltda · paga hoje · vence 15/02/2027");
    expect(row.textContent?.replaceAll("\u00a0", " ")).toContain(
      "Valor registrado R$ 1.000,00: desconto de R$ 50,00 até 10/02/2027",
    );
    const other = screen.getByText("Paga em outro dia").closest("li") as HTMLElement;
    expect(other.textContent).not.toContain("desconto");
  });

  it("BAT-073 offers no cancelling of the whole batch when all its boletos are scheduled", async () => {
    served.desk.byStatus = [{ status: "SCHEDULED", count: 1, value: 150_00 }];
    change({ status: "RECEIVED" });
    const app = show();
    await screen.findByText("Boletos · 1");
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    await user.click(await button("Mais ações"));
    await screen.findByRole("menuitem", { name: "Baixar relatório" });
    expect(screen.queryByRole("menuitem", { name: "Cancelar lote" })).toBeNull();
  });

  it("BAT-027 offers the report of a batch without failures in its menu", async () => {
    const saved = watchSavedFiles();
    fakeServer.on(requestBatchReport, () => ({ url: "/api/payments/batch/x/report" }));
    fakeServer.on(downloadBatchReport, () => "bytes");
    change({ status: "FINISHED" });
    show();
    await user.click(await button("Mais ações"));
    await user.click(await screen.findByRole("menuitem", { name: "Baixar relatório" }));
    await screen.findByText("Seu relatório está sendo gerado.");
    await waitFor(() => expect(saved).toEqual(["contas-da-semana-relatorio.xlsx"]));
    for (const contract of [requestBatchReport, downloadBatchReport])
      expect(fakeServer.calls(contract).map(({ params }) => params)).toEqual([{ id: served.desk.batch.id }]);
  });

  it("filters by status, and 'Pago' requests all paid boletos", async () => {
    change({ status: "FINISHED" });
    show();
    await user.click(await button("Status: Status"));
    await user.click(await screen.findByRole("menuitemradio", { name: "Pago" }));
    await waitFor(() => expect(fakeServer.calls(listBoletos).at(-1)?.query["status"]).toBe("PAID"));
    await user.type(screen.getByRole("searchbox", { name: "Dados do pagamento" }), "aluguel{Enter}");
    await waitFor(() => expect(fakeServer.calls(listBoletos).at(-1)?.query["search"]).toBe("aluguel"));
  });
});

it("FST-024 offers the bad rows of a sheet of boletos, to correct in the sheet", async () => {
  const saved = watchSavedFiles();
  served.desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
  change({ status: "DRAFT", was_imported: true, errors_count: 1, spreadsheet_file_name: "contas.csv" });
  fakeServer.on(downloadBadRows, () => "bytes");
  show();
  await user.click(await screen.findByRole("button", { name: "Baixar só as linhas com erro" }));
  await waitFor(() => expect(saved).toEqual(["contas-da-semana-linhas-com-erro.xlsx"]));
  await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_REPORT"));
});

describe("hides the texts of transfers", () => {
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
      served.desk.boletos = [buildBoleto({ errors: [{ code: "billet_code_invalid", field: "barcode" }] })];
    change(patch);
    show("", options);
    const batch = await screen.findByRole("dialog", { name: "Contas da semana" });
    await within(batch).findByText("Aluguel de novembro");
    await within(batch).findByText("Boletos · 1");
    expect(batch.textContent).not.toMatch(transferWords);
  });

  it("while waiting for its money, among the boletos", async () => {
    change({ status: "WAITING" });
    show();
    const list = await screen.findByRole("region", { name: "Pagamentos" });
    await within(list).findByText("Aluguel de novembro");
    expect(list.textContent).not.toMatch(transferWords);
  });
});
