/** Requests of the form of a payment: every field of TRF-002, by key, by account and by code. */
import { lookUpPixCode } from "@malote/contracts/lookups";
import {
  addTransfer,
  changeTransfer,
  readBlacklist,
  readDuplicatedIntegrationId,
} from "@malote/contracts/transfers";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { addDays, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const user = userEvent.setup();
const today = saoPauloDate(new Date());
const later = addDays(today, 30);
const blocked = "CPF ou CNPJ bloqueado";

beforeAll(() => import("./transfer-wizard.tsx"));
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
  fakeServer.on(addTransfer, () => buildTransfer());
  fakeServer.on(changeTransfer, ({ params }) => buildTransfer({ id: params["tid"] ?? "" }));
  fakeServer.on(readDuplicatedIntegrationId, () => ({ isDuplicated: false }));
});

async function open(pagamento: string, publicEntityNeedsCaixa = true) {
  const app = renderApp(`/pagamentos/lotes?lote=${desk.batch.id}&pagamento=${pagamento}`, {
    settings: {
      accountLimits: { TED: 500_000, PIX: 500_000, TEV: 500_000, BILLET: 1 },
      hasIntegrationId: true,
      publicEntityNeedsCaixa,
    },
  });
  await screen.findByLabelText("ID de integração (opcional)");
  return app;
}
async function fill(label: string | RegExp, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
}
async function fillPayment() {
  await fill("Data do pagamento", formatDate(later));
  await fill("ID de integração (opcional)", "NF-7");
}
const save = () => user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
async function sent() {
  await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
  return fakeServer.calls(addTransfer)[0]?.body as { id: string } | undefined;
}
const ofForm = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), payment_date: later, integration_id: "NF-7" };
const nobody = {
  name: null,
  cpf_cnpj: null,
  email: null,
  bank_id: null,
  agency: null,
  agency_digit: null,
  account_type: null,
  account: null,
  account_digit: null,
  pix_key: null,
  pix_key_type: null,
};

const emv = writeDynamicBrCode({
  location: "pix.aurora.invalid/qr/v2/cob/1234/20981231/01",
  merchantName: "Loja Exemplo Ltda",
  merchantCity: "CURITIBA",
});
const charge = {
  type: "IMMEDIATE_COLLECTION",
  status: "ACTIVE" as const,
  pix_key_type: "CHAVE_ALEATORIA" as const,
  pix_key: "123e4567-e12b-42d1-a456-426655440000",
  name: "Loja Exemplo Ltda",
  cpf_cnpj: "11.222.333/0001-81",
  amount: 12_34,
  due_date: null,
  fine_amount: null,
  interest_amount: null,
  discount_amount: null,
  abatment_amount: null,
  txid: "a".repeat(32),
  until: "2099-01-01T02:59:59.000Z",
};

describe("a new payment", () => {
  it("TRF-002 TRF-017 TRF-022 TRF-044 by key sends its day and integration id, which is checked for duplicates", async () => {
    await open("novo");
    await user.click(screen.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "marina@exemplo.com");
    await fill(/Qual o valor/, "12,34");
    await fill("CPF/CNPJ para validação (opcional)", "529.982.247-25");
    await fill("Nome ou razão social (opcional)", "Marina Lopes");
    await fill("CPF ou CNPJ (opcional)", "529.982.247-25");
    await fill("E-mail (opcional)", "contato@exemplo.com");
    await fillPayment();
    await user.tab();
    await waitFor(() => expect(fakeServer.calls(readDuplicatedIntegrationId)).toHaveLength(1));
    // Typing takes longer than the answer.
    await fill("Descrição Pix (opcional)", "Salário");
    expect(screen.queryByText("ID de integração já usado em outro pagamento")).toBeNull();
    await save();
    expect(await sent()).toEqual({
      ...ofForm,
      value: 12_34,
      destination_bank_account: {
        ...nobody,
        name: "Marina Lopes",
        cpf_cnpj: "52998224725",
        email: "contato@exemplo.com",
        pix_key: "marina@exemplo.com",
        pix_key_type: "EMAIL",
      },
      pix_key_validation: { cpf_cnpj: "52998224725" },
      pix_description: "Salário",
    });
    const asked = fakeServer.calls(readDuplicatedIntegrationId);
    expect(asked.map(({ params, query }) => ({ params, query }))).toEqual([
      { params: { id: "NF-7" }, query: { except: (await sent())?.id } },
    ]);
    expect(fakeServer.calls(addTransfer)[0]?.params).toEqual({ id: desk.batch.id });
  });

  it("TRF-002 TRF-017 TRF-039 TRF-044 by account sends its day and integration id, and no key typed before", async () => {
    await open("novo");
    await fill("Chave Pix (CNPJ)", "72491638000183");
    await fill("CPF/CNPJ para validação (opcional)", "529.982.247-25");
    await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
    await user.type(await screen.findByRole("combobox", { name: "Banco" }), "593{Enter}");
    await fill("Agência", "0001");
    await fill("Conta", "10184");
    await fill("Dígito da conta", "7");
    await fill("Nome ou razão social", "Maria da Silva");
    await fill("CPF ou CNPJ", "52998224725");
    await fill("E-mail (opcional)", "maria@exemplo.com");
    await fill(/Qual o valor/, "12,34");
    await fillPayment();
    await save();
    expect(await sent()).toEqual({
      ...ofForm,
      value: 12_34,
      destination_bank_account: {
        ...nobody,
        name: "Maria da Silva",
        cpf_cnpj: "52998224725",
        email: "maria@exemplo.com",
        bank_id: "99999593",
        agency: "0001",
        account_type: "CONTA_CORRENTE",
        account: "10184",
        account_digit: "7",
      },
      pix_key_validation: null,
      pix_description: null,
    });
  });

  it("TRF-002 TRF-017 TRF-044 by code sends its day, integration id and the code", async () => {
    fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge }));
    await open("novo");
    await user.click(screen.getByRole("radio", { name: "Pix copia e cola" }));
    await fill("Código Pix (copia e cola)", emv);
    await screen.findByText(/^Loja Exemplo Ltda/);
    await fill("Descrição Pix (opcional)", "Pedido 7");
    await fillPayment();
    await save();
    expect(await sent()).toEqual({
      ...ofForm,
      emv,
      value: 12_34,
      // Payee named by the code itself.
      destination_bank_account: {
        ...nobody,
        name: charge.name,
        pix_key: charge.pix_key,
        pix_key_type: charge.pix_key_type,
      },
      pix_key_validation: null,
      pix_description: "Pedido 7",
    });
  });

  it("TRF-002 TRF-020 is followed by another in an empty form, with an id of its own", async () => {
    await open("novo");
    await user.click(screen.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "marina@exemplo.com");
    await fill(/Qual o valor/, "12,34");
    await fill("Descrição Pix (opcional)", "Salário");
    await fillPayment();
    await user.click(screen.getByRole("button", { name: "Salvar e adicionar outro" }));
    await screen.findByText("1 pagamento incluído neste lote");
    await fill("Chave Pix (CNPJ)", "72491638000183");
    await fill(/Qual o valor/, "56,78");
    await save();
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(2));
    const [first, second] = fakeServer.calls(addTransfer).map(({ body }) => body as { id: string });
    expect(second).toEqual({
      id: ofForm.id,
      value: 56_78,
      payment_date: null,
      integration_id: null,
      destination_bank_account: { ...nobody, pix_key: "72491638000183", pix_key_type: "CNPJ" },
      pix_key_validation: null,
      pix_description: null,
    });
    expect(second?.id).not.toBe(first?.id);
  });

  it("TRF-044 accepts no past day, and the calendar offers none", async () => {
    await open("novo");
    const day = screen.getByLabelText<HTMLInputElement>("Data do pagamento");
    expect(day.placeholder).toBe("Hoje");
    const form = screen.getByRole("dialog", { name: "Criar novo pagamento" });
    const calendar = form.querySelector<HTMLInputElement>('input[type="date"]') as HTMLInputElement;
    expect(calendar.min).toBe(today);
    await user.click(screen.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "marina@exemplo.com");
    await fill(/Qual o valor/, "12,34");
    await fill("Data do pagamento", formatDate(addDays(today, -1)));
    await save();
    await screen.findByText(/^Data do pagamento: .*Data de pagamento inválida/);
    expect(fakeServer.calls(addTransfer)).toEqual([]);
    // Today itself may be chosen.
    fireEvent.change(calendar, { target: { value: today } });
    await save();
    expect(await sent()).toMatchObject({ payment_date: today });
  });

  it("TRF-030 is not sent to a blocked document, whether the receiver's or the key", async () => {
    fakeServer.on(readBlacklist, () => ({ data: ["52998224725"] }));
    await open("novo");
    await user.click(screen.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "marina@exemplo.com");
    await fill("CPF ou CNPJ (opcional)", "529.982.247-25");
    await fill(/Qual o valor/, "12,34");
    await save();
    const problems = async () =>
      within((await screen.findByText("Corrija antes de continuar:")).parentElement as HTMLElement);
    await (await problems()).findByText(`CPF ou CNPJ: ${blocked}`);
    await fill("CPF ou CNPJ (opcional)", "");
    await user.click(screen.getByRole("radio", { name: "CPF" }));
    await fill("Chave Pix (CPF)", "529.982.247-25");
    await save();
    await (await problems()).findByText(`Chave Pix: ${blocked}`);
    expect((await problems()).queryByText(`CPF ou CNPJ: ${blocked}`)).toBeNull();
    expect(fakeServer.calls(addTransfer)).toEqual([]);
    await fill("Chave Pix (CPF)", "111.444.777-35");
    await save();
    expect(await sent()).toMatchObject({ destination_bank_account: { pix_key: "11144477735" } });
  });
});

it("RCV-022 hides the hint at the search of receivers from a person who has seen it", async () => {
  const app = await open("novo");
  screen.getByLabelText("Buscar um recebedor cadastrado");
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
  expect(screen.queryByRole("group", { name: "Dica" })).toBeNull();
  expect(recordedMarks()).toEqual([]);
});

it("TRF-035 shows no hint about public entities for a company's document", async () => {
  await open("novo");
  await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
  await fill("CPF ou CNPJ", "11.222.333/0001-81");
  await user.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
  await user.click(await screen.findByRole("option", { name: "Entidades públicas" }));
  expect(screen.queryByText("Esse tipo de conta somente permite pagamento para pessoa jurídica")).toBeNull();
});

it.each([true, false])(
  "TRF-034 requires Caixa for a public entity when the company's settings are %s",
  async (needed) => {
    await open("novo", needed);
    await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
    await user.click(await screen.findByRole("combobox", { name: "Tipo de conta" }));
    await user.click(await screen.findByRole("option", { name: "Entidades públicas" }));
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}");
    await fill("Agência", "1234");
    await fill("Conta", "56789");
    await fill("Dígito da conta", "7");
    await fill("Nome ou razão social", "Prefeitura de Aurora");
    await fill("CPF ou CNPJ", "11.222.333/0001-81");
    await fill(/Qual o valor/, "12,34");
    await save();
    if (needed) {
      await screen.findByText("Tipo de conta: Entidade pública inválida");
      expect(fakeServer.calls(addTransfer)).toEqual([]);
    } else
      expect(await sent()).toMatchObject({
        destination_bank_account: { account_type: "ENTIDADES_PUBLICAS" },
      });
  },
);

describe("an existing payment", () => {
  it("TRF-002 TRF-018 TRF-020 of a draft is changed by its own call alone, with value and day", async () => {
    const { id } = desk.transfers[0] as { id: string };
    await open(id);
    await fill(/Qual o valor/, "99,01");
    await fillPayment();
    await save();
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Editar pagamento" })).toBeNull());
    const { name, cpf_cnpj, pix_key, pix_key_type } = desk.transfers[0]?.destination_bank_account ?? nobody;
    expect(fakeServer.calls(changeTransfer).map(({ params, body }) => ({ params, body }))).toEqual([
      {
        params: { id: desk.batch.id, tid: id },
        body: {
          id,
          value: 99_01,
          integration_id: "NF-7",
          destination_bank_account: { ...nobody, name, cpf_cnpj, pix_key, pix_key_type },
          payment_date: later,
          pix_key_validation: null,
          pix_description: null,
        },
      },
    ]);
    expect(fakeServer.calls(addTransfer)).toEqual([]);
    expect(screen.getByRole("region", { name: "Avisos", hidden: true }).textContent).toBe("");
  });

  it("TRF-002 made by a code is sent with it when anything else changes", async () => {
    const { type, amount, due_date, fine_amount, interest_amount, discount_amount, abatment_amount, txid } =
      charge;
    const { name, pix_key, pix_key_type } = charge;
    desk.transfers = [
      buildTransfer({
        value: amount,
        emv,
        emv_data: {
          type,
          amount,
          due_date,
          fine_amount,
          interest_amount,
          discount_amount,
          abatment_amount,
          txid,
        },
        to: { name, cpf_cnpj: null, pix_key, pix_key_type },
      }),
    ];
    fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge }));
    await open(desk.transfers[0]?.id ?? "");
    await screen.findByText(/^Loja Exemplo Ltda · 11/);
    await fill("Descrição Pix (opcional)", "Pedido 8");
    await save();
    await waitFor(() => expect(fakeServer.calls(changeTransfer)).toHaveLength(1));
    expect(fakeServer.calls(changeTransfer)[0]?.body).toMatchObject({
      emv,
      value: amount,
      pix_description: "Pedido 8",
    });
  });

  it("TRF-002 made by a code sends no code once it is paid by key", async () => {
    desk.transfers = [buildTransfer({ emv: "000201", emv_data: null })];
    await open(desk.transfers[0]?.id ?? "");
    await user.click(screen.getByRole("radio", { name: "Chave Pix" }));
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "marina@exemplo.com");
    await fill(/Qual o valor/, "12,34");
    await save();
    await waitFor(() => expect(fakeServer.calls(changeTransfer)).toHaveLength(1));
    expect(fakeServer.calls(changeTransfer)[0]?.body).toMatchObject({
      emv: null,
      destination_bank_account: { pix_key: "marina@exemplo.com" },
    });
  });
});
