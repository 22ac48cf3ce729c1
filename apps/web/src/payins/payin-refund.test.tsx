import { listPayins, type Payin, readPayinTotals, refundPayin } from "@malote/contracts/payins";
import { readBalance } from "@malote/contracts/statement";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildPayin, payinsHome, rowOf, servePayins } from "../testing/payins.ts";
import { renderApp } from "../testing/render-app.tsx";
import { refundObstacle, refundTip } from "./refund-rules.ts";

const isOff = (element: Element) => element.hasAttribute("disabled");
const typedIn = (field: Element) => (field as HTMLInputElement).value;
let all: Payin[];
let one: Payin;

beforeEach(() => {
  one = buildPayin();
  all = [one];
  servePayins(() => all);
});

describe("a refund", () => {
  const openRefund = async () => {
    await userEvent.click(within(await rowOf("Bruno Sales")).getByRole("button", { name: /^Devolver/ }));
    return screen.findByRole("dialog", { name: "Devolver recebimento" });
  };
  const refundOf = (amount: number) => ({
    id: one.id,
    amount,
    created_at: "2026-11-11T13:00:00.000Z",
    receipt_file_url: null,
    status: "processing" as const,
    error: null,
  });

  it("PAY-030 PAY-031 PAY-032 asks for the amount, then for a confirmation, and sends it once", async () => {
    fakeServer.on(refundPayin, ({ body }) => refundOf(body.amount));
    renderApp(payinsHome);
    await openRefund();
    expect(screen.getByText("Você pode devolver até R$ 150,00")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    expect(screen.getByText("Digite um valor para devolução")).toBeTruthy();
    const field = screen.getByLabelText("Valor da devolução");
    await userEvent.type(field, "0");
    expect(screen.getByText("Digite um valor maior que zero")).toBeTruthy();
    // Neither amount leads to the confirmation.
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.clear(field);
    await userEvent.type(field, "150,01");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    expect(screen.getByText("O valor passa do que pode ser devolvido")).toBeTruthy();
    await userEvent.clear(field);
    await userEvent.type(field, "50");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    expect(screen.getByText("Tem certeza que deseja devolver R$ 50,00 para Bruno Sales?")).toBeTruthy();
    await screen.findByText("O valor sai do seu saldo agora e não pode ser cobrado de volta.");
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    expect(typedIn(screen.getByLabelText("Valor da devolução"))).toBe("R$ 50,00");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    const reads = () => [listPayins, readPayinTotals, readBalance].map((of) => fakeServer.calls(of).length);
    const before = reads();
    await userEvent.dblClick(screen.getByRole("button", { name: "Devolver" }));
    expect(await screen.findByText("Valor devolvido com sucesso")).toBeTruthy();
    await waitFor(() =>
      expect(reads().map((count, of) => count > (before[of] ?? 0))).toEqual(Array(3).fill(true)),
    );
    expect(fakeServer.calls(refundPayin).map(({ params, body }) => ({ params, body }))).toEqual([
      { params: { id: one.id }, body: { amount: 50_00 } },
    ]);
  });

  it("PAY-032 reports that another person has to approve, in place of success", async () => {
    fakeServer.on(refundPayin, ({ body }) => ({ ...refundOf(body.amount), awaits_approval: true }));
    renderApp(payinsHome, { settings: { asksForApprovals: true } });
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "50");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    screen.getByText(/^O valor sai do seu saldo depois das aprovações/);
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
    expect(screen.queryByText("Valor devolvido com sucesso")).toBeNull();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("PAY-028 PAY-031 PAY-032 of a card covers the whole amount, and a failure keeps the choice", async () => {
    all = [buildPayin({ payment_type: "credit_card", status: "authorized" })];
    fakeServer.on(refundPayin, () => refuseWithoutCode());
    renderApp(payinsHome);
    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect(screen.getByText("Você pode devolver até R$ 150,00, somente por inteiro")).toBeTruthy();
    expect(isOff(field)).toBe(true);
    expect(typedIn(field)).toBe("R$ 150,00");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Devolver recebimento" }));
    // The error shows inside the dialog; the toast lies behind it.
    expect(await dialog.findByText("Ocorreu um erro na devolução de valor")).toBeTruthy();
    expect(screen.getByText(/Tem certeza que deseja devolver R\$ 150,00/)).toBeTruthy();
  });

  it("PAY-028 of a blocked Pix covers the whole amount as well", async () => {
    const blocked_at = "2026-11-10T14:00:00.000Z";
    const block = { block_reason: "Suspeita", amount: 150_00, blocked_at, kept_at: null, unblocked_at: null };
    // A part was refunded before the block, so the whole amount is the remainder.
    all = [buildPayin({ status: "blocked", block, refunded_amount: 51_00, refundable_amount: 99_00 })];
    fakeServer.on(refundPayin, ({ body }) => refundOf(body.amount));
    renderApp(payinsHome);
    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect(isOff(field)).toBe(true);
    expect(typedIn(field)).toBe("R$ 99,00");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    screen.getByText("Tem certeza que deseja devolver R$ 99,00 para Bruno Sales?");
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await screen.findByText("Valor devolvido com sucesso");
    expect(fakeServer.calls(refundPayin).map(({ body }) => body)).toEqual([{ amount: 99_00 }]);
  });

  it("PAY-032 without an answer is repeated unchanged, also from a reopened dialog", async () => {
    const send = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
      await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    };
    fakeServer.on(refundPayin, () => refuse("internal"));
    // The list is stale here; the payin itself is read again, and shows the remaining amount.
    renderApp(payinsHome);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText("A devolução de R$ 100,00 pode já ter sido feita");
    all = [{ ...one, refundable_amount: 50_00, refunded_amount: 100_00 }];
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    await openRefund();
    const field = screen.getByLabelText("Valor da devolução");
    expect([typedIn(field), isOff(field)]).toEqual(["R$ 100,00", true]);
    fakeServer.on(refundPayin, () => refuse("too_many_requests"));
    await send();
    // This refusal reveals nothing about the first attempt.
    await waitFor(() => expect(screen.getAllByText(/Muitas chamadas/).length).toBeGreaterThan(0));
    expect(screen.getByText("A devolução de R$ 100,00 pode já ter sido feita")).toBeTruthy();
    fakeServer.on(refundPayin, ({ body }) => refundOf(body.amount));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await screen.findByText("Valor devolvido com sucesso");
    const sent = fakeServer.calls(refundPayin);
    expect(sent.map(({ body }) => body)).toEqual(Array(3).fill({ amount: 100_00 }));
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);

    // The first result is known now, so the next refund is a new one, of the remaining amount.
    await openRefund();
    await screen.findByText("Você pode devolver até R$ 50,00");
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "20");
    await send();
    await waitFor(() => expect(fakeServer.calls(refundPayin)).toHaveLength(4));
    const last = fakeServer.calls(refundPayin)[3];
    expect(last?.body).toEqual({ amount: 20_00 });
    expect(last?.headers.get("idempotency-key")).not.toBe(sent[0]?.headers.get("idempotency-key"));
  });

  it("without an answer survives a reload, until it is refused for good or discarded", async () => {
    const send = async () => {
      await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
      await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    };
    const lostTitle = "A devolução de R$ 100,00 pode já ter sido feita";
    const keys = () => fakeServer.calls(refundPayin).map(({ headers }) => headers.get("idempotency-key"));
    fakeServer.on(refundPayin, () => refuse("internal"));
    const before = renderApp(payinsHome);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText(lostTitle);
    before.unmount();

    const again = renderApp(payinsHome);
    await openRefund();
    screen.getByText(lostTitle);
    // The field is read-only, so the focus is on the next step.
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Continuar" }));
    fakeServer.on(refundPayin, () => refuse("insufficient_balance"));
    await send();
    await waitFor(() => expect(screen.queryByText(lostTitle)).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "5");
    // Typing a digit must not confirm anything.
    expect(screen.queryByText(/Tem certeza/)).toBeNull();
    again.unmount();

    fakeServer.on(refundPayin, () => refuse("internal"));
    renderApp(payinsHome);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await send();
    await screen.findByText(lostTitle);
    await userEvent.click(screen.getByRole("button", { name: "Descartar" }));
    expect(isOff(screen.getByLabelText("Valor da devolução"))).toBe(false);
    await send();
    await waitFor(() => expect(keys()).toHaveLength(4));
    const [first, second, third, fourth] = keys();
    expect([second === first, third === second, fourth === third]).toEqual([true, false, false]);
  });

  it("that was refused may be sent with another amount", async () => {
    fakeServer.on(refundPayin, () => refuse("refund_above_refundable"));
    renderApp(payinsHome);
    await openRefund();
    await userEvent.type(screen.getByLabelText("Valor da devolução"), "100");
    await userEvent.click(screen.getByRole("button", { name: "Continuar" }));
    await userEvent.click(screen.getByRole("button", { name: "Devolver" }));
    await waitFor(() => expect(fakeServer.calls(refundPayin)).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Cancelar" }));
    expect(isOff(screen.getByLabelText("Valor da devolução"))).toBe(false);
    expect(screen.queryByText(/pode já ter sido feita/)).toBeNull();
  });

  it("PAY-026 PAY-027 is offered to people with the permission, for payins that can be refunded", async () => {
    all = [
      buildPayin({ payer: { name: "Comum", tax_id: null } }),
      buildPayin({ payer: { name: "Retido", tax_id: null }, status: "blocked" }),
      buildPayin({ payer: { name: "Cobrado", tax_id: null }, status: "pending", refundable_amount: 0 }),
      // Rejected before: only its details offer no refund.
      buildPayin({ payer: { name: "Negado antes", tax_id: null }, rejected_at: "2026-11-10T12:00:00.000Z" }),
    ];
    const seen = async (session: object) => {
      const app = renderApp(payinsHome, { session });
      const buttons: (boolean | null)[] = [];
      for (const name of ["Comum", "Retido", "Cobrado", "Negado antes"]) {
        const button = within(await rowOf(name)).queryByRole("button", { name: `Devolver a ${name}` });
        buttons.push(button ? !button.hasAttribute("aria-disabled") : null);
      }
      app.unmount();
      return buttons;
    };
    expect(await seen({})).toEqual([true, true, false, true]);
    expect(await seen({ profile: "operator" })).toEqual([true, true, false, true]);
    expect(await seen({ permissions: ["platform_access"] })).toEqual([null, true, null, null]);
    expect(await seen({ profile: "analyst" })).toEqual([null, null, null, null]);
  });

  it.each([
    ["analysts", { profile: "analyst" as const }, "received", false],
    ["people without the permission", { permissions: ["platform_access"] }, "received", false],
    [
      "people who may only answer contestations",
      { permissions: ["platform_access", "payin_refund_med"] },
      "received",
      false,
    ],
    ["operators", { profile: "operator" as const }, "received", true],
    [
      "people without the permission, for blocked money",
      { permissions: ["platform_access"] },
      "blocked",
      true,
    ],
    [
      "people with only the permission",
      { permissions: ["platform_access", "payin_refund"] },
      "received",
      true,
    ],
  ] as const)("PAY-027 the details offer it or not: %s", async (_, given, status, offers) => {
    all = [buildPayin({ status, paid_twice: true })];
    const session = "permissions" in given ? { permissions: [...given.permissions] } : given;
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`, { session });
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    await dialog.findByText(/chegou quando a cobrança já estava paga/);
    expect(dialog.queryAllByRole("button", { name: /^Devolver/ })).toHaveLength(offers ? 2 : 0);
  });

  it("PAY-029 the hint is on a button that can take the focus, and the details explain why", async () => {
    all = [buildPayin({ refund_expires_at: "2024-01-01T00:00:00.000Z", refundable_amount: 0 })];
    const app = renderApp(payinsHome);
    const button = within(await rowOf("Bruno Sales")).getByRole("button", { name: "Devolver a Bruno Sales" });
    expect(button.title).toBe("Tempo para devolução excedido");
    button.focus();
    expect(document.activeElement).toBe(button);
    // The button opens the reason, and never the refund.
    await userEvent.click(button);
    await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(screen.queryByRole("dialog", { name: "Devolver recebimento" })).toBeNull();
    app.unmount();
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Não pode ser devolvido: tempo para devolução excedido.")).toBeTruthy();
    const off = dialog.getByRole("button", { name: "Devolver" });
    expect([isOff(off), off.title]).toEqual([true, "Tempo para devolução excedido"]);
  });

  it.each<[string, Partial<Payin>, RegExp]>([
    ["a TED", { payment_type: "ted" }, /^TED não tem devolução pela mesma via/],
    ["a boleto", { payment_type: "boleto" }, /^Boleto não tem devolução pela mesma via/],
    ["a denied sale", { payment_type: "credit_card", status: "unauthorized" }, /^A venda foi negada/],
    [
      "a payin that the network rejected",
      { status: "rejected", rejected_at: "2026-11-11T13:00:00.000Z" },
      /^A instituição rejeitou/,
    ],
    ["what expired", { status: "expired", refund_expires_at: null }, /^A cobrança expirou sem ser paga/],
    ["a refunded payin", { status: "refunded", refunded_amount: 150_00 }, /já foi devolvido por inteiro/],
    [
      "a payin with a pending refund",
      { status: "refunding", refunded_amount: 150_00 },
      /está a caminho do pagador/,
    ],
    [
      "a payin that the network returned",
      { rejected_at: "2026-11-11T13:00:00.000Z" },
      /já foi devolvido por inteiro/,
    ],
  ])("explains for %s why it cannot be refunded", (_, changes, sentence) => {
    expect(refundObstacle(buildPayin({ ...changes, refundable_amount: 0 }))).toMatch(sentence);
  });

  it("explains nothing for payins that can be refunded", () => expect(refundObstacle(one)).toBeUndefined());

  it.each<[string, Partial<Payin>]>([
    ["Devolver", {}],
    ["Cobrança ainda não foi recebida", { status: "pending", refundable_amount: 0 }],
    ["Cobrança cancelada", { status: "canceled", refundable_amount: 0 }],
  ])("PAY-029 the button in the list has the hint '%s'", async (hint, changes) => {
    all = [buildPayin(changes)];
    renderApp(payinsHome);
    const row = within(await rowOf("Bruno Sales"));
    expect(row.getByRole("button", { name: "Devolver a Bruno Sales" }).title).toBe(hint);
  });

  it("PAY-029 the hint explains why", () => {
    const tip = (changes: Partial<Payin>) => refundTip(buildPayin(changes));
    expect(tip({ status: "pending" })).toBe("Cobrança ainda não foi recebida");
    for (const status of ["canceled", "canceled_by_user", "canceled_by_psp"] as const)
      expect(tip({ status })).toBe("Cobrança cancelada");
    expect(tip({ refund_expires_at: "2024-01-01T00:00:00.000Z" })).toBe("Tempo para devolução excedido");
    expect(tip({})).toBe("Devolver");
    // A payin without a window is in no window that is over, and its own status comes before the window.
    expect(tip({ refund_expires_at: null })).toBe("Devolver");
    const over = "2024-01-01T00:00:00.000Z";
    expect(tip({ status: "pending", refund_expires_at: over })).toBe("Cobrança ainda não foi recebida");
    expect(tip({ status: "canceled", refund_expires_at: over })).toBe("Cobrança cancelada");
    const ending = buildPayin({ refund_expires_at: "2026-11-10T13:00:00.000Z" });
    expect(refundTip(ending, new Date("2026-11-10T12:59:59.999Z"))).toBe("Devolver");
    expect(refundTip(ending, new Date("2026-11-10T13:00:00.001Z"))).toBe("Tempo para devolução excedido");
  });
});

describe("a second payment of a paid charge", () => {
  it("is marked in the list and the details, and is refunded by one click and its confirmation", async () => {
    all = [
      buildPayin({ paid_twice: true, payment_type: "pix_dynamic_qrcode" }),
      buildPayin({ payer: { name: "Olga Prado", tax_id: null } }),
    ];
    renderApp(payinsHome);
    expect(within(await rowOf("Bruno Sales")).getByText("Pago em dobro")).toBeTruthy();
    expect(within(await rowOf("Olga Prado")).queryByText("Pago em dobro")).toBeNull();
    await userEvent.click(await screen.findByRole("link", { name: "Bruno Sales" }));
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(within(dialog).getByText(/chegou quando a cobrança já estava paga/)).toBeTruthy();
    const give = await within(dialog).findByRole("button", { name: /Devolver\sR\$\s150,00/ });
    await userEvent.click(give);
    expect(await screen.findByRole("dialog", { name: "Devolver recebimento" })).toBeTruthy();
  });

  it("offers nothing to a person without the right, and refers a boleto's payer to a transfer", async () => {
    all = [buildPayin({ paid_twice: true, payment_type: "boleto", refundable_amount: 0 })];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    expect(await within(dialog).findByText(/combine com quem pagou e envie por transferência/)).toBeTruthy();
    expect(within(dialog).queryByRole("button", { name: /Devolver\sR\$/ })).toBeNull();
  });
});
