/** Existing boleto: changed, deleted, and after a failure corrected or returned. */
import {
  type Boleto,
  changeBoleto,
  readDuplicatedBoleto,
  refundBoleto,
  removeBoleto,
} from "@malote/contracts/boletos";
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import {
  answerBare,
  boletoWizard,
  button,
  codeLabel,
  describeIt,
  dialog,
  energy,
  field,
  open,
  paste,
  sicoob,
  user,
} from "../testing/boleto-wizard.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto } from "../testing/payments.ts";

async function shownDetails() {
  await screen.findByText("Identificador");
  return dialog("Detalhes do boleto");
}

const only = () => served.desk.boletos?.[0] as Boleto;

const { served, show } = boletoWizard();

describe("a boleto of a draft", () => {
  it("BIL-002 BIL-021 BIL-023 opens in its form and is changed", async () => {
    show(only().id);
    const wizard = await dialog("Editar boleto");
    expect((await field(codeLabel)).value).toBe(sicoob.shown);
    await user.clear(await field("Descrição"));
    await describeIt();
    await user.click(wizard.getByRole("button", { name: "Salvar boleto" }));
    await screen.findByText("Boleto incluído com sucesso");
    const [sent] = fakeServer.calls(changeBoleto);
    expect([sent?.params, sent?.body]).toEqual([
      { id: served.desk.batch.id },
      {
        id: only().id,
        value: 15_000,
        payment_date: null,
        barcode: sicoob.barcode,
        description: "Aluguel",
        integration_id: null,
      },
    ]);
  });

  it("BIL-002 keeps its date and integration id when its description is changed, in companies without such ids too", async () => {
    const kept = { payment_date: "2026-12-01", integration_id: "NF-7" };
    served.desk.boletos = [buildBoleto(kept)];
    show(only().id);
    await user.clear(await field("Descrição"));
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(changeBoleto).map(({ body }) => body)).toEqual([
      { id: only().id, value: 15_000, barcode: sicoob.barcode, description: "Aluguel", ...kept },
    ]);
  });

  it.each(["", "   "])("BIL-015 is not saved once its description was emptied: '%s'", async (text) => {
    show(only().id);
    await dialog("Editar boleto");
    const description = await field("Descrição");
    await user.clear(description);
    if (text) await user.type(description, text);
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Descrição: O campo não pode ser vazio");
    expect(fakeServer.calls(changeBoleto)).toHaveLength(0);
  });

  it("BIL-021 shows a failed change in general words, and keeps the form", async () => {
    answerBare(new Response("", { status: 418 }), "PUT");
    show(only().id);
    await dialog("Editar boleto");
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Ocorreu um erro ao salvar o boleto. Tente salvar novamente!");
    expect((await field(codeLabel)).value).toBe(sicoob.shown);
  });

  it("BIL-013 is no duplicate of itself", async () => {
    fakeServer.on(readDuplicatedBoleto, ({ query }) => ({
      isDuplicated: query["id"] !== only().id,
      batch: null,
    }));
    show(only().id);
    await dialog("Editar boleto");
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(readDuplicatedBoleto)[0]?.query).toEqual({
      id: only().id,
      barcode: sicoob.barcode,
    });
  });

  it("shows its mistakes from the start", async () => {
    served.desk.boletos = [
      buildBoleto({
        description: null,
        errors: [{ code: "billet_description_missing", field: "description" }],
      }),
    ];
    show(only().id);
    await screen.findByText("Descrição: O campo não pode ser vazio");
  });

  it("BIL-023 opens in its form for operators too", async () => {
    show(only().id, { session: { profile: "operator" } });
    await dialog("Editar boleto");
  });

  it("BIL-023 opens in its details for analysts", async () => {
    show(only().id, { session: { profile: "analyst" } });
    const details = await shownDetails();
    expect(details.queryByRole("button", { name: /Corrigir|Excluir|Cancelar/ })).toBeNull();
  });

  it("BIL-022 is deleted after a question", async () => {
    fakeServer.on(removeBoleto, () => ({ ok: true as const }));
    show(only().id);
    await user.click(await button("Excluir"));
    const question = await dialog("Excluir boleto");
    question.getByText("Aluguel de novembro");
    expect(fakeServer.calls(removeBoleto)).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Excluir boleto" }));
    await screen.findByText("Boleto excluído com sucesso");
    expect(fakeServer.calls(removeBoleto).map(({ params }) => params)).toEqual([
      { id: served.desk.batch.id, billetId: only().id },
    ]);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Editar boleto" })).toBeNull());
  });

  it("BIL-022 reports a failed deletion without a code", async () => {
    answerBare(new Response("", { status: 418 }), "DELETE");
    show(only().id);
    await user.click(await button("Excluir"));
    await user.click((await dialog("Excluir boleto")).getByRole("button", { name: "Excluir boleto" }));
    await screen.findByText("Ocorreu um erro ao excluir o boleto. Tente excluir novamente!");
  });

  it("BIL-022 shows the text of the code when a deletion is refused", async () => {
    fakeServer.on(removeBoleto, () => refuse("batch_not_draft"));
    show(only().id);
    await user.click(await button("Excluir"));
    await user.click((await dialog("Excluir boleto")).getByRole("button", { name: "Excluir boleto" }));
    await screen.findByText(/Este lote já não é um rascunho/);
    expect(screen.queryByText(/^Ocorreu um erro ao excluir/)).toBeNull();
  });
});

describe("a boleto that failed", () => {
  beforeEach(() => {
    served.desk.batch = { ...served.desk.batch, status: "RECEIVED", failed_count: 1 };
    served.desk.boletos = [buildBoleto({ status: "FAILED", status_description: "Boleto <b>baixado</b>" })];
  });

  it("BIL-002 is corrected by an admin with the reason in sight, for the same value and as soon as it can be paid", async () => {
    served.desk.boletos = [{ ...only(), payment_date: "2026-11-18", integration_id: "NF-7" }];
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    const wizard = await dialog("Editar boleto");
    wizard.getByText("Boleto baixado");
    expect((await field("Valor")).readOnly).toBe(true);
    await user.click(wizard.getByRole("button", { name: "Salvar correção" }));
    await screen.findByText("Boleto corrigido! Ele será pago novamente.");
    expect(fakeServer.calls(changeBoleto)[0]?.body).toEqual({
      id: only().id,
      value: 15_000,
      payment_date: null,
      barcode: sicoob.barcode,
      description: "Aluguel de novembro",
      integration_id: "NF-7",
    });
    await dialog("Detalhes do boleto");
  });

  it("is not corrected with a code of another value", async () => {
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    await paste(codeLabel, energy.line);
    await screen.findByText(/^Este código é de R\$\s123,45, e o valor reservado é de R\$\s150,00\./);
    expect((await field("Valor")).value).toBe("R$ 150,00");
    await user.click(await button("Salvar correção"));
    await screen.findByText("Há dados inválidos no boleto");
    expect(fakeServer.calls(changeBoleto)).toHaveLength(0);
  });

  it("is corrected with a code that leaves the value open", async () => {
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    await paste(codeLabel, open);
    await user.click(await button("Salvar correção"));
    await screen.findByText("Boleto corrigido! Ele será pago novamente.");
    expect(fakeServer.calls(changeBoleto)[0]?.body).toMatchObject({ value: 15_000 });
  });

  it("returns from the form to the details when another person refunded it", async () => {
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    await field(codeLabel);
    fakeServer.on(changeBoleto, () => {
      served.desk.boletos = [{ ...only(), status: "RETURNED" }];
      return refuse("transfer_not_failed");
    });
    await user.click(await button("Salvar correção"));
    await dialog("Detalhes do boleto");
    await screen.findByText(/Este pagamento mudou enquanto o formulário estava aberto/);
  });

  it("returns to the balance once, by two clicks at the same moment, under one key", async () => {
    fakeServer.on(refundBoleto, () => {
      served.desk.boletos = [{ ...only(), status: "RETURNED" }];
      return only();
    });
    show(only().id);
    await user.click(await button("Devolver ao saldo"));
    const question = await dialog("Devolver boleto ao saldo");
    question.getByText("Aluguel de novembro");
    const confirm = question.getByRole("button", { name: "Devolver ao saldo" });
    confirm.click();
    confirm.click();
    await screen.findByText("O valor do boleto voltou para o saldo!");
    const calls = fakeServer.calls(refundBoleto);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    await (await shownDetails()).findByText("Devolvido");
  });

  it("offers an operator both actions when the company's controls allow them", async () => {
    show(only().id, { session: { profile: "operator" } });
    await screen.findByRole("button", { name: "Corrigir boleto" });
    screen.getByRole("button", { name: "Devolver ao saldo" });
  });

  it.each([
    [true, false],
    [false, true],
  ])(
    "an operator may correct: %s, return: %s, each by its own control",
    async (operatorsMayCorrect, operatorsMayGiveBack) => {
      show(only().id, {
        session: { profile: "operator" },
        settings: { operatorsMayCorrect, operatorsMayGiveBack },
      });
      await screen.findByRole("button", {
        name: operatorsMayCorrect ? "Corrigir boleto" : "Devolver ao saldo",
      });
      const isOffered = (name: string) => screen.queryByRole("button", { name }) !== null;
      expect(isOffered("Devolver ao saldo")).toBe(operatorsMayGiveBack);
      expect(isOffered("Corrigir boleto")).toBe(operatorsMayCorrect);
      if (!operatorsMayCorrect) return;
      await user.click(screen.getByRole("button", { name: "Corrigir boleto" }));
      await screen.findByRole("button", { name: "Salvar correção" });
      expect(isOffered("Devolver ao saldo")).toBe(false);
    },
  );

  it.each(["operator", "analyst"] as const)("is neither corrected nor refunded by an %s", async (profile) => {
    // The company's controls may allow operators both; here they do not.
    const settings = { operatorsMayCorrect: false, operatorsMayGiveBack: false };
    show(only().id, { session: { profile }, settings });
    (await shownDetails()).getByText("Boleto baixado");
    expect(screen.queryByRole("button", { name: "Corrigir boleto" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
  });
});
