/** New boleto: its form, its limits and days, and how it is saved. */
import {
  addBoleto,
  readDuplicatedBoleto,
  readDuplicatedBoletoIntegrationId,
} from "@malote/contracts/boletos";
import { lookUpBoleto } from "@malote/contracts/lookups";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  answerBare,
  at,
  boletoWizard,
  button,
  codeLabel,
  describeIt,
  dialog,
  energy,
  field,
  open,
  overdue,
  paste,
  sicoob,
  user,
} from "../testing/boleto-wizard.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto } from "../testing/payments.ts";

const { served, show } = boletoWizard();

describe("a new boleto", () => {
  it("BIL-002 BIL-007 BIL-013 BIL-018 BIL-021 is added, with its three sections and 'Hoje' as no date", async () => {
    show();
    const wizard = await dialog("Adicionar boleto");
    const layer = screen.getByRole("dialog", { name: "Adicionar boleto" });
    expect(layer.getAttribute("data-place")).toBe("full");
    const headings = wizard.getAllByRole("heading").map(({ textContent }) => textContent);
    expect(headings.filter((text) => text !== "Adicionar boleto")).toEqual([
      "Qual é o boleto que você deseja pagar?",
      "Dados do boleto a ser pago",
      "Descrição do boleto",
    ]);
    expect((await field("Data do pagamento")).placeholder).toBe("Hoje");
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    const [sent] = fakeServer.calls(addBoleto);
    expect(fakeServer.calls(readDuplicatedBoleto).at(-1)?.query).toEqual({
      id: (sent?.body as { id: string } | undefined)?.id,
      barcode: sicoob.barcode,
    });
    expect(sent?.params).toEqual({ id: served.desk.batch.id });
    expect(sent?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      value: 15_000,
      payment_date: null,
      barcode: sicoob.barcode,
      description: "Aluguel",
      integration_id: null,
    });
  });

  it("BIL-012 BIL-016 BIL-018 shows and saves the register's amount for an overdue boleto that may still be paid", async () => {
    fakeServer.on(lookUpBoleto, () => ({
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
    // The total below the form is that amount, too.
    expect(wizard.queryByText(/^R\$\s0,50$/)).toBeNull();
    expect(screen.queryByText("Este boleto venceu em 22/02/2025")).toBeNull();
    // The calendar offers days until the register's last payment day.
    const calendar = document.querySelector<HTMLInputElement>("input[type=date]");
    expect([calendar?.min, calendar?.max]).toEqual(["2026-11-19", "2027-01-31"]);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Boleto incluído com sucesso");
    expect(fakeServer.calls(addBoleto)[0]?.body).toMatchObject({ value: 55 });
  });

  it("BIL-012 BIL-018 shows the next payment day, at that day's amount, for an overdue boleto after the cut-off", async () => {
    // Thursday, 22:30 in São Paulo, before a holiday and a weekend.
    at("2026-11-20T01:30:00.000Z");
    fakeServer.on(lookUpBoleto, () => refuse("unavailable"));
    show();
    const wizard = await dialog("Adicionar boleto");
    await paste(codeLabel, overdue);
    await wizard.findByText("Sem data, o boleto é pago no próximo dia útil, 23/11/2026.");
    fakeServer.on(lookUpBoleto, () => ({
      status: "payable" as const,
      code: "BIL_16" as const,
      beneficiary: { name: "Imobiliária Vista Alegre Ltda", cpf_cnpj: "11.222.333/0001-81" },
      value: 100_00,
      due_date: "2025-02-22",
      limit_date: null,
      fine_basis_points: 1_000,
      interest_basis_points: 300,
      discount: null,
      abatement: 0,
      on_day: null,
      asked_at: "2026-11-20T01:00:00.000Z",
      asked_by: "Sistema",
    }));
    await user.click(await button("Consultar de novo"));
    // Interest of 639 days, not 635.
    await wizard.findByText(/multa R\$\s10,00 · juros R\$\s63,90 · a pagar em 23\/11\/2026 R\$\s173,90/);
    wizard.getByText("O boleto será pago no próximo dia útil, 23/11/2026");
    expect((await field("Valor")).value).toBe("R$ 173,90");
    expect(wizard.queryByText(/pago hoje/)).toBeNull();
  });

  it("BIL-014 refuses an amount above the account's limit for boletos", async () => {
    show();
    await paste(codeLabel, open);
    await user.type(await field("Valor"), "1000000,01");
    await user.tab();
    await screen.findByText("O valor máximo é R$ 1.000.000,00");
  });

  it("BIL-016 refuses a missing value", async () => {
    show();
    await paste(codeLabel, open);
    await user.type(await field("Valor"), "0");
    await user.tab();
    await screen.findByText("Valor inválido");
  });

  it.each([
    ["in the past", "18/11/2026", "Data de pagamento inválida. A data do agendamento já passou"],
    [
      "after the due date",
      "16/02/2027",
      "Data de pagamento inválida. Escolha uma data até o vencimento; o boleto seria pago depois dele",
    ],
  ])("BIL-018 refuses a payment date %s", async (_case, date, text) => {
    show();
    await paste(codeLabel, sicoob.line);
    await user.type(await field("Data do pagamento"), date);
    await screen.findByText(text);
  });

  it("BIL-018 refuses a day that is more than a year ahead", async () => {
    show();
    await paste(codeLabel, energy.line);
    await paste("Data do pagamento", "20/11/2027");
    await screen.findByText("Data de pagamento inválida. Escolha uma data dentro de um ano");
    await paste("Data do pagamento", "19/11/2027");
    await waitFor(() => expect(screen.queryByText(/^Data de pagamento inválida/)).toBeNull());
  });

  it("BIL-002 BIL-018 accepts the due date itself, and warns when another day has to be chosen", async () => {
    show();
    await paste(codeLabel, open);
    // The calendar offers no day after the due date, also when the register does not answer.
    expect(document.querySelector<HTMLInputElement>("input[type=date]")?.max).toBe("2026-12-10");
    await user.type(await field("Data do pagamento"), "05122026");
    await screen.findByText("O boleto será pago no próximo dia útil, 07/12/2026");
    expect(screen.queryByText(/^Data de pagamento inválida/)).toBeNull();
    await paste("Data do pagamento", "10/12/2026");
    await user.type(await field("Valor"), "10");
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await waitFor(() => expect(fakeServer.calls(addBoleto)).toHaveLength(1));
    expect(fakeServer.calls(addBoleto)[0]?.body).toEqual({
      id: expect.any(String),
      value: 1_000,
      payment_date: "2026-12-10",
      barcode: expect.stringMatching(/^\d{44}$/),
      description: "Aluguel",
      integration_id: null,
    });
  });

  it("BIL-018 shows an impossible day and does not pay today instead, also after a reload", async () => {
    const first = show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await paste("Data do pagamento", "31/11/2026");
    expect(screen.queryByText("Data de pagamento inválida")).toBeNull();
    await user.tab();
    await screen.findByText("Data de pagamento inválida");
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Data do pagamento: Data de pagamento inválida");
    expect(fakeServer.calls(addBoleto)).toEqual([]);
    first.unmount();
    show();
    await user.click(await button("Recuperar"));
    expect((await field("Data do pagamento")).value).toBe("31/11/2026");
  });

  it("BIL-018 'Hoje' warns after the cut-off that the payment is made tomorrow", async () => {
    at("2026-11-19T20:30:00.000Z");
    show();
    await paste(codeLabel, energy.line);
    await screen.findByText("O boleto será pago no próximo dia útil, 23/11/2026");
  });

  it("BIL-008 asks for an integration id only in companies that use them", async () => {
    const app = show();
    await field(codeLabel);
    expect(screen.queryByText("Qual o ID de integração?")).toBeNull();
    app.unmount();
    served.hasIntegrationId = true;
    show();
    await screen.findByRole("heading", { name: "Qual o ID de integração?" });
  });

  it("BIL-002 BIL-008 BIL-009 BIL-021 warns of a used integration id without blocking; saves without one too", async () => {
    served.hasIntegrationId = true;
    fakeServer.on(readDuplicatedBoletoIntegrationId, () => ({ isDuplicated: true }));
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.type(await field("ID de integração (opcional)"), "NF-1");
    await user.tab();
    const warning = "ID de integração já usado em outro pagamento";
    await screen.findByText(warning);
    expect((await field("ID de integração (opcional)")).closest("div")?.parentElement?.textContent).toContain(
      warning,
    );
    await user.click(await button("Salvar e adicionar outro"));
    await screen.findByText("1 boleto incluído neste lote");
    screen.getByText("Boleto incluído com sucesso");
    expect(document.activeElement).toBe(await field(codeLabel));
    await paste(codeLabel, energy.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await waitFor(() => expect(fakeServer.calls(addBoleto)).toHaveLength(2));
    const sent = fakeServer.calls(addBoleto).map(({ body }) => body as { id: string });
    expect(sent).toMatchObject([{ integration_id: "NF-1" }, { integration_id: null }]);
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
    const asked = fakeServer.calls(readDuplicatedBoletoIntegrationId);
    expect(asked.map(({ params, query }) => ({ params, query }))).toEqual([
      { params: { id: "NF-1" }, query: { except: sent[0]?.id } },
    ]);
  });

  it("BIL-009 shows no warning for an integration id that no other payment has", async () => {
    served.hasIntegrationId = true;
    let asked = 0;
    fakeServer.on(readDuplicatedBoletoIntegrationId, () => {
      asked += 1;
      return { isDuplicated: false };
    });
    show();
    await user.type(await field("ID de integração (opcional)"), "NF-2");
    await user.tab();
    await waitFor(() => expect(asked).toBe(1));
    await paste(codeLabel, sicoob.line);
    await describeIt();
    expect(screen.queryByText("ID de integração já usado em outro pagamento")).toBeNull();
  });

  it.each([
    ["with its code's own words", refuse("batch_not_draft"), /Este lote já não é um rascunho/],
    [
      "in general words",
      new Response("", { status: 418 }),
      "Ocorreu um erro ao salvar o boleto. Tente salvar novamente!",
    ],
  ])("BIL-021 shows a failed save %s, and keeps the form", async (_case, refusal, text) => {
    if (refusal instanceof Response) answerBare(refusal, "POST");
    else fakeServer.on(addBoleto, () => refusal);
    show();
    const box = await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText(text);
    expect(box.value).toBe(sicoob.shown);
  });

  it("shows under its field a mistake that only the server finds", async () => {
    fakeServer.on(addBoleto, () =>
      buildBoleto({ errors: [{ code: "billet_duplicated", field: "barcode" }] }),
    );
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText(`${codeLabel}: Este boleto já foi cadastrado.`);
    await dialog("Adicionar boleto");
  });

  it("BIL-014 shows the server's own text for a limit that this page does not know yet", async () => {
    fakeServer.on(addBoleto, () =>
      buildBoleto({ errors: [{ code: "value_above_max", field: "value", data: { max: 100_00 } }] }),
    );
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText("Valor: O valor máximo é R$ 100,00");
  });

  it.each([
    [
      "BIL-011 the code",
      "barcode",
      `${codeLabel}: A linha digitável do boleto está incorreta, insira novamente`,
    ],
    ["BIL-014 the value", "value", "Valor: Valor inválido"],
  ])("%s shows a text for a server's code that is unknown here", async (_case, place, text) => {
    fakeServer.on(addBoleto, () => buildBoleto({ errors: [{ code: "a_rule_of_tomorrow", field: place }] }));
    show();
    await paste(codeLabel, sicoob.line);
    await describeIt();
    await user.click(await button("Salvar boleto"));
    await screen.findByText(text);
  });

  it("keeps a half-filled form over a reload and offers it again", async () => {
    const app = show();
    await paste(codeLabel, sicoob.line);
    app.unmount();
    show();
    await screen.findByText("Encontramos um preenchimento que não foi salvo.");
    await user.click(await button("Recuperar"));
    expect((await field(codeLabel)).value).toBe(sicoob.shown);
    expect((await field("Valor")).value).toBe("R$ 150,00");
  });

  it("asks before discarding what was typed", async () => {
    show();
    await paste(codeLabel, sicoob.line);
    await user.keyboard("{Escape}");
    const question = await dialog("Descartar o que foi preenchido?");
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Adicionar boleto" })).toBeNull());
    expect(sessionStorage).toHaveLength(0);
  });
});
