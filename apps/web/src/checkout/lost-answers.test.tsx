/** A payer whose answer was lost, or who arrives late, never pays twice without knowing. */
import { payCheckout, readCheckout, readCheckoutCharge } from "@malote/contracts/checkout";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { answer, charge, course, fillCard, fillPayer, focusOn, open, token } from "../testing/checkout.tsx";
import { fakeServer, refuse } from "../testing/fake-server.ts";

beforeEach(() => history.replaceState(null, "", "/"));

it("sends the same charge again after a lost answer", async () => {
  const user = userEvent.setup();
  fakeServer.on(payCheckout, () => refuse("unavailable"));
  open();
  await fillPayer(user);
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByText("Não foi possível continuar");
  answer({});
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await screen.findByRole("heading", { name: "Pague com Pix" });
  const [first, second] = fakeServer.calls(payCheckout).map(({ body }) => body);
  expect(second).toEqual(first);
});

it("creates another boleto when the payer was corrected after a lost answer", async () => {
  const user = userEvent.setup();
  fakeServer.on(payCheckout, () => refuse("unavailable"));
  open();
  await user.click(await screen.findByLabelText(/^Boleto/));
  await fillPayer(user);
  const send = async () => {
    const before = fakeServer.calls(payCheckout).length;
    await user.click(screen.getByRole("button", { name: /^Gerar/ }));
    await waitFor(() => expect(fakeServer.calls(payCheckout)).toHaveLength(before + 1));
    await screen.findByText("Não foi possível continuar");
  };
  await send();
  await user.type(screen.getByLabelText("Nome completo"), " Prado");
  await send();
  // Another method in between keeps the id of the charge that was already sent.
  await user.click(screen.getByLabelText(/^Pix/));
  await send();
  await user.click(screen.getByLabelText(/^Boleto/));
  await send();
  const sent = fakeServer.calls(payCheckout).map(({ body }) => body as { id: string });
  expect(sent[3]).toEqual(sent[1]);
  expect(sent[1]).toMatchObject({ payer: { name: "Marina Lopes Prado" } });
  expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
});

it("keeps the charge of a card whose payer was corrected, because its sale may exist", async () => {
  const user = userEvent.setup();
  fakeServer.on(payCheckout, () => refuse("unavailable"));
  open();
  await fillPayer(user);
  await fillCard(user);
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByText("Não foi possível continuar");
  await user.type(screen.getByLabelText("Nome completo"), " Prado");
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await waitFor(() => expect(fakeServer.calls(payCheckout)).toHaveLength(2));
  const [first, second] = fakeServer.calls(payCheckout).map(({ body }) => body as { id: string });
  expect(second?.id).toBe(first?.id);
});

it("creates another charge for a card whose sale was cancelled because its terms had changed", async () => {
  const user = userEvent.setup();
  fakeServer.on(payCheckout, () => refuse("checkout_card_changed"));
  open();
  await fillPayer(user);
  await fillCard(user);
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByText(/foi cancelada\. Nada foi cobrado/);
  const paid = { installments: 1, authorization_code: "A1B2C3", advice: null };
  answer({ state: "paid", payment_method: "credit_card", pix: null, card: paid });
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByRole("heading", { name: "Pagamento confirmado" });
  const [first, second] = fakeServer.calls(payCheckout).map(({ body }) => body as { id: string });
  expect(second).toEqual({ ...first, id: second?.id });
  expect(second?.id).not.toBe(first?.id);
});

it("shows a payer's own payment as theirs when its answer was lost", async () => {
  const user = userEvent.setup();
  const paid = { installments: 1, authorization_code: "A1B2C3", advice: null };
  open();
  await fillPayer(user);
  await fillCard(user);
  answer({ state: "paid", payment_method: "credit_card", pix: null, card: paid });
  fakeServer.on(payCheckout, () => refuse("internal"));
  fakeServer.on(readCheckout, () => ({ ...course, status: "paid" as const }));
  await user.click(screen.getByRole("button", { name: "Pagar R$\u00a0100,00" }));
  await screen.findByRole("heading", { name: "Pagamento confirmado" });
  screen.getByText(/Autorização A1B2C3/);
});

it("reports that another payer paid, when the sent charge never arrived", async () => {
  const user = userEvent.setup();
  open();
  await fillPayer(user);
  fakeServer.on(payCheckout, () => refuse("checkout_paid"));
  fakeServer.on(readCheckout, () => ({ ...course, status: "paid" as const }));
  fakeServer.on(readCheckoutCharge, () => refuse("not_found"));
  await user.click(screen.getByRole("button", { name: "Gerar Pix" }));
  await focusOn("Este pagamento já foi feito");
});

it("reports that another payer paid while this person looked at a QR code", async () => {
  sessionStorage.setItem(`malote.checkout.${token}`, charge.id);
  answer({ state: "ended", pix: null });
  open({ ...course, status: "paid" });
  await screen.findByRole("heading", { name: "Este pagamento já foi feito" });
});
