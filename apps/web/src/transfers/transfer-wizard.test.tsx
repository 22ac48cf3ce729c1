import { readCheckpoint, readCompanySettings } from "@malote/contracts/company";
import { searchReceivers } from "@malote/contracts/receivers";
import {
  addTransfer,
  changeTransfer,
  listFailedOfReceiver,
  readDuplicatedIntegrationId,
  refundTransfer,
  removeTransfer,
} from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildReceiver, buildTransfer } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
let hasIntegrationId: boolean;
const limits = { TED: 500_000, PIX: 100_000, TEV: 900_000, BILLET: 1 };
const dialog = (name: string | RegExp) => screen.findByRole("dialog", { name });
const button = (name: string | RegExp) => screen.findByRole("button", { name });

function open(pagamento: string, given: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp(`/pagamentos/lotes?lote=${desk.batch.id}&pagamento=${pagamento}`, given);
  fakeServer.on(readCompanySettings, () => ({
    ...buildCompanySettings(given.settings),
    accountLimits: limits,
    hasIntegrationId,
    publicEntityNeedsCaixa: true,
  }));
  return app;
}
const fill = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
const added = () => fakeServer.calls(addTransfer)[0]?.body;

// It loads when it is opened, and reading its parts for the first time is no part of any test.
beforeAll(() => import("./transfer-wizard.tsx"));
beforeEach(() => {
  hasIntegrationId = true;
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
  fakeServer.on(addTransfer, () => buildTransfer());
  fakeServer.on(changeTransfer, () => buildTransfer());
  fakeServer.on(readDuplicatedIntegrationId, () => ({ isDuplicated: false }));
});

describe("a new payment", () => {
  it("FST-024 RCV-022 points once at the search of receivers, which is recorded", async () => {
    open("novo");
    fakeServer.on(readCheckpoint, ({ params }) => ({
      exists: params["id"] !== "HAS_SEEN_RECEIVER_SEARCH_TOUR",
    }));
    const hint = within(await screen.findByRole("group", { name: "Dica" }));
    hint.getByText("Busque aqui seus recebedores");
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_SEEN_RECEIVER_SEARCH_TOUR"]));
    await userEvent.click(hint.getByRole("button", { name: "Entendi" }));
    await waitFor(() => expect(screen.queryByRole("group", { name: "Dica" })).toBeNull());
    expect(document.activeElement).toBe(screen.getByLabelText("Buscar um recebedor cadastrado"));
  });

  it("TRF-014 TRF-020 TRF-027 TRF-044 saves a Pix with what was typed and 'Hoje' as no date", async () => {
    const user = userEvent.setup();
    open("novo");
    await dialog("Criar novo pagamento");
    const layer = screen.getByRole("dialog", { name: "Criar novo pagamento" }).parentElement;
    expect(layer?.getAttribute("data-place")).toBe("full");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", " Marina@Exemplo.com ");
    await fill(/Qual o valor/, "R$ 234,5");
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    expect(added()).toMatchObject({
      value: 23_450,
      payment_date: null,
      pix_key_validation: null,
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "marina@exemplo.com", bank_id: null },
    });
  });

  it("TRF-020 shows what was saved in the list of the batch, and no message beside it", async () => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, () => {
      const made = buildTransfer({ to: { name: "Ivo Reis" } });
      desk.transfers = [...desk.transfers, made];
      return made;
    });
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "ivo@exemplo.com");
    await fill(/Qual o valor/, "10");
    expect(screen.queryByText("Ivo Reis")).toBeNull();
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Ivo Reis");
    expect(screen.queryByText(/sucesso/)).toBeNull();
  });

  it("TRF-024 TRF-036 TRF-037 refuses, says each mistake in words and gives the summary the focus", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "123");
    await fill(/Qual o valor/, "2000");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Há dados inválidos na transferência");
    const summary = screen.getByText("Corrija antes de continuar:").parentElement as HTMLElement;
    expect(document.activeElement).toBe(summary);
    within(summary).getByText("Chave Pix: A chave Pix deve ser válida");
    within(summary).getByText("Valor: O valor máximo é R$ 1.000,00");
    expect(fakeServer.calls(addTransfer)).toHaveLength(0);
  });

  it("TRF-044 a day that does not exist is shown and not paid today", async () => {
    open("novo");
    await fill("Chave Pix (CNPJ)", "72491638000183");
    await fill(/Qual o valor/, "10");
    await fill("Data do pagamento", "31112026");
    await userEvent.click(await button("Salvar pagamento"));
    await screen.findByText("Data do pagamento: Data de pagamento inválida");
    expect(screen.getByLabelText<HTMLInputElement>("Data do pagamento").value).toBe("31/11/2026");
    expect(fakeServer.calls(addTransfer)).toEqual([]);
  });

  it("TRF-038 the label says the maximum of the method", async () => {
    const user = userEvent.setup();
    open("novo");
    await screen.findByLabelText("Qual o valor? (máximo de R$ 1.000,00)");
    await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
    await screen.findByLabelText("Qual o valor? (máximo de R$ 5.000,00)");
  });

  it("TRF-025 TRF-026 on leaving, the key takes its own form and type", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "52998224725");
    await user.tab();
    expect((await screen.findByLabelText<HTMLInputElement>("Chave Pix (CPF)")).value).toBe("529.982.247-25");
    await user.click(screen.getByRole("radio", { name: "Celular" }));
    await fill("Chave Pix (Celular)", "+55 11 98765-4321");
    await user.tab();
    expect(screen.getByLabelText<HTMLInputElement>("Chave Pix (Celular)").value).toBe("(11) 98765-4321");
  });

  it("TRF-028 TRF-039 pays an account by TED, with the bank found by its code and the digit proposed", async () => {
    const user = userEvent.setup();
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Conta bancária" }));
    await user.type(await screen.findByRole("combobox", { name: "Banco" }), "341{Enter}");
    await fill("Agência", "1234");
    await fill("Conta", "12345");
    await fill("Dígito da conta", "9");
    await fill("Nome ou razão social", "Maria da Silva");
    await fill("CPF ou CNPJ", "52998224725");
    await fill(/Qual o valor/, "10");
    await user.click(await button("Salvar pagamento"));
    await user.click((await screen.findAllByRole("button", { name: /^Usar 12345-/ }))[0] as HTMLElement);
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
    expect(added()).toMatchObject({
      destination_bank_account: { bank_id: "60701190", agency: "1234", account: "12345", pix_key: null },
    });
  });

  it("TRF-035 says that public entities are for companies", async () => {
    const user = userEvent.setup();
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Conta bancária" }));
    await fill("CPF ou CNPJ", "529.982.247-25");
    await user.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
    await user.click(await screen.findByRole("option", { name: "Entidades públicas" }));
    await screen.findByText("Esse tipo de conta somente permite pagamento para pessoa jurídica");
  });

  it("RCV-021 TRF-017 finds a saved receiver from three letters and fills the form", async () => {
    const user = userEvent.setup();
    fakeServer.on(searchReceivers, () => ({ data: [buildReceiver()] }));
    open("novo");
    const field = await screen.findByRole("combobox", { name: "Buscar um recebedor cadastrado" });
    await user.type(field, "ma");
    expect(fakeServer.calls(searchReceivers)).toHaveLength(0);
    await user.type(field, "r");
    await user.click(await screen.findByRole("option", { name: /Marina Lopes/ }));
    expect((await screen.findByLabelText<HTMLInputElement>("Chave Pix (E-mail)")).value).toBe(
      "marina@exemplo.com",
    );
  });

  it("TRF-017 asks for an integration id where the company has them, and only there", async () => {
    hasIntegrationId = false;
    const app = open("novo");
    await screen.findByLabelText("Qual o valor? (máximo de R$ 1.000,00)");
    expect(screen.queryByLabelText(/ID de integração/)).toBeNull();
    app.unmount();
    hasIntegrationId = true;
    open("novo");
    await screen.findByLabelText("ID de integração (opcional)");
  });

  it("TRF-022 a used integration id warns and does not block", async () => {
    const user = userEvent.setup();
    fakeServer.on(readDuplicatedIntegrationId, () => ({ isDuplicated: true }));
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await fill(/ID de integração/, "NF-1");
    await user.tab();
    await screen.findByText("ID de integração já usado em outro pagamento");
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
  });

  it("keeps a half-filled form over a reload and offers it back", async () => {
    const user = userEvent.setup();
    const app = open("novo");
    await fill("Chave Pix (CNPJ)", "27418639");
    app.unmount();
    open("novo");
    await screen.findByText("Encontramos um preenchimento que não foi salvo.");
    await user.click(await button("Recuperar"));
    expect((await screen.findByLabelText<HTMLInputElement>("Chave Pix (CNPJ)")).value).toBe("27418639");
  });

  it("asks before throwing away what was typed, and then forgets it", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "27418639");
    await user.keyboard("{Escape}");
    await user.click(
      within(await dialog("Descartar o que foi preenchido?")).getByRole("button", { name: "Descartar" }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    expect(sessionStorage).toHaveLength(0);
  });

  it("TRF-020 says that saving failed and keeps the form", async () => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, () => refuse("batch_not_draft"));
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText(/Este lote já não é um rascunho/);
    expect(screen.getByLabelText<HTMLInputElement>("Chave Pix (E-mail)").value).toBe("a@b.com");
  });
});

describe("an existing payment", () => {
  it("TRF-021 deletes after asking", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeTransfer, () => ({ ok: true as const }));
    open(desk.transfers[0]?.id ?? "");
    await dialog("Editar pagamento");
    await user.click(await button("Excluir"));
    await user.click(
      within(await dialog("Excluir transferência")).getByRole("button", { name: "Excluir transferência" }),
    );
    await waitFor(() => expect(fakeServer.calls(removeTransfer)).toHaveLength(1));
  });

  it("BAT-040 TRF-055 outside a draft the details open, with every field", async () => {
    desk.batch = { ...desk.batch, status: "FINISHED" };
    desk.transfers = [
      buildTransfer({ status: "FINISHED", end_to_end_id: "E9999", pix_description: "Olá <b>Ana</b>" }),
    ];
    open(desk.transfers[0]?.id ?? "");
    await screen.findByText("E9999");
    const shown = within(await dialog("Detalhes da transferência"));
    expect(shown.getByText("Ana").tagName).toBe("B");
    shown.getByRole("button", { name: "Copiar Chave Pix" });
    shown.getByRole("button", { name: "Voltar" });
  });

  it("is followed in its details while it runs", async () => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "EXECUTING" })];
    open(desk.transfers[0]?.id ?? "");
    await screen.findByText("Identificador");
    const shown = within(await dialog("Detalhes da transferência"));
    shown.getByText("Em processamento");
    desk.batch = { ...desk.batch, status: "FINISHED", paid_count: 1 };
    desk.transfers = desk.transfers.map((one) => ({ ...one, status: "FINISHED" }));
    await waitFor(() => shown.getByText("Transferida"), { timeout: 3_500 });
  });

  describe("that failed", () => {
    beforeEach(() => {
      desk.batch = { ...desk.batch, status: "RECEIVED", failed_count: 1 };
      const failed = { status: "FAILED", status_description: "Conta encerrada" } as const;
      desk.transfers = [buildTransfer(failed), buildTransfer(failed)];
      fakeServer.on(listFailedOfReceiver, () => ({ data: desk.transfers }));
    });

    it("TRF-016 TRF-018 TRF-045 is corrected with the bank's reason in sight, its value fixed", async () => {
      const user = userEvent.setup();
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      const wizard = within(await dialog("Editar pagamento"));
      wizard.getByText("Motivo da falha informado pelo banco:");
      wizard.getByText("Conta encerrada");
      expect(wizard.getByLabelText<HTMLInputElement>(/Qual o valor/).disabled).toBe(true);
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      await user.click(wizard.getByRole("button", { name: "Salvar correção" }));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer)[0]?.body).toMatchObject({
        value: 12_345,
        destination_bank_account: { pix_key: "outra@exemplo.com" },
      });
    });

    it("TRF-045 says that a correction waits for another person, and not that it is processed", async () => {
      const user = userEvent.setup();
      fakeServer.on(changeTransfer, () => ({
        ...buildTransfer({ status: "FAILED" }),
        awaits_approval: true,
      }));
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await user.click(await button("Salvar correção"));
      await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
      expect(screen.queryByText(/será processada novamente/)).toBeNull();
    });

    it("is corrected once by two clicks at the same moment", async () => {
      const user = userEvent.setup();
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      const save = await button("Salvar correção");
      let isFirst = true;
      fakeServer.on(changeTransfer, () => {
        const answer = isFirst ? buildTransfer() : refuse("transfer_not_failed");
        isFirst = false;
        return answer;
      });
      save.click();
      save.click();
      await dialog("Detalhes da transferência");
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      expect(fakeServer.calls(changeTransfer)).toHaveLength(1);
    });

    it.each([
      ["was corrected by a request whose answer was lost", "unavailable", "EXECUTING"],
      ["was corrected in another tab", "transfer_not_failed", "FINISHED"],
      ["was refunded by somebody else", "transfer_not_failed", "RETURNED"],
    ] as const)("leads back from the form to the details when it %s", async (_case, code, status) => {
      const user = userEvent.setup();
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      fakeServer.on(changeTransfer, () => {
        desk.transfers = desk.transfers.map((one) => ({ ...one, status }));
        return refuse(code);
      });
      await user.click(await button("Salvar correção"));
      await dialog("Detalhes da transferência");
      await screen.findByText(/Este pagamento mudou enquanto o formulário estava aberto/);
      expect(screen.queryByRole("dialog", { name: "Editar pagamento" })).toBeNull();
      expect(sessionStorage).toHaveLength(0);
    });

    it("keeps the form and what was typed while it can still be corrected", async () => {
      const user = userEvent.setup();
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await fill("Chave Pix (E-mail)", "outra@exemplo.com");
      fakeServer.on(changeTransfer, () => refuse("unavailable"));
      await user.click(await button("Salvar correção"));
      await screen.findByText(/Estamos nos recuperando/);
      fakeServer.on(changeTransfer, () => buildTransfer());
      await user.click(await button("Salvar correção"));
      await screen.findByText("Sua transferência foi corrigida e será processada novamente!");
      const sent = { destination_bank_account: { pix_key: "outra@exemplo.com" } };
      expect(fakeServer.calls(changeTransfer).map(({ body }) => body)).toMatchObject([sent, sent]);
    });

    it("says that its money went back when it is refunded from the form", async () => {
      const user = userEvent.setup();
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Corrigir pagamento"));
      await dialog("Editar pagamento");
      await user.click(await button("Devolver ao saldo"));
      const asked = within(await dialog("Editar dados de pagamento"));
      await asked.findByText(/Todos os 2 serão devolvidos/);
      fakeServer.on(refundTransfer, () => {
        desk.transfers = desk.transfers.map((one) => ({ ...one, status: "RETURNED" }));
        return desk.transfers[0] ?? buildTransfer();
      });
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText("Sua transferência foi devolvida!");
      expect(screen.queryByText(/Este pagamento mudou/)).toBeNull();
      await dialog("Detalhes da transferência");
    });

    it("TRF-046 TRF-047 TRF-048 says how many go back, and a retry repeats the same key", async () => {
      const user = userEvent.setup();
      fakeServer.on(refundTransfer, () => refuse("unavailable"));
      open(desk.transfers[0]?.id ?? "");
      await user.click(await button("Devolver ao saldo"));
      const asked = within(await dialog("Editar dados de pagamento"));
      await asked.findByText(/Todos os 2 serão devolvidos/);
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText(/Estamos nos recuperando/);
      fakeServer.on(refundTransfer, () => buildTransfer({ status: "RETURNED" }));
      await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
      await screen.findByText("Sua transferência foi devolvida!");
      const keys = fakeServer.calls(refundTransfer).map(({ headers }) => headers.get("idempotency-key"));
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
    });

    it("is corrected and refunded by an operator, as long as the company's controls let them", async () => {
      open(desk.transfers[0]?.id ?? "", { session: { profile: "operator" } });
      await button("Devolver ao saldo");
      await button("Corrigir pagamento");
    });

    it("TRF-046 is neither corrected nor refunded by an operator whom the company forbids it, who reads whom to ask", async () => {
      const settings = { operatorsMayCorrect: false, operatorsMayGiveBack: false };
      open(desk.transfers[0]?.id ?? "", { session: { profile: "operator" }, settings });
      await dialog("Detalhes da transferência");
      await screen.findByText("Só administradores corrigem. Peça a um administrador da sua empresa.");
      expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
      expect(screen.queryByRole("button", { name: "Corrigir pagamento" })).toBeNull();
    });
  });
});
