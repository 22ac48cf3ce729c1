/** Card of a transfer, and the fields of a transfer that may change. */
import { addTransfer, changeTransfer, type TransferInput } from "@malote/contracts/transfers";
import { paymentStatuses } from "@malote/domain/payment-status";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";
import { dialog, itau, transferDetails } from "../testing/transfer-details.ts";
import { destinationText } from "./destination-text.ts";
import { cardState, failReason, lookOfTransfer } from "./transfer-status.ts";

let desk: Desk;
beforeAll(() => Promise.all([import("./transfer-wizard.tsx"), import("./transfer-details-dialog.tsx")]));
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [buildTransfer()], balance: 0, filledFirstSteps: true };
  serveBatch(desk);
});

const { open } = transferDetails(() => desk);

const user = userEvent.setup();

describe("a card", () => {
  async function card() {
    renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`);
    return within((await screen.findByText("Marina Lopes")).closest("li") as HTMLElement);
  }
  const colorOf = (pill: HTMLElement) => pill.closest("[data-color]")?.getAttribute("data-color");
  const failedTo = { status: "FAILED", status_description: "Conta encerrada" } as const;
  const mistake = { code: "value_invalid", field: "value" } as const;
  const doubt = { code: "account_digit_unusual", field: "account_digit" } as const;

  it("TRF-010 TRF-011 shows a draft whose payee's last payment failed as failed, with the reason", async () => {
    desk.transfers = [buildTransfer({ to: failedTo })];
    const shown = await card();
    expect(colorOf(shown.getByText("Recebedor com falha"))).toBe("red");
    shown.getByText("Conta encerrada");
  });

  it("shows the key's holder, marked as such, for a payment by key without a name, and any other payment's own name", async () => {
    const names = { to: { name: null, pix_key: "bruno@exemplo.com" }, key_holder_name: "Bruno Reis" };
    desk.transfers = [buildTransfer(names), buildTransfer({ key_holder_name: "Outra Pessoa" })];
    const own = await card();
    expect(own.queryByText(/titular da chave/)).toBeNull();
    const held = within((await screen.findByText("Bruno Reis")).closest("li") as HTMLElement);
    held.getByText("titular da chave");
    held.getByText("Chave e-mail · bruno@exemplo.com");
  });

  it("TRF-010 is marked as failed, but not when it only has a warning", async () => {
    const isMarked = async () => (await screen.findByText("Marina Lopes")).closest("[data-failed]") !== null;
    for (const [given, marked] of [
      [{ errors: [mistake] }, true],
      [{ to: failedTo }, true],
      [{ warnings: [doubt] }, false],
    ] as const) {
      desk.transfers = [buildTransfer(given as unknown as Parameters<typeof buildTransfer>[0])];
      await card();
      expect(await isMarked()).toBe(marked);
      cleanup();
    }
  });

  it.each([
    ["its mistake before its receiver", { errors: [mistake], to: failedTo }, "Valor inválido", "red"],
    ["its mistake before a warning", { errors: [mistake], warnings: [doubt] }, "Valor inválido", "red"],
    ["its receiver before a warning", { warnings: [doubt], to: failedTo }, "Recebedor com falha", "red"],
  ] as const)("TRF-007 shows for a draft %s", (_case, given, name, color) => {
    const transfer = buildTransfer(given as unknown as Parameters<typeof buildTransfer>[0]);
    expect(lookOfTransfer(transfer)).toMatchObject({ name, color });
  });

  it("TRF-010 shows that a payment was returned, or has a warning", async () => {
    desk.transfers = [buildTransfer({ warnings: [doubt] })];
    expect(colorOf((await card()).getByText("Alerta"))).toBe("yellow");
    cleanup();
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "RETURNED", to: failedTo })];
    expect(colorOf((await card()).getByText("Devolvida"))).toBe("red");
  });

  it.each([
    ["failed", { errors: [mistake], warnings: [doubt] }],
    ["failed", { status: "FAILED" }],
    ["failed", { status: "CREATED", to: failedTo, warnings: [doubt] }],
    ["returned", { status: "RETURNED", to: failedTo, warnings: [doubt] }],
    ["warning", { warnings: [doubt] }],
    ["warning", { status: "SCHEDULED", to: failedTo, warnings: [doubt] }],
    ["plain", { status: "FINISHED", to: { status: "VERIFIED" } }],
    ["plain", { status: "SCHEDULED", to: failedTo }],
  ] as const)("TRF-010 counts as %s: %o", (state, given) => {
    expect(cardState(buildTransfer(given as Parameters<typeof buildTransfer>[0]))).toBe(state);
  });

  it.each(["FAILED", "RETURNED", "BEING_RETURNED", "REQUESTED_REFUND"] as const)(
    "TRF-011 in %s shows the payment's own reason, else the account's",
    async (status) => {
      desk.batch = { ...desk.batch, status: "RECEIVED" };
      desk.transfers = [buildTransfer({ status, status_description: "Conta bloqueada", to: failedTo })];
      const own = await card();
      own.getByText("Conta bloqueada");
      expect(own.queryByText("Conta encerrada")).toBeNull();
      cleanup();
      desk.transfers = [buildTransfer({ status, to: failedTo })];
      (await card()).getByText("Conta encerrada");
    },
  );

  it.each(
    paymentStatuses.filter(
      (status) => !["FAILED", "RETURNED", "BEING_RETURNED", "REQUESTED_REFUND"].includes(status),
    ),
  )("TRF-011 in %s shows no reason", (status) => {
    expect(failReason(buildTransfer({ status, status_description: "velho" }))).toBeNull();
  });
});

it("TRF-013 TRF-054 on a card an agency takes at most 14 and an account 16 characters, whatever their length", () => {
  const to = buildTransfer().destination_bank_account;
  const long = {
    pix_key: null,
    agency: "1".repeat(30),
    account: "2".repeat(30),
    agency_digit: "x9",
    account_digit: "y8",
  };
  const [, agency = "", account = ""] = destinationText({ ...to, Bank: itau, ...long }).split(" · ");
  const number = (text: string) => text.slice(text.indexOf(text.match(/\d/)?.[0] ?? ""));
  expect(number(agency)).toBe("1111111111…-x");
  expect(number(account)).toBe("2222222222…-y");
  expect(number(agency).length).toBeLessThanOrEqual(14);
  expect(number(account).length).toBeLessThanOrEqual(16);
});

describe("editable fields", () => {
  const fieldsOf = async () => {
    const form = await dialog("Editar pagamento");
    return [
      await form.findByLabelText<HTMLInputElement>(/Qual o valor/),
      form.queryByLabelText("Data do pagamento"),
    ] as const;
  };

  it("TRF-018 contain value and date of a payment that was not sent", async () => {
    open(desk.transfers[0]?.id ?? "");
    const [value, day] = await fieldsOf();
    expect([value.disabled, (day as HTMLInputElement | null)?.disabled]).toEqual([false, false]);
  });

  it("TRF-018 contain neither of them in a correction", async () => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "FAILED", payment_date: "2026-11-20" })];
    open(desk.transfers[0]?.id ?? "");
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    const [value, day] = await fieldsOf();
    expect(value.disabled).toBe(true);
    expect((day as HTMLInputElement | null)?.disabled ?? true).toBe(true);
  });

  it("TRF-045 reports a failed correction when no reason is given", async () => {
    desk.batch = { ...desk.batch, status: "RECEIVED" };
    desk.transfers = [buildTransfer({ status: "FAILED" })];
    fakeServer.on(changeTransfer, () => refuseWithoutCode());
    open(desk.transfers[0]?.id ?? "");
    await user.click(await screen.findByRole("button", { name: "Corrigir pagamento" }));
    await user.click(await screen.findByRole("button", { name: "Salvar correção" }));
    await screen.findByText("Ocorreu um erro ao editar a transferência");
    screen.getByRole("dialog", { name: "Editar pagamento" });
  });
});

describe("a new payment", () => {
  const sent = () => fakeServer.calls(addTransfer)[0]?.body as TransferInput | undefined;
  beforeEach(() => fakeServer.on(addTransfer, () => buildTransfer()));

  it("TRF-044 shows 'Hoje' for no date, disables the days before today, and refuses a typed one", async () => {
    open("novo");
    const day = await screen.findByLabelText<HTMLInputElement>("Data do pagamento");
    expect(day.placeholder).toBe("Hoje");
    const calendar = day.closest("div")?.parentElement?.parentElement?.querySelector('input[type="date"]');
    const today = new Intl.DateTimeFormat("sv", { timeZone: "America/Sao_Paulo" }).format(new Date());
    expect(calendar?.getAttribute("min")).toBe(today);
    await user.type(screen.getByLabelText("Chave Pix (CNPJ)"), "72491638000183");
    await user.type(screen.getByLabelText(/Qual o valor/), "10");
    await user.type(day, "20112020");
    await user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
    const refusal = "Data de pagamento inválida. A data do agendamento já passou";
    await screen.findByText(`Data do pagamento: ${refusal}`);
    screen.getByText(refusal);
    expect(sent()).toBeUndefined();
  });

  it("TRF-002 sends the known fields of a payment, an id generated here, and no other", async () => {
    open("novo");
    await user.type(await screen.findByLabelText("Chave Pix (CNPJ)"), "72491638000183");
    await user.type(screen.getByLabelText(/Qual o valor/), "10");
    await user.click(screen.getByRole("button", { name: "Salvar pagamento" }));
    await waitFor(() => expect(sent()).toBeDefined());
    expect(Object.keys(sent() ?? {}).sort()).toEqual([
      "destination_bank_account",
      "id",
      "integration_id",
      "payment_date",
      "pix_description",
      "pix_key_validation",
      "value",
    ]);
  });
});
