import {
  downloadBadRows,
  fixIssueGroup,
  listIssueGroups,
  listIssueRows,
} from "@malote/contracts/batch-issues";
import { validateBatch } from "@malote/contracts/batches";
import { readCompanySettings } from "@malote/contracts/company";
import { changeTransfer, listTransfers } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildBoleto, buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const badTaxId = {
  code: "tax_id_invalid",
  field: "cpf_cnpj",
  suggestion: { cpf_cnpj: "52998224725" },
} as const;

function open() {
  const app = renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`);
  fakeServer.on(readCompanySettings, () => ({
    ...buildCompanySettings(),
    accountLimits: { TED: 500_000, PIX: 500_000, TEV: 500_000, BILLET: 1 },
  }));
  return app;
}

/** Plays the server after a correction: the row is right, and the batch has one error less. */
function repair(id: string) {
  desk.transfers = desk.transfers.map((one) => (one.id === id ? { ...one, errors: [] } : one));
  const errors_count = desk.transfers.filter(({ errors }) => errors.length > 0).length;
  desk.batch = { ...desk.batch, errors_count, revision: desk.batch.revision + 1 };
}

beforeEach(() => {
  desk = {
    batch: buildOpenBatch({ spreadsheet_file_name: "folha.xlsx", payments_count: 3, errors_count: 2 }),
    transfers: [
      buildTransfer({
        to: { name: "Beatriz", cpf_cnpj: "529982247" },
        errors: [{ ...badTaxId }],
        sheet_row: 14,
      }),
      buildTransfer({
        to: { name: "Ivo Prado", pix_key: "ivo@" },
        errors: [{ code: "pix_key_email_invalid", field: "pix_key" }],
        sheet_row: 87,
      }),
      buildTransfer(),
    ],
    balance: 0,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  fakeServer.on(changeTransfer, ({ params }) => {
    repair(params["tid"] ?? "");
    return desk.transfers.find(({ id }) => id === params["tid"]) ?? buildTransfer();
  });
});

describe("repairing a draft", () => {
  it("BAT-048 a draft with mistakes opens on them, reports them, and marks each row with its reason", async () => {
    open();
    await screen.findByText(
      "Seu lote possui alguns erros! Verifique as transferências em destaque para corrigir.",
    );
    screen.getByText(/2 linhas precisam de correção antes de fechar\. A outra está pronta\./);
    expect((await button("Linhas com erro · 2")).getAttribute("aria-pressed")).toBe("true");
    expect(fakeServer.calls(listTransfers)[0]?.query["status"]).toBe("WITH_ERRORS");
    await screen.findByText("E-mail inválido");
    expect(screen.queryByText("Marina Lopes")).toBeNull();
  });

  it("accepts the proposed document with one press, and moves to the next bad row", async () => {
    const user = userEvent.setup();
    open();
    await user.click(await button("Usar 529.982.247-25"));
    await waitFor(() => expect(fakeServer.calls(changeTransfer)).toHaveLength(1));
    expect(fakeServer.calls(changeTransfer)[0]?.body).toMatchObject({
      destination_bank_account: { cpf_cnpj: "52998224725" },
    });
    const next = await screen.findByRole("form", { name: "Corrigir o pagamento de Ivo Prado" });
    await waitFor(() => expect(next.contains(document.activeElement)).toBe(true));
    const key = within(next).getByLabelText("Chave Pix");
    await user.clear(key);
    await user.type(key, "ivo@exemplo.com{Enter}");
    // No mistakes are left, so the whole list shows.
    await screen.findByText("Marina Lopes");
    expect(screen.queryByRole("button", { name: /Linhas com erro/ })).toBeNull();
  });

  const describedAccount = () => {
    const to = {
      pix_key: null,
      pix_key_type: null,
      bank_id: "60701190",
      agency: "1234",
      account: "56789",
      account_type: "CONTA_CORRENTE",
    };
    desk.transfers[0] = buildTransfer({
      to: { ...to, name: "Beatriz", cpf_cnpj: "529982247", account_digit: "7" },
      payment_method: "TED",
      pix_description: "NF 2",
      errors: [{ ...badTaxId }],
    });
  };

  it("shows the description of a payment to an account in the whole form", async () => {
    const user = userEvent.setup();
    describedAccount();
    open();
    await user.click(await button("Ver o pagamento inteiro"));
    const form = within(await screen.findByRole("dialog", { name: "Editar pagamento" }));
    const shown = await form.findByLabelText<HTMLInputElement>("Descrição Pix (opcional)");
    expect(shown.value).toBe("NF 2");
  });

  it("keeps the sheet's description of a payment to an account", async () => {
    const user = userEvent.setup();
    describedAccount();
    open();
    await user.click(await button("Usar 529.982.247-25"));
    await waitFor(() => expect(fakeServer.calls(changeTransfer)).toHaveLength(1));
    expect(fakeServer.calls(changeTransfer)[0]?.body).toMatchObject({ pix_description: "NF 2" });
  });

  it("leaves the focus alone when the person moved on while a row was being saved", async () => {
    const user = userEvent.setup();
    const saving = Promise.withResolvers<void>();
    fakeServer.on(changeTransfer, async ({ params }) => {
      await saving.promise;
      repair(params["tid"] ?? "");
      return desk.transfers.find(({ id }) => id === params["tid"]) ?? buildTransfer();
    });
    open();
    await user.click(await button("Usar 529.982.247-25"));
    const search = await screen.findByRole("searchbox", { name: "Dados do pagamento" });
    await user.click(search);
    saving.resolve();
    await screen.findByRole("form", { name: "Corrigir o pagamento de Ivo Prado" });
    expect(document.activeElement).toBe(search);
  });

  it("keeps the typed text of a row when another row or the whole form opens, and drops it once it is saved", async () => {
    const user = userEvent.setup();
    open();
    const field = async () => screen.findByLabelText<HTMLInputElement>(/^CPF ou CNPJ/);
    await user.clear(await field());
    await user.type(await field(), "123.456");
    await user.click(await button("Corrigir Ivo Prado"));
    await screen.findByRole("form", { name: "Corrigir o pagamento de Ivo Prado" });
    await user.click(await button("Corrigir Beatriz"));
    await user.click(await button("Recuperar"));
    expect((await field()).value.replace(/\D/g, "")).toBe("123456");
    await user.click(await button("Ver o pagamento inteiro"));
    const whole = within(await screen.findByRole("dialog", { name: "Editar pagamento" }));
    await user.click(await whole.findByRole("button", { name: "Recuperar" }));
    expect(whole.getByLabelText<HTMLInputElement>(/^CPF ou CNPJ/).value.replace(/\D/g, "")).toBe("123456");
    await user.keyboard("{Escape}");
    await user.click(await button("Descartar"));
    await user.click(await button(/^Usar /));
    await screen.findByRole("form", { name: "Corrigir o pagamento de Ivo Prado" });
    expect(sessionStorage.length).toBe(0);
  });

  it("does not send a row that is still wrong", async () => {
    const user = userEvent.setup();
    open();
    const panel = await screen.findByRole("form", { name: "Corrigir o pagamento de Beatriz" });
    await user.click(within(panel).getByRole("button", { name: "Salvar" }));
    await screen.findByText("Há dados inválidos na transferência");
    expect(fakeServer.calls(changeTransfer)).toHaveLength(0);
  });

  it("opens and closes a row's panel by keyboard", async () => {
    const user = userEvent.setup();
    open();
    const toggle = await button("Corrigir Ivo Prado");
    toggle.focus();
    await user.keyboard("{Enter}");
    const panel = await screen.findByRole("form", { name: "Corrigir o pagamento de Ivo Prado" });
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    expect((await button("Fechar a correção de Ivo Prado")).getAttribute("aria-expanded")).toBe("true");
  });

  it("corrects 37 rows of one receiver with the same unknown bank by one choice", async () => {
    const user = userEvent.setup();
    fakeServer.on(listIssueGroups, () => ({
      rows_count: 37,
      data: [
        {
          issue: { code: "bank_missing", field: "bank_id" },
          given: "Banco do Povo",
          receiver: "52998224725",
          count: 37,
          example: desk.transfers[0] ?? buildTransfer(),
          digest: "como-vi",
        },
      ],
    }));
    fakeServer.on(listIssueRows, () => ({ data: desk.transfers.slice(0, 1), count: 37, digest: "linhas" }));
    fakeServer.on(fixIssueGroup, () => ({ fixed: 36, still_wrong: 1 }));
    open();
    await screen.findByText("Informe o banco: “Banco do Povo”");
    screen.getByText(/todos para Beatriz/);
    await user.click(await button("Corrigir as 37 iguais"));
    const asked = within(await screen.findByRole("dialog", { name: "Corrigir 37 pagamentos iguais" }));
    const changing = within(await asked.findByRole("list", { name: "Pagamentos que mudam" }));
    changing.getByText("Beatriz");
    changing.getByText("Na planilha: Banco do Povo");
    asked.getByText("e mais 36");
    await user.click(asked.getByRole("button", { name: "Corrigir 37 pagamentos" }));
    asked.getByText("Escolha o valor que vale para todos");
    await user.type(asked.getByRole("combobox", { name: "Banco para todos" }), "itau{Enter}");
    await user.click(asked.getByRole("button", { name: "Corrigir 37 pagamentos" }));
    await screen.findByText("36 pagamentos corrigidos.");
    screen.getByText("1 pagamento ainda tem outro erro.");
    expect(fakeServer.calls(fixIssueGroup)[0]?.body).toEqual({
      code: "bank_missing",
      field: "bank_id",
      given: "Banco do Povo",
      receiver: "52998224725",
      set: { bank_id: "60701190" },
      digest: "como-vi",
    });
  });

  it("accepts only ticked proposals, each shown by name with the value it replaces", async () => {
    const user = userEvent.setup();
    const digit = (account_digit: string) =>
      ({ code: "account_digit_invalid", field: "account_digit", suggestion: { account_digit } }) as const;
    const toAccount = (name: string, digits: string, own: ReturnType<typeof digit>) =>
      buildTransfer({
        to: {
          name,
          pix_key: null,
          pix_key_type: null,
          bank_id: "60701190",
          account: "123456",
          account_digit: digits,
        },
        errors: [{ ...own }],
      });
    const rows = [toAccount("Elétrica Luz", "9", digit("8")), toAccount("Oficina Sol", "1", digit("2"))];
    const [first] = rows;
    if (!first) throw new Error("no rows");
    fakeServer.on(listIssueGroups, () => ({
      rows_count: 2,
      data: [{ issue: digit("8"), given: null, receiver: null, count: 2, example: first, digest: "grupo" }],
    }));
    fakeServer.on(listIssueRows, () => ({ data: rows, count: 2, digest: "linhas" }));
    fakeServer.on(fixIssueGroup, () => ({ fixed: 1, still_wrong: 0 }));
    open();
    await user.click(await button("Corrigir as duas iguais"));
    const asked = within(await screen.findByRole("dialog", { name: "Corrigir 2 pagamentos iguais" }));
    // Nothing can be accepted before it is ticked.
    expect((asked.getByRole("button", { name: "Marque as sugestões" }) as HTMLButtonElement).disabled).toBe(
      true,
    );
    const line = await asked.findByRole("checkbox", { name: "Elétrica Luz 123456-9 → 123456-8" });
    asked.getByRole("checkbox", { name: "Oficina Sol 123456-1 → 123456-2" });
    await user.click(line);
    await user.click(asked.getByRole("button", { name: "Aceitar 1 sugestão" }));
    await screen.findByText("1 pagamento corrigido.");
    expect(fakeServer.calls(fixIssueGroup)[0]?.body).toEqual({
      code: "account_digit_invalid",
      field: "account_digit",
      given: null,
      receiver: null,
      ids: [first.id],
      digest: "linhas",
    });
  });

  it("BAT-046 BAT-048 a draft whose dates have passed is wrong by today's rules, is corrected together, and does not lead to funding", async () => {
    const user = userEvent.setup();
    const late = { code: "payment_date_expired", field: "payment_date" } as const;
    desk.transfers = desk.transfers.map((one) => ({ ...one, errors: [{ ...late }] }));
    // Stored without errors; only the checks of this moment find them.
    desk.batch = { ...desk.batch, errors_count: 0 };
    let wrong = 3;
    fakeServer.on(validateBatch, () => ({
      hasTimeError: wrong > 0,
      hasTimeWarning: false,
      hasDuplicatedIntegrationId: false,
      errors_count: wrong,
    }));
    const [example] = desk.transfers;
    if (!example) throw new Error("no rows");
    fakeServer.on(listIssueGroups, () => ({
      rows_count: wrong,
      data:
        wrong > 0 ? [{ issue: late, given: null, receiver: null, count: 3, example, digest: "como-vi" }] : [],
    }));
    fakeServer.on(listIssueRows, () => ({ data: desk.transfers, count: 3, digest: "linhas" }));
    fakeServer.on(fixIssueGroup, () => {
      wrong = 0;
      desk.transfers = desk.transfers.map((one) => ({ ...one, errors: [] }));
      return { fixed: 3, still_wrong: 0 };
    });
    const app = open();
    await screen.findByText("Há pagamentos agendados com data vencida.");
    await screen.findByText(
      "Seu lote possui alguns erros! Verifique as transferências em destaque para corrigir.",
    );
    expect((await button("Linhas com erro · 3")).getAttribute("aria-pressed")).toBe("true");
    expect(((await button("Excluir falhas")) as HTMLButtonElement).disabled).toBe(false);
    await user.click(await button("Continuar"));
    await screen.findByText("Corrija os 3 pagamentos com erro antes de continuar.");
    expect(app.address()).not.toContain("etapa");
    await user.click(await button("Corrigir as 3 iguais"));
    const changing = within(await screen.findByRole("list", { name: "Pagamentos que mudam" }));
    expect(changing.getAllByRole("listitem")).toHaveLength(3);
    await user.click(await button("Corrigir 3 pagamentos"));
    await screen.findByText("3 pagamentos corrigidos.");
    await waitFor(() => expect(screen.queryByRole("button", { name: /Linhas com erro/ })).toBeNull());
    expect(fakeServer.calls(fixIssueGroup)[0]?.body).toMatchObject({ set: { payment_date: "" } });
    expect(((await button("Excluir falhas")) as HTMLButtonElement).disabled).toBe(true);
    expect(screen.queryByText(/^Seu lote possui alguns erros!/)).toBeNull();
  });

  it("BAT-048 boletos whose dates have passed take one date together, and those without a description one text", async () => {
    const user = userEvent.setup();
    const late = { code: "payment_date_expired", field: "payment_date" } as const;
    const unnamed = { code: "billet_description_missing", field: "description" } as const;
    desk.batch = { ...desk.batch, type: "BILLET", payments_count: 5, errors_count: 5 };
    desk.transfers = [];
    desk.boletos = [
      buildBoleto({ description: "Energia", errors: [{ ...late }] }),
      buildBoleto({ description: null, errors: [{ ...unnamed }] }),
    ];
    const [dated, bare] = desk.boletos;
    if (!dated || !bare) throw new Error("no rows");
    const groups = new Map([
      [
        "payment_date",
        { issue: late, given: null, receiver: null, count: 3, example: dated, digest: "dias" },
      ],
      [
        "description",
        { issue: unnamed, given: null, receiver: null, count: 2, example: bare, digest: "textos" },
      ],
    ]);
    fakeServer.on(listIssueGroups, () => ({ rows_count: 5, data: [...groups.values()] }));
    fakeServer.on(listIssueRows, () => ({ data: [dated], count: 3, digest: "linhas" }));
    fakeServer.on(fixIssueGroup, ({ body }) => {
      const { field } = body as { field: string };
      groups.delete(field);
      return { fixed: 2, still_wrong: field === "payment_date" ? 1 : 0 };
    });
    open();
    await screen.findByText("3 boletos · por exemplo Energia");
    screen.getByText("2 boletos · por exemplo Boleto sem descrição");
    await user.click(await button("Corrigir as 3 iguais"));
    const dates = within(await screen.findByRole("dialog", { name: "Corrigir 3 boletos iguais" }));
    await user.type(dates.getByLabelText("Data do pagamento para todos"), "15/12/2026");
    await user.click(dates.getByRole("button", { name: "Corrigir 3 boletos" }));
    await screen.findByText("2 boletos corrigidos.");
    screen.getByText("1 boleto ainda tem outro erro.");

    await user.click(await button("Corrigir as duas iguais"));
    const texts = within(await screen.findByRole("dialog", { name: "Corrigir 2 boletos iguais" }));
    texts.getByText("Descrição do boleto: O campo não pode ser vazio");
    await user.click(texts.getByRole("button", { name: "Corrigir 2 boletos" }));
    texts.getByText("Escolha o valor que vale para todos");
    await user.type(texts.getByRole("textbox", { name: "Descrição para todos" }), "Contas do mês{Enter}");
    await waitFor(() => expect(screen.queryByText("Erros que se repetem")).toBeNull());
    expect(fakeServer.calls(fixIssueGroup).map(({ body }) => body)).toEqual([
      { ...late, given: null, receiver: null, set: { payment_date: "2026-12-15" }, digest: "dias" },
      { ...unnamed, given: null, receiver: null, set: { description: "Contas do mês" }, digest: "textos" },
    ]);
  });

  it("FST-024 downloads only the bad rows, with the session's token", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadBadRows, () => "bytes");
    open();
    await user.click(await button("Baixar só as linhas com erro"));
    await waitFor(() => expect(saved).toEqual(["folha-11-2026-linhas-com-erro.xlsx"]));
    await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_REPORT"));
    expect(fakeServer.calls(downloadBadRows)[0]?.headers.get("authorization")).toMatch(/^Bearer /);
  });
});
