import { createCheckpoint, readCompanySettings } from "@malote/contracts/company";
import { createPaymentLink, listPaymentLinks, type PaymentLink } from "@malote/contracts/payment-links";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { hasUnsavedWork } from "../shell/unsaved-work.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { paymentLinks } from "./feature.ts";
import { bodyOf, emptyLinkForm, installmentOptions, type LinkForm, problemsOf } from "./link-form.ts";

const address = "/recebimentos/links-de-pagamento/novo";
const list = "/recebimentos/links-de-pagamento";
const made: PaymentLink = {
  id: "0198f000-0000-7000-8000-0000000000d1",
  name: "Curso",
  amount: 100_00,
  description: null,
  expires_at: "2099-01-01T02:59:59.999Z",
  created_at: "2026-11-20T19:42:00.000Z",
  status: "active",
  payment_methods: ["pix"],
  payment_method_details: null,
  link: "http://malote.test/pagar/AAAAAAAAAAAAAAAAAAAAAA",
  payin_id: null,
};

function open(settings: object = { hasBoletoCharge: true, hasCardCharge: true }) {
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listPaymentLinks, () => ({
    items: [],
    metadata: { pagination: { itemsPerPage: 10, totalItems: 0 } },
  }));
  const app = renderApp(address, { features: [paymentLinks, placeholderScreens("BatchesPage")] });
  fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), ...settings }));
  return app;
}
const submit = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole("button", { name: "Criar link" }));

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText("Nome"), "Curso");
  await user.type(screen.getByLabelText("Valor"), "100");
  await user.type(screen.getByLabelText("Data de expiração"), "31122098");
  await user.click(screen.getByLabelText(/^Pix/));
}

it("LNK-013 LNK-014 LNK-015 LNK-017 LNK-019 shows what is missing and sends nothing", async () => {
  const user = userEvent.setup();
  open();
  await user.click(await screen.findByLabelText(/^Boleto/));
  await user.clear(screen.getByLabelText("Vencimento do boleto"));
  await user.click(screen.getByLabelText(/^Boleto/));
  await submit(user);
  const summary = await screen.findByRole("alert");
  for (const text of [
    "Nome é obrigatório",
    "Valor é obrigatório",
    "Data de expiração é obrigatório",
    "Método de pagamento é obrigatório",
  ])
    within(summary).getByText(text);
  expect(within(summary).queryByText("Data de expiração do boleto é obrigatório")).toBeNull();
  await user.click(screen.getByLabelText(/^Boleto/));
  within(screen.getByRole("alert")).getByText("Data de expiração do boleto é obrigatório");
  await user.type(screen.getByLabelText("Vencimento do boleto"), "12a345");
  expect(screen.getByLabelText<HTMLInputElement>("Vencimento do boleto").value).toBe("123");
  expect(fakeServer.calls(createPaymentLink)).toHaveLength(0);
});

it("LNK-011 LNK-012 LNK-016 LNK-021 LNK-022 LNK-023 sums up what is typed, sends it once, and shows the link", async () => {
  const user = userEvent.setup();
  fakeServer.on(createPaymentLink, () => refuse("payment_link_card_off"));
  const app = open();
  const name = await screen.findByLabelText<HTMLInputElement>("Nome");
  expect(name.maxLength).toBe(50);
  await user.type(name, " Curso ");
  await user.type(screen.getByLabelText("Valor"), "100");
  await user.type(screen.getByLabelText("Data de expiração"), "31122098");
  const description = screen.getByLabelText<HTMLTextAreaElement>("Descrição (opcional)");
  expect(description.maxLength).toBe(100);
  await user.type(description, "Turma da noite");
  const untilWhen = "O pagador tem até 1 dia depois de gerar o QR Code para pagar por Pix.";
  await user.click(await screen.findByLabelText(/^Pix/));
  screen.getByText(untilWhen);
  await user.click(screen.getByLabelText(/^Pix/));
  for (const method of [/^Boleto/, /^Cartão de crédito/]) await user.click(screen.getByLabelText(method));
  expect(screen.queryByText(untilWhen)).toBeNull();
  await user.click(screen.getByLabelText(/^Pix/));
  const dueDays = screen.getByLabelText<HTMLInputElement>("Vencimento do boleto");
  expect(dueDays.value).toBe("1");
  await user.clear(dueDays);
  await user.type(dueDays, "3");
  screen.getByText("Dias úteis depois que o boleto é gerado.");
  await user.type(screen.getByLabelText("Multa por atraso, em % (opcional)"), "2");
  await user.type(screen.getByLabelText("Juros ao mês, em % (opcional)"), "0,5");
  expect(screen.getByLabelText<HTMLInputElement>("Parcelas").value).toBe("À vista");
  await user.click(screen.getByLabelText("Parcelas"));
  await user.click(await screen.findByRole("option", { name: "Até 3x de R$\u00a033,34" }));

  const summary = within(screen.getByRole("complementary", { name: "Resumo do link" }));
  for (const text of [
    "R$ 100,00",
    "Curso",
    "Turma da noite",
    "31/12/2098",
    untilWhen,
    "Vence 3 dias úteis depois de gerado.",
    "Até 3x de R$ 33,34",
  ])
    summary.getByText(text);

  await submit(user);
  const refusal = await screen.findByText("Ocorreu um erro ao criar o Link de Pagamentos.");
  expect(refusal.parentElement?.textContent).toContain("ainda não recebe por cartão de crédito");
  expect(name.value).toBe(" Curso ");
  fakeServer.on(createPaymentLink, () => made);
  await submit(user);
  const dialog = within(await screen.findByRole("dialog", { name: "Link de pagamento criado!" }));
  const [first, second] = fakeServer.calls(createPaymentLink).map(({ body }) => body);
  expect(second).toEqual(first);
  expect(second).toEqual({
    id: expect.any(String),
    name: "Curso",
    amount: 100_00,
    description: "Turma da noite",
    expires_at: "2099-01-01T02:59:59.999Z",
    payment_methods: ["credit_card", "boleto", "pix"],
    payment_method_details: {
      boleto: {
        due_days: 3,
        fine: { type: "percentage", percent: 2 },
        interest: { type: "percentage_per_month", percent: 0.5 },
      },
      credit_card: { max_installments: 3 },
    },
  });
  dialog.getByText(made.link);
  await user.click(dialog.getByRole("button", { name: "Copiar o link de pagamento" }));
  await screen.findByText("Link de Pagamento copiado!");
  expect(await navigator.clipboard.readText()).toBe(made.link);
  await user.click(dialog.getByRole("button", { name: "Ver links de pagamento" }));
  await screen.findByText("Você não possui Links de Pagamento");
  expect(app.address()).toBe(list);
});

it("LNK-011 LNK-018 offers only the company's payment methods, and asks before what was typed is lost", async () => {
  const user = userEvent.setup();
  const app = open({});
  const box = await screen.findByLabelText<HTMLInputElement>(/^Boleto/);
  expect(box.disabled).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>(/^Cartão/).disabled).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>(/^Pix/).disabled).toBe(false);
  await user.type(screen.getByLabelText("Nome"), "Curso");
  await user.click(screen.getByRole("button", { name: "Cancelar" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sair sem criar o link?" }));
  await user.click(dialog.getByRole("button", { name: "Continuar preenchendo" }));
  expect(screen.getByLabelText<HTMLInputElement>("Nome").value).toBe("Curso");
  await user.click(screen.getByRole("button", { name: "Cancelar" }));
  await user.click(await screen.findByRole("button", { name: "Sair sem criar" }));
  await waitFor(() => expect(app.address()).toBe(list));
});

it("LNK-011 LNK-024 leaves without asking when nothing was typed", async () => {
  const user = userEvent.setup();
  const app = open();
  await screen.findByLabelText("Nome");
  // LNK-024: the list is opened afterwards.
  expect(recordedMarks()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Cancelar" }));
  await waitFor(() => expect(app.address()).toBe(list));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(recordedMarks()).toEqual(["HAS_OPENED_PAYMENT_LINKS"]));
});

it.each([
  [{ hasCardCharge: true }, [false, true, false]],
  [{ hasBoletoCharge: true }, [false, false, true]],
])("LNK-018 with %o a charge is offered by its own setting alone", async (settings, expected) => {
  open(settings);
  await screen.findByLabelText("Nome");
  const isOff = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name).disabled;
  await waitFor(() => expect([/^Pix/, /^Boleto/, /^Cartão de crédito/].map(isOff)).toEqual(expected));
});

it("reports an existing link when its answer was lost and the form changed since, and links to it", async () => {
  const user = userEvent.setup();
  fakeServer.on(createPaymentLink, () => refuse("unavailable"));
  const app = open();
  await fill(user);
  await submit(user);
  await screen.findByText("Ocorreu um erro ao criar o Link de Pagamentos.");
  fakeServer.on(createPaymentLink, () => refuse("idempotency_key_reused"));
  await user.type(screen.getByLabelText("Nome"), " novo");
  await submit(user);
  await screen.findByText("O link já foi criado com os dados anteriores");
  expect(screen.queryByText("Ocorreu um erro ao criar o Link de Pagamentos.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Ver links de pagamento" }));
  await waitFor(() => expect(app.address()).toBe(list));
});

it("LNK-022 sends the same link again after a reload, and has nothing unsaved once it is created", async () => {
  const user = userEvent.setup();
  fakeServer.on(createPaymentLink, () => refuse("unavailable"));
  const before = open();
  await fill(user);
  await submit(user);
  await screen.findByText("Ocorreu um erro ao criar o Link de Pagamentos.");
  expect(hasUnsavedWork()).toBe(true);
  before.unmount();

  open();
  await user.click(await screen.findByRole("button", { name: "Recuperar" }));
  expect(screen.getByLabelText<HTMLInputElement>("Nome").value).toBe("Curso");
  fakeServer.on(createPaymentLink, () => made);
  await submit(user);
  const dialog = within(await screen.findByRole("dialog", { name: "Link de pagamento criado!" }));
  const [first, second] = fakeServer.calls(createPaymentLink).map(({ body }) => body);
  expect(second).toEqual(first);
  expect(hasUnsavedWork()).toBe(false);

  await user.click(dialog.getByRole("button", { name: "Criar outro link" }));
  expect(screen.getByLabelText<HTMLInputElement>("Nome").value).toBe("");
  expect(hasUnsavedWork()).toBe(false);
  expect(screen.queryByRole("button", { name: "Recuperar" })).toBeNull();
  // This is another link, with an id of its own.
  await fill(user);
  await submit(user);
  await waitFor(() => expect(fakeServer.calls(createPaymentLink)).toHaveLength(3));
  const third = fakeServer.calls(createPaymentLink)[2]?.body;
  expect(third).toEqual({ ...(first as object), id: expect.any(String) });
  expect(third).not.toEqual(first);
});

it("LNK-023 reports that the settings could not be read", async () => {
  open();
  fakeServer.on(readCompanySettings, () => refuse("internal"));
  await screen.findByText("Ocorreu um erro ao buscar as configurações.");
});

it("LNK-020 offers instalments of one centavo or more, 24 at most", () => {
  expect(installmentOptions(null).map(({ label }) => label)).toEqual(["À vista"]);
  expect(installmentOptions(3).map(({ label }) => label)).toEqual([
    "À vista",
    "Até 2x de R$\u00a00,02",
    "Até 3x de R$\u00a00,01",
  ]);
  expect(installmentOptions(48_00)).toHaveLength(24);
  expect(installmentOptions(48_00).at(-1)?.label).toBe("Até 24x de R$\u00a02,00");
});

it("LNK-020 reduces instalments that the amount no longer allows", async () => {
  const user = userEvent.setup();
  open();
  const amount = await screen.findByLabelText("Valor");
  await user.type(amount, "100");
  await user.click(screen.getByLabelText(/^Cartão de crédito/));
  await user.click(screen.getByLabelText("Parcelas"));
  await user.click(await screen.findByRole("option", { name: "Até 6x de R$\u00a016,67" }));
  await user.clear(amount);
  await user.type(amount, "0,03");
  expect(screen.getByLabelText<HTMLInputElement>("Parcelas").value).toBe("Até 3x de R$\u00a00,01");
  const form: LinkForm = { ...emptyLinkForm, amount: 3, expirationDate: "2098-12-31", installments: 6 };
  expect(bodyOf({ ...form, paymentMethods: ["credit_card"] }, made.id).payment_method_details).toEqual({
    credit_card: { max_installments: 3 },
  });
});

it("LNK-012 LNK-022 asks for fine and interest of a boleto in percent, and omits empty ones", () => {
  const form: LinkForm = {
    ...emptyLinkForm,
    name: "Curso",
    amount: 100_00,
    expirationDate: "2098-12-31",
    paymentMethods: ["boleto"],
  };
  const rates = (boletoFine: string, boletoInterest: string) => ({ ...form, boletoFine, boletoInterest });
  expect(bodyOf(rates("", ""), made.id).payment_method_details).toEqual({ boleto: { due_days: 1 } });
  expect(bodyOf(rates("2", "0,5"), made.id).payment_method_details).toEqual({
    boleto: {
      due_days: 1,
      fine: { type: "percentage", percent: 2 },
      interest: { type: "percentage_per_month", percent: 0.5 },
    },
  });
  expect(bodyOf({ ...form, paymentMethods: ["pix"] }, made.id).payment_method_details).toBeNull();
  for (const wrong of ["0", "101", "1.5", "muito"])
    expect(problemsOf(rates(wrong, "1"))).toEqual({
      boletoFine: "Use um percentual de até 100%, como 1 ou 0,5",
    });
});

it.each<[string, Partial<LinkForm>, object]>([
  ["a name", { name: "  " }, { name: "Nome é obrigatório" }],
  ["a value", { amount: null }, { amount: "Valor é obrigatório" }],
  ["a value above zero", { amount: 0 }, { amount: "Valor é obrigatório" }],
  ["a day", { expirationDate: null }, { expirationDate: "Data de expiração é obrigatório" }],
  ["a whole day", { expirationDate: "31/12/20" }, { expirationDate: "Data de expiração é obrigatório" }],
  [
    "a day of the calendar",
    { expirationDate: "31/02/2098" },
    { expirationDate: "Data de expiração é obrigatório" },
  ],
  ["a method", { paymentMethods: [] }, { paymentMethods: "Método de pagamento é obrigatório" }],
  [
    "the days of its boleto",
    { boletoExpirationDays: "" },
    { boletoExpirationDays: "Data de expiração do boleto é obrigatório" },
  ],
  ["nothing else", {}, {}],
])("LNK-013 LNK-014 LNK-015 LNK-017 LNK-019 reports %s alone as missing", (_, changes, expected) => {
  const whole: LinkForm = {
    ...emptyLinkForm,
    name: "Curso",
    amount: 100_00,
    expirationDate: "2098-12-31",
    paymentMethods: ["boleto", "pix"],
  };
  expect(problemsOf({ ...whole, ...changes })).toEqual(expected);
});

it("LNK-015 accepts today, and no day before it", () => {
  const now = new Date("2026-08-13T02:59:00Z");
  const problems = (expirationDate: string) => problemsOf({ ...emptyLinkForm, expirationDate }, now);
  expect(problems("2026-08-12").expirationDate).toBeUndefined();
  expect(problems("2026-08-11").expirationDate).toBe(
    "A data de expiração já passou. Escolha hoje ou um dia depois.",
  );
});
