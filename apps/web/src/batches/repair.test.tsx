import { downloadBadRows, fixIssueGroup, listIssueGroups } from "@malote/contracts/batches";
import { readCompanySettings } from "@malote/contracts/company";
import { changeTransfer, listTransfers } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
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

/** The server after a correction: the row is right, and the batch has one error less. */
function mend(id: string) {
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
    mend(params["tid"] ?? "");
    return desk.transfers.find(({ id }) => id === params["tid"]) ?? buildTransfer();
  });
});

describe("repairing a draft", () => {
  it("BAT-048 a draft with mistakes opens on them, says so, and marks each with its reason", async () => {
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

  it("takes the proposed document with one press, and goes on to the next bad row", async () => {
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
    // All is well again: the whole list shows by itself.
    await screen.findByText("Marina Lopes");
    expect(screen.queryByRole("button", { name: /Linhas com erro/ })).toBeNull();
  });

  it("leaves the focus to who went elsewhere while a row was being saved", async () => {
    const user = userEvent.setup();
    const saving = Promise.withResolvers<void>();
    fakeServer.on(changeTransfer, async ({ params }) => {
      await saving.promise;
      mend(params["tid"] ?? "");
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

  it("corrects 37 rows with the same unknown bank by one choice", async () => {
    const user = userEvent.setup();
    fakeServer.on(listIssueGroups, () => ({
      rows_count: 37,
      data: [
        {
          issue: { code: "bank_missing", field: "bank_id" },
          given: "Banco do Povo",
          count: 37,
          example: desk.transfers[0] ?? buildTransfer(),
        },
      ],
    }));
    fakeServer.on(fixIssueGroup, () => ({ fixed: 36, still_wrong: 1 }));
    open();
    await screen.findByText("Informe o banco: “Banco do Povo”");
    await user.click(await button("Corrigir as 37 iguais"));
    const asked = within(await screen.findByRole("dialog", { name: "Corrigir 37 pagamentos iguais" }));
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
      set: { bank_id: "60701190" },
    });
  });

  it("accepts each row's own proposal at once", async () => {
    const user = userEvent.setup();
    const example = desk.transfers[0] ?? buildTransfer();
    fakeServer.on(listIssueGroups, () => ({
      rows_count: 2,
      data: [{ issue: { ...badTaxId }, given: null, count: 2, example }],
    }));
    fakeServer.on(fixIssueGroup, () => ({ fixed: 2, still_wrong: 0 }));
    open();
    await user.click(await button("Corrigir as duas iguais"));
    await user.click(await button("Aceitar as sugestões"));
    await screen.findByText("2 pagamentos corrigidos.");
    expect(fakeServer.calls(fixIssueGroup)[0]?.body).toEqual({
      code: "tax_id_invalid",
      field: "cpf_cnpj",
      given: null,
    });
  });

  it("downloads only the bad rows, with the session's token", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadBadRows, () => "bytes");
    open();
    await user.click(await button("Baixar só as linhas com erro"));
    await waitFor(() => expect(saved).toEqual(["folha-11-2026-linhas-com-erro.xlsx"]));
    expect(fakeServer.calls(downloadBadRows)[0]?.headers.get("authorization")).toMatch(/^Bearer /);
  });
});
