/** Section "Histórico" in the details of a payment and of a payin. */
import type { History, HistoryEntry } from "@malote/contracts/history";
import { readPayinHistory, readPaymentHistory } from "@malote/contracts/history";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildMoment, serveHistory } from "../testing/history.ts";
import { buildPayin, payinsHome, servePayins } from "../testing/payins.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

beforeAll(() =>
  Promise.all([import("../transfers/transfer-details-dialog.tsx"), import("../payins/payin-dialog.tsx")]),
);

const helena = { kind: "user", name: "Helena Prado" } as const;
const created = buildMoment({
  what: "payment.created",
  at: "2026-11-20T12:00:00.000Z",
  amount: null,
  kept: false,
});

/** The history starts on the morning of the 22nd, so events of the day before are missing from it. */
const keptSince22 = { kept_since: "2026-11-22T12:00:00.000Z" };

function openPayment(
  entries: readonly HistoryEntry[],
  itemsPerPage?: number,
  progress?: Partial<Pick<History, "kept_since" | "missing">>,
) {
  const batch = { ...buildOpenBatch(), status: "FINISHED" as const };
  const transfer = buildTransfer();
  serveBatch({ batch, transfers: [transfer], balance: 0, filledFirstSteps: true });
  serveHistory(entries, itemsPerPage, progress);
  return renderApp(`/pagamentos/lotes?lote=${batch.id}&pagamento=${transfer.id}`);
}
const section = async () => within(await screen.findByRole("region", { name: "Histórico" }));
const shown = async () =>
  (await (await section()).findAllByRole("listitem")).map((item) =>
    [...item.querySelectorAll("p")].map((line) => line.textContent?.replaceAll("\u00a0", " ")),
  );

describe("history of a payment", () => {
  it("TRF-055 shows what happened, why, when in São Paulo, and by whom, newest first", async () => {
    openPayment([
      buildMoment({ what: "payment.given_back", at: "2026-11-22T01:30:00.000Z", actor: helena }),
      buildMoment({
        what: "payment.failed",
        reason: "Chave inexistente",
        actor: { kind: "network", name: null },
      }),
      buildMoment({ what: "payment.failed", actor: { kind: "operator", name: null } }),
      buildMoment({ attempt: 2, actor: { kind: "system", name: null } }),
      buildMoment({ what: "payment.sent_again", actor: { kind: "machine", name: "ERP" } }),
      created,
    ]);
    expect(await shown()).toEqual([
      ["R$ 150,00 voltaram ao saldo", "21/11/2026 22:30 · Helena Prado"],
      ["O pagamento falhou", "Chave inexistente", "21/11/2026 10:00 · Instituição financeira"],
      ["O pagamento falhou", "21/11/2026 10:00 · Operador da instalação"],
      ["Enviado ao banco pela 2ª vez", "21/11/2026 10:00 · Automático"],
      ["O pagamento seguiu de novo para envio", "21/11/2026 10:00 · Credencial ERP"],
      ["O pagamento foi criado", "20/11/2026 09:00"],
    ]);
    expect((await section()).queryByText(/só estas datas/)).toBeNull();
  });

  it("without any event shows that nothing happened yet", async () => {
    openPayment([created]);
    expect(await (await section()).findByText(/^Nada aconteceu depois disso/)).toBeTruthy();
  });

  it("older than the history shows where the history begins, or that there is none", async () => {
    const settled = buildMoment({ what: "payment.settled", kept: false });
    openPayment(
      [buildMoment({ what: "payment.returned", at: "2026-11-22T13:00:00.000Z" }), settled, created],
      50,
      keptSince22,
    );
    expect(
      await (await section()).findByText(/^O histórico completo começa em 22\/11\/2026 10:00/),
    ).toBeTruthy();
  });

  it("without stored events shows that only the dates are known", async () => {
    openPayment([buildMoment({ what: "payment.settled", kept: false }), created], 50, keptSince22);
    expect(await (await section()).findByText(/^Isto aconteceu antes de o histórico existir/)).toBeTruthy();
  });

  const notes = async () =>
    [...(await screen.findByRole("region", { name: "Histórico" })).querySelectorAll(":scope > p")].map(
      ({ textContent }) => textContent,
    );
  const settledToday = buildMoment({ what: "payment.settled", kept: false });

  it("with a pending event of today announces it, and polls until it arrives", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    openPayment([settledToday, created], 50, { missing: "late" });
    await (await section()).findByText(/^O histórico está sendo atualizado/);
    expect(await notes()).toHaveLength(1);
    serveHistory([{ ...settledToday, kept: true }, created]);
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(async () => expect(await notes()).toEqual([]));
    vi.useRealTimers();
  });

  it("behind a failed event reports the failure, and does not call it older than the history", async () => {
    openPayment([settledToday, created], 50, { missing: "stuck" });
    await (await section()).findByText(/^Por uma falha do sistema, o histórico não está completo/);
    expect(await notes()).toHaveLength(1);
  });

  it("without stored events but with a missing one does not claim that nothing happened", async () => {
    openPayment([created], 50, { missing: "late" });
    await (await section()).findByText(/^O histórico está sendo atualizado/);
    expect(await notes()).toHaveLength(1);
  });

  it("older than the history and with a missing event since reports both", async () => {
    openPayment([settledToday, created], 50, { ...keptSince22, missing: "stuck" });
    await (await section()).findByText(/^Por uma falha do sistema/);
    expect(await notes()).toEqual([
      expect.stringMatching(/^Por uma falha/),
      expect.stringMatching(/^Isto aconteceu antes de o histórico existir/),
    ]);
  });

  it.each([{}, { kept_since: null }])(
    "with only dates stored shows no reason it does not know: %o",
    async (known) => {
      openPayment([settledToday, created], 50, known);
      await (await section()).findByText("De parte do que aconteceu, só as datas foram guardadas.");
      expect(await notes()).toHaveLength(1);
    },
  );

  it("shows older moments on demand", async () => {
    openPayment([buildMoment({ what: "payment.failed" }), buildMoment(), created], 2);
    expect(await shown()).toHaveLength(2);
    await userEvent.click((await section()).getByRole("button", { name: "Mostrar mais" }));
    expect(await (await section()).findByText("O pagamento foi criado")).toBeTruthy();
    expect(await shown()).toHaveLength(3);
    expect((await section()).queryByRole("button", { name: "Mostrar mais" })).toBeNull();
  });

  it("that cannot be read leaves the details unchanged, and can be requested again", async () => {
    openPayment([created]);
    fakeServer.on(readPaymentHistory, () => refuse("internal"));
    const retry = await (await section()).findByRole("button", { name: "Tentar de novo" });
    expect(screen.getByText("Identificador")).toBeTruthy();
    serveHistory([created]);
    await userEvent.click(retry);
    expect(await (await section()).findByText("O pagamento foi criado")).toBeTruthy();
  });

  it("SES-070 that cannot be read again stays, below the reason", async () => {
    const app = openPayment([created]);
    await (await section()).findByText("O pagamento foi criado");
    fakeServer.on(readPaymentHistory, () => refuse("internal"));
    await act(() => app.queryClient.invalidateQueries());
    await (await section()).findByText("Não foi possível carregar o histórico");
    (await section()).getByText("O pagamento foi criado");
  });
});

it("PAY-020 shows for a payin how it was blocked and returned, and a card's refusal in words", async () => {
  const payin = buildPayin();
  servePayins(() => [payin]);
  serveHistory([
    buildMoment({ what: "payin.refund_failed", reason: "A conta do pagador foi encerrada." }),
    buildMoment({ what: "payin.refund_asked", actor: helena }),
    buildMoment({ what: "payin.blocked", amount: 90_00 }),
    buildMoment({ what: "payin.ended", status: "unauthorized", reason: "card_expired" }),
    buildMoment({ what: "payin.received", actor: { kind: "network", name: null } }),
  ]);
  renderApp(`${payinsHome}?recebimento=${payin.id}`);
  expect((await shown()).map(([text, reason]) => [text, reason])).toEqual([
    [
      "A devolução de R$ 150,00 não foi feita e o valor voltou para a empresa",
      "A conta do pagador foi encerrada.",
    ],
    ["Devolução de R$ 150,00 pedida", "21/11/2026 10:00 · Helena Prado"],
    ["Bloqueio cautelar: R$ 90,00 fora do saldo", "21/11/2026 10:00"],
    ["A operadora do cartão negou a venda", expect.not.stringContaining("card_expired")],
    ["R$ 150,00 entraram no saldo", "21/11/2026 10:00 · Instituição financeira"],
  ]);
  expect(fakeServer.calls(readPayinHistory).map(({ params }) => params)).toEqual([{ id: payin.id }]);
});
