import {
  downloadPayinReceipt,
  downloadRefundReceipt,
  listPayinRefunds,
  type Payin,
} from "@malote/contracts/payins";
import { cardRejections } from "@malote/domain/card-rejections";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildPayin, payinsHome, rowOf, servePayins, textOf } from "../testing/payins.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";

const isOff = (element: Element) => element.hasAttribute("disabled");
let all: Payin[];
let one: Payin;

beforeEach(() => {
  one = buildPayin();
  all = [one];
  servePayins(() => all);
});

describe("details", () => {
  it("PAY-010 PAY-020 PAY-022 PAY-024 show the facts of a payin, with a notice when it is blocked", async () => {
    all = [
      buildPayin({
        status: "blocked",
        block: {
          block_reason: "Suspeita",
          amount: 150_00,
          blocked_at: "2026-11-10T14:00:00.000Z",
          kept_at: null,
          unblocked_at: null,
        },
        details: {
          ...one.details,
          interest_type: "percentage_per_month",
          interest_percent: 1.5,
          fine_type: "fixed",
          fine_amount: 2_00,
        },
      }),
    ];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    expect(await dialog.findByText(/O bloqueio dura até 72 horas/)).toBeTruthy();
    expect(dialog.getByText("Percentual ao mês · 1,5%")).toBeTruthy();
    expect(dialog.getByText("Valor fixo · R$ 2,00")).toBeTruthy();
    expect(textOf(dialog.getByTitle(all[0]?.id ?? ""))).toContain("01990000-0000-7000-8…");
    // What is cut is copied whole.
    const user = userEvent.setup();
    await user.click(dialog.getByRole("button", { name: "Copiar ID do recebimento" }));
    expect(await navigator.clipboard.readText()).toBe(all[0]?.id);
  });

  it.each<[string, Partial<Payin>, object, RegExp, RegExp]>([
    [
      "while it is analysed",
      { status: "blocked" },
      {},
      /^Recebimento com bloqueio cautelar$/,
      /dura até 72 horas.*pode continuar bloqueado, voltar a ser recebido ou ser devolvido/,
    ],
    [
      "that continues",
      { status: "blocked" },
      { kept_at: "2026-11-13T14:00:00.000Z" },
      /^Recebimento continua bloqueado$/,
      /A análise terminou em 13\/11\/2026 11:00 e R\$ 150,00 continuam fora do seu saldo/,
    ],
    [
      "that was released",
      { status: "received" },
      { unblocked_at: "2026-11-13T14:00:00.000Z" },
      /^Bloqueio cautelar encerrado: valor liberado$/,
      /R\$ 150,00 voltaram ao seu saldo em 13\/11\/2026 11:00/,
    ],
    [
      "whose money is returned",
      { status: "rejected", rejected_at: "2026-11-13T14:00:00.000Z", refundable_amount: 0 },
      {},
      /^Bloqueio cautelar encerrado: devolução ao pagador$/,
      /está devolvendo R\$ 150,00 ao pagador/,
    ],
  ])("PAY-024 report a block %s", async (_, changes, block, title, text) => {
    const blocked = {
      block_reason: "Suspeita",
      amount: 150_00,
      blocked_at: "2026-11-10T14:00:00.000Z",
      kept_at: null,
      unblocked_at: null,
      ...block,
    };
    all = [buildPayin({ ...changes, block: blocked })];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = await screen.findByRole("dialog", { name: "Detalhes do recebimento" });
    const notice = (await within(dialog).findByText(title)).closest("[data-tone]");
    expect(textOf(notice)).toMatch(text);
  });

  it.each([
    ["fixed_per_day", "Valor fixo por dia"],
    ["percentage_per_day", "Percentual ao dia"],
    ["percentage_per_month", "Percentual ao mês"],
    ["percentage_per_year", "Percentual ao ano"],
    ["fixed_per_working_day", "Valor fixo por dia útil"],
    ["percentage_per_working_day", "Percentual ao dia útil"],
    ["percentage_per_month_working_days", "Percentual ao mês, em dias úteis"],
    ["percentage_per_year_working_days", "Percentual ao ano, em dias úteis"],
  ])("PAY-023 name the interest %s", async (interest_type, words) => {
    all = [buildPayin({ details: { ...one.details, interest_type } })];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const term = await dialog.findByText("Juros");
    expect(textOf(term.nextElementSibling)).toBe(words);
  });

  it.each([
    ["fixed", "Valor fixo"],
    ["percentage", "Percentual"],
  ])("PAY-023 name the fine %s", async (fine_type, words) => {
    all = [buildPayin({ details: { ...one.details, fine_type } })];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const term = await dialog.findByText("Multa");
    expect(textOf(term.nextElementSibling)).toBe(words);
  });

  it.each(Object.entries(cardRejections))(
    "PAY-025 explain why a card was refused: %s",
    async (code, message) => {
      all = [
        buildPayin({
          status: "unauthorized",
          payment_type: "credit_card",
          refundable_amount: 0,
          details: { ...one.details, rejection_reason: code },
        }),
      ];
      renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
      const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
      expect(await dialog.findByText(message)).toBeTruthy();
      expect(dialog.getByText(`Código: ${code}`)).toBeTruthy();
    },
  );

  it("PAY-020 PAY-033 PAY-034 FST-024 show what was sold and the payer's message, and offer the receipts", async () => {
    all = [
      buildPayin({
        status: "partially_refunded",
        refunded_amount: 50_00,
        payment_link_id: "0198f000-0000-7000-8000-0000000000d1",
        payment_link: { name: "Curso de outubro", description: "Turma da noite" },
        message: "Pedido 991",
        txid: "PEDIDO991",
        receipt_file_url: "/api/payments/app/payins/1/receipt",
      }),
    ];
    const refund_id = "01990000-0000-7000-8000-0000000000e1";
    fakeServer.on(listPayinRefunds, () => ({
      items: [
        {
          id: refund_id,
          amount: 50_00,
          created_at: "2026-11-11T13:00:00.000Z",
          receipt_file_url: "/receipt",
          status: "succeeded" as const,
          error: null,
        },
      ],
      metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
    }));
    fakeServer.on(downloadPayinReceipt, () => new Blob(["%PDF of the payin"]));
    fakeServer.on(downloadRefundReceipt, () => new Blob(["%PDF of the refund"]));
    const saved = watchSavedFiles();
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    for (const text of ["Curso de outubro", "Turma da noite", "Pedido 991", "PEDIDO991"])
      expect(await dialog.findByText(text)).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Baixar comprovante" }));
    await userEvent.click(await dialog.findByRole("button", { name: "Comprovante da devolução" }));
    expect(dialog.queryByText("Ocorreu um erro nessa tentativa de cobrança")).toBeNull();
    await waitFor(() => expect(saved).toEqual(Array(2).fill("comprovante-bruno-sales.pdf")));
    await waitFor(() => expect(recordedMarks()).toEqual(Array(2).fill("HAS_DOWNLOADED_RECEIPTS")));
    const id = all[0]?.id;
    expect(new Set(fakeServer.calls(listPayinRefunds).map((call) => call.params["id"]))).toEqual(
      new Set([id]),
    );
    for (const [contract, params] of [
      [downloadPayinReceipt, { id }],
      [downloadRefundReceipt, { id, refund_id }],
    ] as const)
      expect(fakeServer.calls(contract).map((call) => call.params)).toEqual([params]);
  });

  it("link from a contested Pix to its contestation", async () => {
    all = [buildPayin({ infraction_ids: ["0198f000-0000-7000-8000-0000000000f1"] })];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    await screen.findByText("O pagador contestou este Pix");
    expect(screen.getByRole("link", { name: "Ver a contestação" }).getAttribute("href")).toBe(
      "/contestacoes/infracoes/0198f000-0000-7000-8000-0000000000f1",
    );
  });

  it("show for an undone card sale what left the balance and what never arrived", async () => {
    all = [
      buildPayin({
        payment_type: "credit_card",
        status: "refunded",
        amount: 199_90,
        received_amount: 66_64,
        refunded_amount: 199_90,
        refundable_amount: 0,
      }),
    ];
    renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    const line = async (label: string) => textOf((await dialog.findByText(label)).nextElementSibling);
    expect([
      await line("Venda desfeita"),
      await line("Saiu do seu saldo"),
      await line("Parcelas que não chegam mais"),
    ]).toEqual(["R$ 199,90", "R$ 66,64", "R$ 133,26"]);
  });

  it("PAY-026 offer the refund of their own payin", async () => {
    // Another payin, which the refund does not concern.
    all = [buildPayin({ payer: { name: "Olga Prado", tax_id: null }, refundable_amount: 90_00 }), one];
    renderApp(`${payinsHome}?recebimento=${one.id}`);
    const details = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    await userEvent.click(await details.findByRole("button", { name: "Devolver" }));
    const refund = within(await screen.findByRole("dialog", { name: "Devolver recebimento" }));
    refund.getByText("Você pode devolver até R$ 150,00");
  });

  it("PAY-020 open the boleto while it can be paid, and offer none of another payin", async () => {
    const boleto_url = "/pagar/AAAAAAAAAAAAAAAAAAAAAA?cobranca=1";
    all = [buildPayin({ status: "pending", payment_type: "boleto", refundable_amount: 0, boleto_url }), one];
    const app = renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const boleto = await screen.findByRole("link", { name: "Abrir segunda via" });
    expect(boleto.getAttribute("href")).toBe(boleto_url);
    app.unmount();
    renderApp(`${payinsHome}?recebimento=${one.id}`);
    const details = within(await screen.findByRole("dialog", { name: "Detalhes do recebimento" }));
    await details.findByText("ID do recebimento");
    expect(details.queryByRole("link", { name: "Abrir segunda via" })).toBeNull();
  });

  it("PAY-025 explain why a card was refused, with the bare code when it is unknown", async () => {
    const refused = (reason: string) =>
      buildPayin({
        status: "unauthorized",
        payment_type: "credit_card",
        refundable_amount: 0,
        details: { ...one.details, rejection_reason: reason },
      });
    all = [refused("payer_limit_exceeded"), refused("from_tomorrow")];
    const known = renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    expect(await screen.findByText(new RegExp(cardRejections["payer_limit_exceeded"] ?? ""))).toBeTruthy();
    expect(screen.getByText("Código: payer_limit_exceeded")).toBeTruthy();
    known.unmount();
    renderApp(`${payinsHome}?recebimento=${all[1]?.id}`);
    expect(await screen.findByText("Venda negada: from_tomorrow")).toBeTruthy();
  });

  it("SES-070 show that the refunds could not be read again, above those that were read", async () => {
    all = [buildPayin({ status: "refunding" })];
    fakeServer.on(listPayinRefunds, () => ({
      items: [
        {
          id: one.id,
          amount: 50_00,
          created_at: "2026-11-11T13:00:00.000Z",
          receipt_file_url: null,
          status: "processing" as const,
          error: null,
        },
      ],
      metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
    }));
    const app = renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const refunds = within(await screen.findByRole("region", { name: "Devoluções" }));
    fakeServer.on(listPayinRefunds, () => refuse("internal"));
    await act(() => app.queryClient.invalidateQueries());
    await refunds.findByText("Não foi possível carregar as devoluções");
    refunds.getByText("Processando");
  });

  it("PAY-008 PAY-026 PAY-034 report what failed, and offer no refund of a rejected payin", async () => {
    all = [buildPayin({ rejected_at: "2026-11-11T13:00:00.000Z" })];
    fakeServer.on(listPayinRefunds, () => ({
      items: [
        {
          id: one.id,
          amount: 50_00,
          created_at: "2026-11-11T13:00:00.000Z",
          receipt_file_url: null,
          status: "failed" as const,
          error: "A conta do pagador foi encerrada.",
        },
      ],
      metadata: { pagination: { itemsPerPage: 1, totalItems: 1 } },
    }));
    const app = renderApp(`${payinsHome}?recebimento=${all[0]?.id}`);
    const dialog = within(await screen.findByRole("dialog"));
    expect(await dialog.findByText("Ocorreu um erro nessa tentativa de cobrança")).toBeTruthy();
    expect(dialog.getByText("A conta do pagador foi encerrada.")).toBeTruthy();
    expect(isOff(dialog.getByRole("button", { name: "Devolver" }))).toBe(true);
    app.unmount();
    renderApp(`${payinsHome}?recebimento=${one.id}`);
    expect(await screen.findByText("Ocorreu um erro ao buscar o recebimento")).toBeTruthy();
  });
});

it("PAY-011 confirm a copy for one second", async () => {
  // Stands in for the browser's clipboard.
  userEvent.setup();
  renderApp(payinsHome);
  const row = within(await rowOf("Bruno Sales"));
  vi.useFakeTimers();
  fireEvent.click(row.getByRole("button", { name: "Copiar ID Pix" }));
  await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => vi.advanceTimersByTimeAsync(900));
  screen.getByRole("button", { name: "Copiado" });
  await act(() => vi.advanceTimersByTimeAsync(200));
  row.getByRole("button", { name: "Copiar ID Pix" });
  expect(screen.queryByRole("button", { name: "Copiado" })).toBeNull();
  vi.useRealTimers();
  expect(await navigator.clipboard.readText()).toBe(one.end_to_end_id);
});
