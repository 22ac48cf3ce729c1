import { payCheckout, readCheckout, readCheckoutCharge } from "@malote/contracts/checkout";
import { bankBarcode, formatBoletoLine, readBoletoCode } from "@malote/domain/boleto-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { answer, charge, course, fillCard, fillPayer, focusOn, open, token } from "../testing/checkout.tsx";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { barsOf } from "./barcode-bars.ts";
import { emptyCard, installmentText, problemsOf } from "./payment-form.ts";

const barcode = bankBarcode({
  bankCode: "593",
  dueDate: "2026-12-01" as CalendarDate,
  value: cents(100_00),
  freeField: "1".repeat(25),
});
beforeEach(() => history.replaceState(null, "", "/"));

it("shows payee, purpose and amount, and asks for the payer before it creates a Pix", async () => {
  const user = userEvent.setup();
  answer({});
  open();
  await screen.findByRole("heading", { name: "Curso de outubro", level: 1 });
  screen.getByText("Aurora Comércio");
  screen.getByText("Turma da noite");
  screen.getByText("R$ 100,00");
  screen.getByText("Pague até 31/12/2098");
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByRole("alert");
  expect(fakeServer.calls(payCheckout)).toHaveLength(0);

  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByRole("heading", { name: "Pague com Pix" });
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Pague com Pix" }));
  await screen.findByRole("img", { name: "QR Code do Pix" });
  screen.getByText("Vale até 31/12/2098 12:00");
  await user.click(screen.getByRole("button", { name: "Copiar código Pix" }));
  expect(await navigator.clipboard.readText()).toBe(charge.pix?.code);
  expect(fakeServer.calls(payCheckout).map(({ body }) => body)).toEqual([
    {
      id: expect.any(String),
      payment_method: "pix",
      payer: { name: "Marina Lopes", cpf_cnpj: "123.456.789-09" },
    },
  ]);

  // Choosing another method keeps what was typed.
  await user.click(screen.getByRole("button", { name: "Pagar de outro jeito" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Nome completo")).value).toBe("Marina Lopes");
});

it("SHL-003 names the brand of its page as the one that processes the payment", async () => {
  const { dataset } = document.documentElement;
  dataset["brand"] = "horizonte";
  onTestFinished(() => void delete dataset["brand"]);
  answer({});
  open();
  const foot = within(await screen.findByRole("contentinfo"));
  await foot.findByText("Horizonte");
  expect(foot.queryByText(/malote/i)).toBeNull();
});

it("polls while it waits, and reports the payment; a reload finds the charge again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  answer({});
  const view = open();
  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByRole("heading", { name: "Pague com Pix" });
  view.unmount();

  open();
  await screen.findByRole("heading", { name: "Pague com Pix" });
  expect(fakeServer.calls(payCheckout)).toHaveLength(1);
  answer({ state: "paid", pix: null });
  fakeServer.on(readCheckout, () => ({ ...course, status: "paid" as const }));
  await vi.advanceTimersByTimeAsync(4_100);
  await screen.findByRole("heading", { name: "Pagamento confirmado" });
  screen.getByText("Aurora Comércio recebeu R$ 100,00 por Curso de outubro.");
});

it("SES-070 shows an error, stops polling, and lets the person restart it", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  answer({});
  open();
  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByRole("heading", { name: "Pague com Pix" });
  fakeServer.on(readCheckoutCharge, () => refuse("internal"));
  await vi.advanceTimersByTimeAsync(4_100);
  await screen.findByText("Não foi possível saber se o pagamento chegou");
  const asked = fakeServer.calls(readCheckoutCharge).length;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(fakeServer.calls(readCheckoutCharge)).toHaveLength(asked);
  screen.getByRole("heading", { name: "Pague com Pix" });
  answer({ state: "paid", pix: null });
  await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await screen.findByRole("heading", { name: "Pagamento confirmado" });
});

it("moves the focus to each view that replaces another", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  answer({ state: "preparing", pix: null });
  open();
  await fillPayer(user);
  expect(document.activeElement).toBe(screen.getByLabelText("CPF ou CNPJ"));
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await focusOn("Estamos falando com o banco");
  answer({});
  await vi.advanceTimersByTimeAsync(4_100);
  await focusOn("Pague com Pix");
  answer({ state: "ended", pix: null });
  await vi.advanceTimersByTimeAsync(4_100);
  await focusOn("Este QR Code venceu");
  await user.click(screen.getByRole("button", { name: "Pagar de novo" }));
  await focusOn("Como você quer pagar?");
});

it("explains how to copy when the browser has no clipboard", async () => {
  const user = userEvent.setup();
  answer({});
  open();
  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  const copy = await screen.findByRole("button", { name: "Copiar código Pix" });
  vi.stubGlobal("navigator", { ...navigator, clipboard: undefined });
  await user.click(copy);
  await screen.findByText("Não foi possível copiar. Toque no código e segure para copiá-lo.");
});

it("creates a boleto, with a line to copy and a sheet to print", async () => {
  const user = userEvent.setup();
  const party = (name: string) => ({ name, cpf_cnpj: "***.456.789-**" });
  answer({
    payment_method: "boleto",
    pix: null,
    boleto: {
      digitable_line: formatBoletoLine(barcode),
      barcode,
      due_date: "2026-12-01",
      issued_at: "2026-11-20T19:42:00.000Z",
      processed_at: "2026-11-20T19:42:05.000Z",
      bank: { code: "593-2", name: "Mesa Pagamentos IP" },
      our_number: "11111111111111111",
      document_number: "0A1B2C3D4E",
      beneficiary_account: "0001 / 10184-7",
      instructions: ["Após o vencimento, cobrar multa de 2%."],
      beneficiary: { ...party("Aurora Comércio"), address: "Rua das Flores, 1, Centro, Recife/PE" },
      payer: party("Marina Lopes"),
    },
  });
  const print = vi.fn();
  vi.stubGlobal("print", print);
  open();
  await user.click(await screen.findByLabelText(/^Boleto/));
  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Boleto" }));
  const heading = await screen.findByRole("heading", { name: "Pague o boleto até 01/12/2026" });
  expect(document.activeElement).toBe(heading);
  await user.click(screen.getByRole("button", { name: "Copiar linha digitável" }));
  const copied = await navigator.clipboard.readText();
  expect(readBoletoCode(copied, "2026-11-20" as CalendarDate)).toMatchObject({ barcode, value: 100_00 });
  screen.getByText(/Recibo do pagador/);
  screen.getByText(/Ficha de compensação/);
  for (const text of [
    "593-2",
    "Mesa Pagamentos IP",
    "Rua das Flores, 1, Centro, Recife/PE",
    "0001 / 10184-7",
    "11111111111111111",
    "0A1B2C3D4E",
    "Após o vencimento, cobrar multa de 2%.",
  ])
    expect(screen.getAllByText(text)).toHaveLength(2);
  // The page's address names the charge, as the second copy needs.
  const sent = fakeServer.calls(payCheckout).map(({ body }) => (body as { id: string }).id);
  expect(location.search).toBe(`?cobranca=${sent[0]}`);
  await user.click(screen.getByRole("button", { name: "Imprimir ou salvar em PDF" }));
  expect(print).toHaveBeenCalledOnce();
});

it("opens the boleto that the address names, in a tab that created none", async () => {
  history.replaceState(null, "", new URL(`/pagar/${token}?cobranca=${charge.id}`, location.href));
  fakeServer.on(readCheckoutCharge, ({ params }) => ({ ...charge, id: params["id"] ?? "" }));
  open();
  await screen.findByRole("heading", { name: "Pague com Pix" });
  expect(fakeServer.calls(payCheckout)).toEqual([]);
});

it("pays by card in instalments, explains a refusal, and stores no card data", async () => {
  const user = userEvent.setup();
  const card = { installments: 3, authorization_code: null, advice: "check_card" as const };
  answer({ state: "refused", payment_method: "credit_card", pix: null, card });
  open();
  await fillPayer(user);
  await fillCard(user);
  await user.selectOptions(screen.getByLabelText("Parcelas"), "3");
  screen.getByText("Visa");
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await focusOn("O cartão não foi aceito");
  screen.getByText(/Confira o número, a validade e o código de segurança\. Nada foi cobrado\./);
  answer({
    state: "paid",
    payment_method: "credit_card",
    pix: null,
    card: { installments: 3, authorization_code: "A1B2C3", advice: null },
  });
  await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await focusOn("Como você quer pagar?");
  // The card's fields keep their text, except the security code.
  const code = await screen.findByLabelText<HTMLInputElement>("Código de segurança");
  expect(code.value).toBe("");
  await user.type(code, "123");
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByRole("heading", { name: "Pagamento confirmado" });
  screen.getByText(/3x sem juros: 1ª de R\$ 33,34 e 2 de R\$ 33,33\. Autorização A1B2C3/);
  const [first, second] = fakeServer.calls(payCheckout).map(({ body }) => body as { id: string });
  expect(second).toMatchObject({
    payment_method: "credit_card",
    installments: 3,
    card: {
      number: "4111 1111 1111 1111",
      holder_name: "MARINA LOPES",
      expiry: "12/40",
      security_code: "123",
    },
  });
  expect(second?.id).not.toBe(first?.id);
  const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  for (const secret of ["4111", "MARINA", "12345678909", "123.456"]) expect(kept).not.toContain(secret);
});

it.each([
  ["paid", "Este pagamento já foi feito", /Não é preciso pagar de novo/],
  ["expired", "Este link venceu", /Peça outro a Aurora Comércio/],
] as const)("reports that a link is %s, and offers nothing to pay", async (status, title, text) => {
  open({ ...course, status });
  await screen.findByRole("heading", { name: title });
  screen.getByText(text);
  expect(screen.queryByRole("button")).toBeNull();
  // This is the first view, so the focus stays at the start of the page.
  expect(document.activeElement).toBe(document.body);
});

it("explains a missing link, and offers a retry when the server fails", async () => {
  const user = userEvent.setup();
  const view = open(refuse("checkout_not_found"));
  await screen.findByRole("heading", { name: "Link de pagamento não encontrado" });
  screen.getByText(/peça outro a quem o enviou/);
  view.unmount();
  open(refuse("internal"));
  await screen.findByText("Não foi possível abrir este pagamento");
  fakeServer.on(readCheckout, () => course);
  await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
  await screen.findByRole("button", { name: "Gerar Pix" });
});

it("removes the form, and so the card's data, when the link was deleted meanwhile", async () => {
  const user = userEvent.setup();
  open();
  await fillPayer(user);
  await fillCard(user);
  fakeServer.on(payCheckout, () => refuse("checkout_not_found"));
  fakeServer.on(readCheckout, () => refuse("checkout_not_found"));
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByRole("heading", { name: "Link de pagamento não encontrado" });
  expect(screen.queryByRole("button", { name: /^Pagar/ })).toBeNull();
});

it("draws the bars by the rule of Interleaved 2 of 5", () => {
  // The start, `01` as five pairs, and the end: widths 1 and 3.
  const { bars, width } = barsOf("01");
  expect(bars).toEqual([
    { at: 0, width: 1 },
    { at: 2, width: 1 },
    { at: 4, width: 1 },
    { at: 8, width: 1 },
    { at: 10, width: 3 },
    { at: 14, width: 3 },
    { at: 18, width: 1 },
    { at: 22, width: 3 },
    { at: 26, width: 1 },
  ]);
  expect(width).toBe(27);
  // 22 pairs of 18 units each, plus 9 for start and end.
  expect(barsOf(barcode).width).toBe(22 * 18 + 9);
  expect(() => barsOf("1")).toThrow();
});

it("shows what is wrong with each field, and how instalments add up", () => {
  const now = new Date("2026-08-12T13:00:00Z");
  const payer = { name: "Marina", taxId: "12345678900" };
  expect(problemsOf("pix", payer, emptyCard, now)).toEqual({
    name: "Digite seu nome completo",
    taxId: "Confira o CPF ou CNPJ: há um número errado",
  });
  expect(problemsOf("pix", { name: "Aurora", taxId: "11222333000181" }, emptyCard, now)).toEqual({});
  const good = { name: "Marina Lopes", taxId: "12345678909" };
  expect(problemsOf("credit_card", good, { ...emptyCard, expiry: "07/26" }, now)).toEqual({
    number: "Confira o número do cartão",
    holder: "Digite o nome como está no cartão",
    expiry: "Este cartão está vencido",
    securityCode: "Confira o código de segurança",
  });
  expect(installmentText(100_00, 1)).toBe("À vista, R$\u00a0100,00");
  expect(installmentText(100_00, 2)).toBe("2x de R$\u00a050,00 sem juros");
  expect(installmentText(100_00, 3)).toBe("3x sem juros: 1ª de R$\u00a033,34 e 2 de R$\u00a033,33");
  expect(installmentText(100_00, 6)).toBe("6x sem juros: 4 primeiras de R$\u00a016,67 e 2 de R$\u00a016,66");
});
