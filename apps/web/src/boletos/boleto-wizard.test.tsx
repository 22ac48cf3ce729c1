import {
  addBillet,
  type Boleto,
  changeBillet,
  readDuplicatedBillet,
  readDuplicatedBilletIntegrationId,
  refundBillet,
  removeBillet,
} from "@malote/contracts/boletos";
import { readBankByCode, readCompanySettings } from "@malote/contracts/company";
import { lookUpBillet } from "@malote/contracts/lookups";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto, buildOpenBatch } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

/** Sicoob's, of R$ 150,00, due on 2027-02-15. */
const sicoob = {
  barcode: "75694172300000150001432101012345678000012301",
  line: "75691432120101234567280000123010417230000015000",
  shown: "75691.43212 01012.345672 80000.123010 4 17230000015000",
};
/** Itaú's, of R$ 0,50, due on 2025-02-22. */
const overdue = "34191091233456789005771234570001610000000000050";
/** Nubank's without value, due on 2026-12-10. */
const open = "26090000010000000000000000000000316560000000000";
/** A utility's, of R$ 123,45; its code has no due date. */
const energy = {
  barcode: "82620000001234512341234567890123456789012345",
  line: "826200000014234512341236456789012345567890123456",
  shown: "82620000001-4 23451234123-6 45678901234-5 56789012345-6",
};

let desk: Desk;
let hasIntegrationId: boolean;
const user = userEvent.setup();
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const codeLabel = "Linha digitável ou código de barras";
const field = (label: string | RegExp) => screen.findByLabelText<HTMLInputElement>(label);

function show(pagamento = "novo", options: Parameters<typeof renderApp>[1] = {}) {
  const app = renderApp(`/pagamentos/lotes?lote=${desk.batch.id}&pagamento=${pagamento}`, options);
  fakeServer.on(readCompanySettings, () => ({
    ...buildCompanySettings(options?.settings),
    accountLimits: { TED: 1, PIX: 1, TEV: 1, BILLET: 1_000_000_00 },
    hasIntegrationId,
  }));
  return app;
}

async function paste(label: string, text: string) {
  const box = await field(label);
  await user.clear(box);
  await user.click(box);
  await user.paste(text);
  return box;
}
const describeIt = async () => user.type(await field("Descrição"), "Aluguel");

/** A Thursday, at noon in São Paulo. */
function at(moment: string) {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(moment);
}

// It loads when it is opened, and reading its parts for the first time is no part of any test.
beforeAll(() => import("./boleto-wizard.tsx"));
beforeEach(() => {
  at("2026-11-19T15:00:00.000Z");
  hasIntegrationId = false;
  desk = {
    batch: buildOpenBatch({ type: "BILLET", name: "Contas" }),
    transfers: [],
    boletos: [buildBoleto()],
    balance: 0,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  fakeServer.on(addBillet, () => buildBoleto());
  fakeServer.on(changeBillet, () => buildBoleto());
  fakeServer.on(readDuplicatedBillet, () => ({ isDuplicated: false }));
});

describe("a new boleto", () => {
  it("BIL-002 BIL-007 BIL-018 BIL-021 is added, with its three sections and 'Hoje' as no date", async () => {
    show();
    const wizard = await dialog("Adicionar boleto");
    const layer = screen.getByRole("dialog", { name: "Adicionar boleto" }).parentElement;
    expect(layer?.getAttribute("data-place")).toBe("full");
    wizard.getByRole("heading", { name: "Qual é o boleto que você deseja pagar?" });
    wizard.getByRole("heading", { name: "Dados do boleto a ser pago" });
    wizard.getByRole("heading", { name: "Descrição do boleto" });
    expect((await field("Data do pagamento")).placeholder).toBe("Hoje");
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    const [sent] = fakeServer.calls(addBillet);
    expect(sent?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      value: 15_000,
      payment_date: null,
      barcode: sicoob.barcode,
      description: "Aluguel",
      integration_id: null,
    });
  });

  it.each([
    ["a bank's line", sicoob.line, sicoob.shown],
    ["a bank's line with its mask", sicoob.shown, sicoob.shown],
    ["a bank's line with blanks and dashes", ` ${sicoob.line.replace(/(\d{9})/g, "$1 - ")} `, sicoob.shown],
    ["a bank's barcode", sicoob.barcode, sicoob.shown],
    ["a utility's line", energy.line, energy.shown],
    ["a utility's line with its mask", energy.shown, energy.shown],
    ["a utility's barcode", energy.barcode, energy.shown],
  ])(
    "BIL-010 takes %s that is pasted, over what was there, and shows the line",
    async (_case, text, shown) => {
      show();
      const box = await paste(codeLabel, "34191");
      expect(box.value.replace(/\D/g, "")).toBe("34191");
      await user.paste(text);
      await waitFor(() => expect(box.value).toBe(shown));
    },
  );

  it.each([
    ["bank", sicoob.line, sicoob.shown],
    ["concessionaire", energy.line, energy.shown],
  ])("BIL-010 puts in the signs of the %s style while digits are typed", async (_case, line, shown) => {
    show();
    const box = await field(codeLabel);
    await user.type(box, `${line.slice(0, 3)}x${line.slice(3)}`);
    expect(box.value).toBe(shown);
  });

  it("BIL-010 a scanner types the barcode and Enter: the line shows, and what is missing takes the focus", async () => {
    show();
    const box = await field(codeLabel);
    await user.type(box, `${sicoob.barcode}{Enter}`);
    expect(box.value).toBe(sicoob.shown);
    expect(document.activeElement).toBe(await field("Descrição"));
    expect((await field("Valor")).value).toBe("R$ 150,00");
    expect(fakeServer.calls(addBillet)).toHaveLength(0);
  });

  it("BIL-016 BIL-019 the code fills value, due date and bank; its value cannot be edited", async () => {
    show();
    await paste(codeLabel, sicoob.line);
    const value = await field("Valor");
    expect(value.value).toBe("R$ 150,00");
    expect(value.readOnly).toBe(true);
    expect((await field("Vencimento")).value).toBe("15/02/2027");
    await screen.findByText(/^756 · /);
    // A code that no bank has is said as it is there.
    fakeServer.on(readBankByCode, () => refuse("not_found"));
    await paste(codeLabel, open);
    await screen.findByText("Banco 260");
    fakeServer.on(readBankByCode, ({ params }) => {
      expect(params["code"]).toBe("341");
      return { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    });
    await paste(codeLabel, overdue);
    await screen.findByText("341 · Itaú Unibanco");
  });

  it("BIL-016 BIL-020 a code without value leaves it to the person; one without due date says 00/00/0000", async () => {
    show();
    await paste(codeLabel, open);
    const value = await field("Valor");
    expect(value.readOnly).toBe(false);
    await user.type(value, "89,90");
    await paste(codeLabel, energy.line);
    expect(value.readOnly).toBe(true);
    expect(value.value).toBe("R$ 123,45");
    expect((await field("Vencimento")).value).toBe("00/00/0000");
    await screen.findByText("Concessionária ou tributo");
  });

  it("BIL-017 another code overwrites value and due date", async () => {
    show();
    await paste(codeLabel, sicoob.line);
    await paste(codeLabel, open);
    expect((await field("Valor")).value).toBe("");
    expect((await field("Vencimento")).value).toBe("10/12/2026");
  });

  it("BIL-010 BIL-015 BIL-016 refuses, says each mistake in words and gives the summary the focus", async () => {
    show();
    await field(codeLabel);
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    const summary = screen.getByText("Corrija antes de continuar:").parentElement as HTMLElement;
    expect(document.activeElement).toBe(summary);
    within(summary).getByText(`${codeLabel}: A linha digitável do boleto está incorreta, insira novamente`);
    within(summary).getByText("Valor: Valor inválido");
    within(summary).getByText("Descrição: O campo não pode ser vazio");
    expect(fakeServer.calls(addBillet)).toHaveLength(0);
  });

  it("BIL-011 a wrong digit is shown as soon as the last one is there", async () => {
    show();
    await paste(codeLabel, `${sicoob.line.slice(0, 9)}9${sicoob.line.slice(10)}`);
    await screen.findByText("A linha digitável do boleto está incorreta, insira novamente");
  });

  it("BIL-012 an overdue boleto is shown at once, and is not saved", async () => {
    show();
    await paste(codeLabel, overdue);
    await screen.findByText("Este boleto venceu em 22/02/2025");
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    expect(fakeServer.calls(addBillet)).toHaveLength(0);
  });

  it("BIL-012 BIL-016 BIL-018 an overdue boleto that is still taken is no mistake, and shows and saves what the register asks for", async () => {
    fakeServer.on(lookUpBillet, () => ({
      status: "payable" as const,
      code: "BIL_16" as const,
      beneficiary: { name: "Imobiliária Vista Alegre Ltda", cpf_cnpj: "11.222.333/0001-81" },
      value: 50,
      due_date: "2025-02-22",
      limit_date: "2027-01-31",
      fine_basis_points: 1_000,
      interest_basis_points: 0,
      discount: null,
      abatement: 0,
      on_day: null,
      asked_at: "2026-11-19T15:00:00.000Z",
      asked_by: "Sistema",
    }));
    show();
    const wizard = await dialog("Adicionar boleto");
    await paste(codeLabel, overdue);
    await wizard.findByText(/^Vencido há .* · a pagar R\$\s0,55/);
    expect((await field("Valor")).value).toBe("R$ 0,55");
    wizard.getByText(/^É o que o registro do boleto pede no dia do pagamento\. O código traz R\$\s0,50\.$/);
    // The sum below the form is the same one.
    expect(wizard.queryByText(/^R\$\s0,50$/)).toBeNull();
    expect(screen.queryByText("Este boleto venceu em 22/02/2025")).toBeNull();
    // The calendar offers the days until the register takes it no more.
    const calendar = document.querySelector<HTMLInputElement>("input[type=date]");
    expect([calendar?.min, calendar?.max]).toEqual(["2026-11-19", "2027-01-31"]);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(addBillet)[0]?.body).toMatchObject({ value: 55 });
  });

  it("BIL-013 a boleto that is there already is shown while its code is typed, and is not saved", async () => {
    fakeServer.on(readDuplicatedBillet, () => ({ isDuplicated: true }));
    show();
    await user.type(await field(codeLabel), sicoob.line);
    await screen.findByText("Este boleto já foi cadastrado.");
    const [asked] = fakeServer.calls(readDuplicatedBillet);
    expect(asked?.query).toEqual({ id: expect.any(String), barcode: sicoob.barcode });
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Há dados inválidos no boleto");
    expect(fakeServer.calls(addBillet)).toHaveLength(0);
  });

  it("BIL-014 refuses what is above the account's limit for boletos", async () => {
    show();
    await paste(codeLabel, open);
    await user.type(await field("Valor"), "1000000,01");
    await user.tab();
    await screen.findByText("O valor máximo é R$ 1.000.000,00");
  });

  it("BIL-016 refuses no value", async () => {
    show();
    await paste(codeLabel, open);
    await user.type(await field("Valor"), "0");
    await user.tab();
    await screen.findByText("Valor inválido");
  });

  it.each([
    ["in the past", "18/11/2026", /^Data de pagamento inválida/],
    ["after the due date", "16/02/2027", /^Data de pagamento inválida/],
  ])("BIL-018 refuses a payment date %s", async (_case, date, text) => {
    show();
    await paste(codeLabel, sicoob.line);
    await user.type(await field("Data do pagamento"), date);
    await screen.findByText(text);
  });

  it("BIL-018 takes the due date itself, and says when another day is the one to choose", async () => {
    show();
    await paste(codeLabel, open);
    await user.type(await field("Data do pagamento"), "05122026");
    await screen.findByText("O boleto será pago no próximo dia útil, 07/12/2026");
    expect(screen.queryByText(/^Data de pagamento inválida/)).toBeNull();
    await paste("Data do pagamento", "10/12/2026");
    await user.type(await field("Valor"), "10");
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await waitFor(() => expect(fakeServer.calls(addBillet)).toHaveLength(1));
    expect(fakeServer.calls(addBillet)[0]?.body).toMatchObject({ payment_date: "2026-12-10", value: 1_000 });
  });

  it("BIL-018 a day that does not exist is shown and not paid today, also after a reload", async () => {
    const first = show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await paste("Data do pagamento", "31/11/2026");
    expect(screen.queryByText("Data de pagamento inválida")).toBeNull();
    await user.tab();
    await screen.findByText("Data de pagamento inválida");
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Data do pagamento: Data de pagamento inválida");
    expect(fakeServer.calls(addBillet)).toEqual([]);
    first.unmount();
    show();
    await user.click(await button("Recuperar"));
    expect((await field("Data do pagamento")).value).toBe("31/11/2026");
  });

  it("BIL-018 'Hoje' warns after the cut-off that it will be tomorrow", async () => {
    at("2026-11-19T20:30:00.000Z");
    show();
    await paste(codeLabel, energy.line);
    await screen.findByText("O boleto será pago no próximo dia útil, 23/11/2026");
  });

  it("BIL-008 asks for an integration id where the company has them, and only there", async () => {
    const app = show();
    await field(codeLabel);
    expect(screen.queryByText("Qual o ID de integração?")).toBeNull();
    app.unmount();
    hasIntegrationId = true;
    show();
    await screen.findByRole("heading", { name: "Qual o ID de integração?" });
  });

  it("BIL-008 BIL-009 a used integration id warns and does not block; without one it is saved too", async () => {
    hasIntegrationId = true;
    fakeServer.on(readDuplicatedBilletIntegrationId, () => ({ isDuplicated: true }));
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.type(await field("ID de integração (opcional)"), "NF-1");
    await user.tab();
    await screen.findByText("ID de integração já usado em outro pagamento");
    await user.click(await button("Salvar e adicionar outro"));
    await screen.findByText("1 boleto incluído neste lote");
    expect(document.activeElement).toBe(await field(codeLabel));
    await paste(codeLabel, energy.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await waitFor(() => expect(fakeServer.calls(addBillet)).toHaveLength(2));
    const sent = fakeServer.calls(addBillet).map(({ body }) => body as { id: string });
    expect(sent).toMatchObject([{ integration_id: "NF-1" }, { integration_id: null }]);
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
  });

  it.each([
    ["with its code's own words", refuse("batch_not_draft"), /Este lote já não é um rascunho/],
    [
      "in general words",
      new Response("", { status: 418 }),
      "Ocorreu um erro ao salvar o boleto. Tente salvar novamente!",
    ],
  ])("BIL-021 a save that fails is shown %s, and keeps the form", async (_case, refusal, text) => {
    if (refusal instanceof Response) answerBare(refusal, "POST");
    else fakeServer.on(addBillet, () => refusal);
    show();
    const box = await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText(text);
    expect(box.value).toBe(sicoob.shown);
  });

  it("shows what only the server could see under its field", async () => {
    fakeServer.on(addBillet, () =>
      buildBoleto({ errors: [{ code: "billet_duplicated", field: "barcode" }] }),
    );
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText(`${codeLabel}: Este boleto já foi cadastrado.`);
    await dialog("Adicionar boleto");
  });

  it("keeps a half-filled form over a reload and offers it back", async () => {
    const app = show();
    await paste(codeLabel, sicoob.line);
    app.unmount();
    show();
    await screen.findByText("Encontramos um preenchimento que não foi salvo.");
    await user.click(await button("Recuperar"));
    expect((await field(codeLabel)).value).toBe(sicoob.shown);
    expect((await field("Valor")).value).toBe("R$ 150,00");
  });

  it("asks before throwing away what was typed", async () => {
    show();
    await paste(codeLabel, sicoob.line);
    await user.keyboard("{Escape}");
    const question = await dialog("Descartar o que foi preenchido?");
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    expect(sessionStorage).toHaveLength(0);
  });
});

/** An answer without a code, as from something between us and the server. */
function answerBare(response: Response, method: string) {
  const before = fetch;
  vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
    init?.method === method && String(input).includes("/billet")
      ? Promise.resolve(response)
      : before(input, init),
  );
}

async function shownDetails() {
  await screen.findByText("Identificador");
  return dialog("Detalhes do boleto");
}

const only = () => desk.boletos?.[0] as Boleto;

describe("a boleto of a draft", () => {
  it("BIL-021 BIL-023 opens in its form and is changed", async () => {
    show(only().id);
    const wizard = await dialog("Editar boleto");
    expect((await field(codeLabel)).value).toBe(sicoob.shown);
    await user.clear(await field("Descrição"));
    await describeIt();
    await user.click(wizard.getByRole("button", { name: "Salvar boleto" }));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(changeBillet)[0]?.body).toMatchObject({ id: only().id, description: "Aluguel" });
  });

  it("shows its mistakes from the start", async () => {
    desk.boletos = [
      buildBoleto({
        description: null,
        errors: [{ code: "billet_description_missing", field: "description" }],
      }),
    ];
    show(only().id);
    await screen.findByText("Descrição: O campo não pode ser vazio");
  });

  it("BIL-023 opens in its details for analysts", async () => {
    show(only().id, { session: { profile: "analyst" } });
    const details = await shownDetails();
    expect(details.queryByRole("button", { name: /Corrigir|Excluir|Cancelar/ })).toBeNull();
  });

  it("BIL-022 is deleted after asking", async () => {
    fakeServer.on(removeBillet, () => ({ ok: true as const }));
    show(only().id);
    await user.click(await button("Excluir"));
    const question = await dialog("Excluir boleto");
    question.getByText("Aluguel de novembro");
    expect(fakeServer.calls(removeBillet)).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Excluir boleto" }));
    await screen.findByText("Boleto excluído com sucesso");
    expect(fakeServer.calls(removeBillet)).toHaveLength(1);
  });

  it("BIL-022 a deletion that fails without a code says so", async () => {
    answerBare(new Response("", { status: 418 }), "DELETE");
    show(only().id);
    await user.click(await button("Excluir"));
    await user.click((await dialog("Excluir boleto")).getByRole("button", { name: "Excluir boleto" }));
    await screen.findByText("Ocorreu um erro ao excluir o boleto. Tente excluir novamente!");
  });
});

describe("a boleto that failed", () => {
  beforeEach(() => {
    desk.batch = { ...desk.batch, status: "RECEIVED", failed_count: 1 };
    desk.boletos = [buildBoleto({ status: "FAILED", status_description: "Boleto <b>baixado</b>" })];
  });

  it("is corrected by an admin with the reason in sight, for the same value and as soon as it can be paid", async () => {
    desk.boletos = [{ ...only(), payment_date: "2026-11-18" }];
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    const wizard = await dialog("Editar boleto");
    wizard.getByText("Boleto baixado");
    expect((await field("Valor")).readOnly).toBe(true);
    await user.click(wizard.getByRole("button", { name: "Salvar correção" }));
    await screen.findByText("Boleto corrigido! Ele será pago novamente.");
    expect(fakeServer.calls(changeBillet)[0]?.body).toMatchObject({
      id: only().id,
      value: 15_000,
      payment_date: null,
      barcode: sicoob.barcode,
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
    expect(fakeServer.calls(changeBillet)).toHaveLength(0);
  });

  it("is corrected with a code that leaves the value open", async () => {
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    await paste(codeLabel, open);
    await user.click(await button("Salvar correção"));
    await screen.findByText("Boleto corrigido! Ele será pago novamente.");
    expect(fakeServer.calls(changeBillet)[0]?.body).toMatchObject({ value: 15_000 });
  });

  it("leads back from the form to the details when somebody else refunded it", async () => {
    show(only().id);
    await user.click(await button("Corrigir boleto"));
    await field(codeLabel);
    fakeServer.on(changeBillet, () => {
      desk.boletos = [{ ...only(), status: "RETURNED" }];
      return refuse("transfer_not_failed");
    });
    await user.click(await button("Salvar correção"));
    await dialog("Detalhes do boleto");
    await screen.findByText(/Este pagamento mudou enquanto o formulário estava aberto/);
  });

  it("goes back to the balance once, by two clicks at the same moment, under one key", async () => {
    fakeServer.on(refundBillet, () => {
      desk.boletos = [{ ...only(), status: "RETURNED" }];
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
    const calls = fakeServer.calls(refundBillet);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
    await (await shownDetails()).findByText("Devolvido");
  });

  it("offers an operator both, as long as the company's controls let them", async () => {
    show(only().id, { session: { profile: "operator" } });
    await screen.findByRole("button", { name: "Corrigir boleto" });
    screen.getByRole("button", { name: "Devolver ao saldo" });
  });

  it.each(["operator", "analyst"] as const)("is neither corrected nor refunded by an %s", async (profile) => {
    // Operators where the company's controls say so.
    const settings = { operatorsMayCorrect: false, operatorsMayGiveBack: false };
    show(only().id, { session: { profile }, settings });
    (await shownDetails()).getByText("Boleto baixado");
    expect(screen.queryByRole("button", { name: "Corrigir boleto" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Devolver ao saldo" })).toBeNull();
  });
});
