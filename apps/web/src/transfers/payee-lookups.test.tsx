/** Payee of a key or a Pix code, in the form, and messages of a failed save. */
import { readCompanySettings } from "@malote/contracts/company";
import { lookUpPixCode, lookUpPixKey } from "@malote/contracts/lookups";
import { addTransfer, changeTransfer, removeTransfer } from "@malote/contracts/transfers";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const user = userEvent.setup();
const button = (name: string | RegExp) => screen.findByRole("button", { name });
function open(pagamento?: string) {
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}${pagamento ? `&pagamento=${pagamento}` : ""}`);
  fakeServer.on(readCompanySettings, () => ({
    ...buildCompanySettings(),
    accountLimits: { TED: 500_000, PIX: 500_000, TEV: 500_000, BILLET: 1 },
  }));
}
const emv = writeDynamicBrCode({
  location: "pix.aurora.invalid/qr/v2/cobv/100000/20261110/01",
  merchantName: "Loja Exemplo Ltda",
  merchantCity: "CURITIBA",
});
const charge = {
  type: "DUE_DATE_COLLECTION",
  status: "ACTIVE" as const,
  pix_key_type: "CHAVE_ALEATORIA" as const,
  pix_key: "123e4567-e12b-42d1-a456-426655440000",
  name: "Loja Exemplo Ltda",
  cpf_cnpj: "11.222.333/0001-81",
  amount: 102_067,
  due_date: "2026-11-10",
  fine_amount: 2_000,
  interest_amount: 67,
  discount_amount: 0,
  abatment_amount: 0,
  txid: "a".repeat(32),
  until: "2099-01-01T02:59:59.000Z",
};
const holder = {
  status: "found" as const,
  name: "Marina Prado",
  cpf_cnpj: "***.982.247-**",
  bank: { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null },
  is_salary_account: false,
  differs: null,
  asked_at: "2026-11-20T19:42:00.000Z",
  asked_by: "Rui Tavares",
};

beforeAll(() => import("./transfer-wizard.tsx"));
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
  fakeServer.on(addTransfer, () => buildTransfer());
});

describe("a Pix code", () => {
  async function paste(text: string) {
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Pix copia e cola" }));
    await user.click(await screen.findByLabelText("Código Pix (copia e cola)"));
    await user.paste(text);
  }

  it("TRF-004 TRF-017 shows payee and amount; a fixed value cannot be edited, and the code is sent", async () => {
    fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge }));
    await paste(emv);
    await screen.findByText(/^Loja Exemplo Ltda · 11\.222\.333\/0001-81/);
    await screen.findByText(
      /Valor R\$\s1\.020,67 · Venceu em 10\/11\/2026 · multa R\$\s20,00 · juros R\$\s0,67/,
    );
    const value = await screen.findByLabelText<HTMLInputElement>(/Qual o valor/);
    await waitFor(() => expect(value.value).toMatch(/1\.020,67/));
    expect(value.disabled).toBe(true);
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
    expect(fakeServer.calls(addTransfer)[0]?.body).toMatchObject({ emv, value: 102_067 });
  });

  it("TRF-004 shows deductions, each under its own name", async () => {
    const less = { ...charge, discount_amount: 1_00, abatment_amount: 2_00 };
    fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge: less }));
    await paste(emv);
    await screen.findByText(/ · desconto R\$\s1,00 · abatimento R\$\s2,00/);
  });

  it.each(["STATIC", "IMMEDIATE_COLLECTION", "A_TYPE_OF_TOMORROW"])(
    "TRF-004 of type %s shows its amount, and neither a due date nor additions",
    async (type) => {
      const other = { ...charge, type, until: null };
      fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge: other }));
      await paste(emv);
      await screen.findByText(/^Valor R\$\s1\.020,67$/);
    },
  );

  it("TRF-004 is shown and not saved when it was paid, or was changed on its way", async () => {
    fakeServer.on(lookUpPixCode, () => ({
      status: "read" as const,
      charge: { ...charge, status: "PAID" as const },
    }));
    await paste(emv);
    await screen.findByText(/^Loja Exemplo Ltda/);
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Código Pix (copia e cola): A cobrança deste código já foi paga");
    const box = screen.getByLabelText("Código Pix (copia e cola)");
    await user.clear(box);
    await user.click(box);
    await user.paste(`${emv.slice(0, -1)}!`);
    await screen.findByText(
      "Código Pix (copia e cola): O código está incompleto ou foi alterado. Copie e cole de novo",
    );
    expect(fakeServer.calls(addTransfer)).toEqual([]);
  });

  it("reports that the charging institution does not answer, and retries", async () => {
    await paste(emv);
    await screen.findByText("Cobrança não consultada");
    fakeServer.on(lookUpPixCode, () => ({ status: "read" as const, charge }));
    await user.click(await button("Consultar de novo"));
    await screen.findByText(/^Loja Exemplo Ltda/);
  });
});

describe("the holder of a key", () => {
  async function typeKey() {
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await user.type(await screen.findByLabelText("Chave Pix (E-mail)"), "marina@exemplo.com");
    expect(fakeServer.calls(lookUpPixKey)).toEqual([]);
    await user.tab();
  }

  it("is requested once the key was left, and shown with bank, moment and requester", async () => {
    fakeServer.on(lookUpPixKey, () => holder);
    await typeKey();
    await screen.findByText("Marina Prado · ***.982.247-** · Itaú Unibanco");
    await screen.findByText(/^Consultado em .+ por Rui Tavares\.$/);
    expect(fakeServer.calls(lookUpPixKey)).toHaveLength(1);
  });

  it("with another name than the typed one gets no green tick unless a document matches", async () => {
    fakeServer.on(lookUpPixKey, () => holder);
    await typeKey();
    const owner = "Marina Prado · ***.982.247-** · Itaú Unibanco";
    const tone = (text: string) => screen.getByText(text).closest("[data-tone]")?.getAttribute("data-tone");
    await screen.findByText(owner);
    expect(tone(owner)).toBe("blue");
    await user.type(screen.getByLabelText(/^Nome ou razão social/i), "Rita Souza");
    await user.tab();
    await screen.findByText(`A chave é de ${owner}`);
    screen.getByText(/O nome informado é outro/);
    expect(tone(`A chave é de ${owner}`)).toBe("yellow");
    await user.clear(screen.getByLabelText(/^Nome ou razão social/i));
    await user.type(screen.getByLabelText(/^Nome ou razão social/i), "marina prado");
    await screen.findByText(owner);
    expect(tone(owner)).toBe("green");
  });

  it.each([
    [{ ...holder, differs: true }, "A chave é de Marina Prado · ***.982.247-** · Itaú Unibanco"],
    [{ ...holder, status: "not_found" as const }, "Chave Pix não encontrada"],
    [{ ...holder, status: "unavailable" as const }, "Titular da chave não consultado"],
    [{ ...holder, status: "limited" as const }, "Titular da chave não consultado"],
  ])("%# shows each difference from what is expected", async (answer, text) => {
    fakeServer.on(lookUpPixKey, () => answer);
    await typeKey();
    await screen.findByText(text);
  });
});

it("TRF-038 shows the maximum for a row of the draft without value", async () => {
  desk.batch = buildOpenBatch({ errors_count: 1 });
  desk.transfers = [buildTransfer({ value: null, errors: [{ code: "value_invalid", field: "value" }] })];
  open();
  await screen.findByLabelText("Qual o valor? (máximo de R$ 5.000,00)");
});

const wrongRow = () => {
  const mistake = { code: "tax_id_invalid", field: "cpf_cnpj", suggestion: { cpf_cnpj: "52998224725" } };
  desk.batch = buildOpenBatch({ errors_count: 1 });
  desk.transfers = [buildTransfer({ to: { cpf_cnpj: "529982247" }, errors: [mistake] })];
};
const blocked = { code: "tax_id_blocked", field: "cpf_cnpj" };

it.each([
  ["finds after the save", (id: string) => ({ ...buildTransfer({ id }), errors: [blocked] })],
  ["refuses", () => refuse("transfer_invalid", { errors: [blocked] })],
])("TRF-036 reports invalid data of a row of the draft that the server %s", async (_what, answer) => {
  wrongRow();
  fakeServer.on(changeTransfer, ({ params }) => answer(params["tid"] ?? ""));
  open();
  await user.click(await button("Usar 529.982.247-25"));
  await screen.findByText("Há dados inválidos na transferência");
  await screen.findByText("CPF ou CNPJ bloqueado");
  expect(screen.queryByText("Transferência inválida")).toBeNull();
});

describe("a failure without a code", () => {
  it("TRF-020 is reported after saving", async () => {
    fakeServer.on(addTransfer, () => refuseWithoutCode());
    open("novo");
    await user.type(await screen.findByLabelText("Chave Pix (CNPJ)"), "72491638000183");
    await user.type(await screen.findByLabelText(/Qual o valor/), "10");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Ocorreu um erro ao salvar a transferência");
  });

  it("TRF-020 is reported after correcting a row of the draft", async () => {
    wrongRow();
    fakeServer.on(changeTransfer, () => refuseWithoutCode());
    open();
    await user.click(await button("Usar 529.982.247-25"));
    await screen.findByText("Ocorreu um erro ao salvar a transferência");
    const params = { id: desk.batch.id, tid: desk.transfers[0]?.id };
    expect(fakeServer.calls(changeTransfer).map((one) => one.params)).toEqual([params]);
  });

  it("TRF-020 is reported after changing a payment of the draft, whose form stays open", async () => {
    fakeServer.on(changeTransfer, () => refuseWithoutCode());
    open(desk.transfers[0]?.id ?? "");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Ocorreu um erro ao salvar a transferência");
    screen.getByRole("dialog", { name: "Editar pagamento" });
  });

  it("TRF-021 is reported after deleting, and the payment stays", async () => {
    fakeServer.on(removeTransfer, () => refuseWithoutCode());
    open(desk.transfers[0]?.id ?? "");
    await user.click(await button("Excluir"));
    const asks = within(await screen.findByRole("dialog", { name: "Excluir transferência" }));
    await user.click(asks.getByRole("button", { name: "Excluir transferência" }));
    await screen.findByText("Ocorreu um erro ao excluir a transferência");
    screen.getByRole("dialog", { name: "Excluir transferência" });
    // A code has its own text.
    fakeServer.on(removeTransfer, () => refuse("batch_not_draft"));
    await user.click(asks.getByRole("button", { name: "Excluir transferência" }));
    await screen.findByText(/^Este lote já não é um rascunho/);
  });
});
