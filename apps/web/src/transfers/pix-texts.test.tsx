import { listBatches } from "@malote/contracts/batches";
import { contracts } from "@malote/contracts/index";
import { addTransfer, listTransfers } from "@malote/contracts/transfers";
import { accountTypeNames, accountTypes } from "@malote/domain/bank-account";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

const batch = buildOpenBatch();
const open = (pagamento?: string) =>
  renderApp(`/pagamentos/lotes?lote=${batch.id}${pagamento ? `&pagamento=${pagamento}` : ""}`);
const added = () => fakeServer.calls(addTransfer);

beforeEach(() => {
  serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
  fakeServer.on(addTransfer, () => buildTransfer());
});

/** A Pix payment that lacks only what the test is about. */
async function fillAndSave(label: RegExp, text: string) {
  const user = userEvent.setup();
  open("novo");
  await user.click(await screen.findByRole("radio", { name: "E-mail" }));
  await user.type(await screen.findByLabelText("Chave Pix (E-mail)"), "marina@exemplo.com");
  await user.type(screen.getByLabelText(/Qual o valor/), "0,01");
  await user.click(await screen.findByLabelText(label));
  await user.paste(text);
  await user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
}
const sentDescription = async () => {
  await waitFor(() => expect(added()).toHaveLength(1));
  return (added()[0]?.body as { pix_description: string | null } | undefined)?.pix_description;
};

describe("the document to validate", () => {
  it.each(["123", "529.982.247-26", "12ABC34501DE36"])("TRF-032 refuses '%s'", async (text) => {
    await fillAndSave(/para validação/, text);
    expect(await screen.findAllByText(/O CPF\/CNPJ para validação deve ser válido/)).not.toHaveLength(0);
    expect(added()).toHaveLength(0);
  });

  it.each([
    ["529.982.247-25", "52998224725"],
    ["12ABC34501DE35", "12ABC34501DE35"],
  ])("TRF-032 accepts the valid '%s'", async (text, sent) => {
    await fillAndSave(/para validação/, text);
    await waitFor(() => expect(added()).toHaveLength(1));
    expect(added()[0]?.body).toMatchObject({ pix_key_validation: { cpf_cnpj: sent } });
  });

  it("TRF-032 is optional", async () => {
    await fillAndSave(/Descrição/, "Folha");
    await waitFor(() => expect(added()).toHaveLength(1));
    expect(added()[0]?.body).toMatchObject({ pix_key_validation: null });
  });
});

describe("the Pix description", () => {
  it("TRF-041 with 141 characters is refused, in words", async () => {
    await fillAndSave(/Descrição/, "a".repeat(141));
    expect(await screen.findAllByText(/Tamanho máximo do campo é 140 caracteres/)).not.toHaveLength(0);
    expect(added()).toHaveLength(0);
  });

  it("TRF-041 with 140 characters is sent unchanged", async () => {
    await fillAndSave(/Descrição/, "a".repeat(140));
    expect(await sentDescription()).toBe("a".repeat(140));
  });

  it("TRF-041 may be left out", async () => {
    await fillAndSave(/para validação/, "52998224725");
    expect(await sentDescription()).toBeNull();
  });

  it.each(["Folha \u2013 novembro", "Ā", "pago 🙂"])(
    "TRF-043 refuses '%s', beyond the code 255",
    async (text) => {
      await fillAndSave(/Descrição/, text);
      expect(await screen.findAllByText(/Descrição Pix contém caracteres inválidos/)).not.toHaveLength(0);
      expect(added()).toHaveLength(0);
    },
  );

  it("TRF-043 accepts every letter up to the code 255", async () => {
    await fillAndSave(/Descrição/, "Salário de José Ação ÿ");
    expect(await sentDescription()).toBe("Salário de José Ação ÿ");
  });
});

describe("account types", () => {
  it("SES-079 are these six, five of them with a code that a person may choose", () => {
    expect([...accountTypes].sort()).toEqual([
      "CONTA_CORRENTE",
      "CONTA_FACIL",
      "CONTA_PAGAMENTO",
      "CONTA_POUPANCA",
      "ENTIDADES_PUBLICAS",
    ]);
    expect(Object.values(accountTypeNames).sort()).toEqual([
      "Conta corrente",
      "Conta de pagamento",
      "Conta fácil",
      "Conta poupança",
      "Conta salário",
      "Entidades públicas",
    ]);
  });

  it("SES-079 the salary account is never offered", async () => {
    const user = userEvent.setup();
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Conta bancária" }));
    await user.click(await screen.findByRole("combobox", { name: "Tipo de conta" }));
    const offered = (await screen.findAllByRole("option")).map((option) => option.textContent);
    expect(offered.sort()).toEqual(accountTypes.map((type) => accountTypeNames[type]).sort());
  });

  it("SES-079 the salary account is shown when the server sends it", async () => {
    const account = {
      pix_key: null,
      pix_key_type: null,
      agency: "1234",
      account: "12345",
      account_digit: "6",
    };
    const paid = buildTransfer({
      status: "FINISHED",
      payment_method: "TED",
      to: { ...account, account_type: "CONTA_SALARIO" },
    });
    serveBatch({
      batch: { ...batch, status: "FINISHED" },
      transfers: [paid],
      balance: 0,
      filledFirstSteps: true,
    });
    open(paid.id);
    await screen.findByText("Recebedor");
    const details = within(screen.getByRole("dialog", { name: "Detalhes da transferência" }));
    details.getByText("Conta salário");
  });
});

describe("lists with pages", () => {
  // STM-016: the statement counts from 1, by its own requirement.
  const paged = contracts.filter(({ id, query }) => query && "page" in query.shape && id !== "readStatement");
  const wrong = (found: typeof contracts) =>
    found.filter(({ query }) => {
      const given = query?.partial().safeParse({}).data ?? {};
      return given["page"] !== 0 || query?.partial().safeParse({ page: 0 }).success !== true;
    });

  it("SES-080 are counted from 0, each with its page size and its number of items", () => {
    expect(paged.map(({ id }) => id)).toContain("listTransfers");
    expect(wrong(paged).map(({ id }) => id)).toEqual([]);
    for (const { id, response } of paged) {
      const whole = { pagination: { itemsPerPage: 50, totalItems: 120 } };
      const metadata = (response as typeof listTransfers.response).shape?.metadata;
      expect(metadata?.parse(whole), id).toEqual(whole);
      expect(metadata?.safeParse({ pagination: { totalItems: 120 } }).success, id).toBe(false);
      expect(metadata?.safeParse({ pagination: { itemsPerPage: 50 } }).success, id).toBe(false);
    }
  });

  it("SES-080 start at page 0, and have as many pages as the server's size gives", async () => {
    const pagination = { itemsPerPage: 7, totalItems: 15 };
    fakeServer.on(listBatches, () => ({
      data: [batch],
      summary: { count: 15, value: 1 },
      metadata: { pagination },
    }));
    open();
    await waitFor(() => expect(fakeServer.calls(listTransfers)[0]?.query["page"]).toBe("0"));
    await screen.findByRole("button", { name: "Página 3", hidden: true });
    expect(screen.queryByRole("button", { name: "Página 4", hidden: true })).toBeNull();
    expect(fakeServer.calls(listBatches)[0]?.query["page"]).toBe("0");
  });
});
