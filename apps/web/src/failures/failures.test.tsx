import { readBatch } from "@malote/contracts/batches";
import {
  type Failures,
  listFailureNotices,
  listFailures,
  resendFailures,
  returnFailures,
} from "@malote/contracts/failures";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, failuresOf, serveBatch } from "../testing/serve-batch.ts";

const ana = { id: testId(61), name: "Ana Lima", pix_key: "ana@exemplo.com.br" };
const failure = (value: number, to: object) =>
  buildTransfer({ value, status: "FAILED", status_description: "Conta bloqueada.", to });

/** Loads the screen in advance, so that the first test does not wait for it. */
beforeAll(() => import("./failures-panel.tsx"), 60_000);

let desk: Desk;
let change: Partial<Failures>;
beforeEach(() => {
  const transfers = [
    failure(10_00, ana),
    failure(20_00, ana),
    failure(30_00, { id: testId(62), name: "Bento Cruz" }),
    buildTransfer({ status: "FINISHED", to: { name: "Caio Reis" } }),
  ];
  desk = {
    batch: buildOpenBatch({
      status: "RECEIVED",
      payments_count: 4,
      failed_count: 3,
      paid_count: 1,
      has_failed_or_returned_transfers: true,
    }),
    transfers,
    balance: 0,
    filledFirstSteps: true,
  };
  change = {};
  serveBatch(desk);
  fakeServer.on(listFailures, () => ({ ...failuresOf(desk), ...change }));
});

const user = userEvent.setup();
const open = (profile: "admin" | "operator" | "analyst" = "admin") =>
  renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`, { session: { profile } });
const panel = async () => within(await screen.findByRole("region", { name: /pagamentos? com falha/ }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
/** Sent with the version of each payment that was shown. */
const asShown = (...ids: (string | undefined)[]) => ({
  ids,
  versions: Object.fromEntries(ids.map((id) => [id, `of ${id}`])),
});
const outcomes = (ids: readonly string[], outcome: "sent" | "given_back" | "waits_for_approval") =>
  ids.map((id) => ({ id, outcome, reason: null }));

describe("the failures of a batch", () => {
  it("are listed with payee, amount and reason, and nothing else is", async () => {
    open();
    const shown = await panel();
    shown.getByRole("heading", { name: "3 pagamentos com falha · R$\u00a060,00" });
    const rows = shown.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toContain("Ana Lima");
    expect(rows[0]).toContain("Pix ana@exemplo.com.br");
    expect(rows[0]).toContain("Conta bloqueada.");
    expect(rows[2]).toContain("R$\u00a030,00");
  });

  it("are resent together, with one key, and the ones refused are listed with their reason", async () => {
    const [first, second, third] = desk.transfers;
    fakeServer.on(resendFailures, () => {
      desk.transfers = desk.transfers.map((one) => (one === first ? { ...one, status: "RECEIVED" } : one));
      return {
        data: [
          ...outcomes([first?.id ?? ""], "sent"),
          { id: second?.id ?? "", outcome: "refused" as const, reason: "Passa do limite do dia." },
          { id: third?.id ?? "", outcome: "refused" as const, reason: "Passa do limite do dia." },
        ],
        value: 10_00,
      };
    });
    open();
    const shown = await panel();
    // The words beside the checkbox are its label.
    await user.click(shown.getByText("Selecionar todas"));
    shown.getByText("3 falhas selecionadas · R$ 60,00");
    const all = shown.getByRole<HTMLInputElement>("checkbox", { name: "Selecionar todas as falhas" });
    expect([all.checked, all.indeterminate]).toEqual([true, false]);
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    const asked = await dialog("Tentar de novo");
    asked.getByText("3 pagamentos");
    await user.click(asked.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("1 pagamento enviado de novo.");
    const [sent] = fakeServer.calls(resendFailures);
    expect(sent?.body).toEqual(asShown(first?.id, second?.id, third?.id));
    expect(sent?.headers.get("idempotency-key")).toBeTruthy();
    const after = await panel();
    await after.findByText("2 pagamentos ficaram como estava.");
    after.getByText("Bento Cruz: Passa do limite do dia.");
  });

  it("are reported as resent also when the list becomes empty and disappears", async () => {
    const ids = desk.transfers.slice(0, 3).map(({ id }) => id);
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    fakeServer.on(resendFailures, () => {
      desk.transfers = desk.transfers.map((one) => ({ ...one, status: "FINISHED" as const }));
      // The other reads take longer than the list.
      fakeServer.on(readBatch, () => isAnswered.then(() => ({ ...desk.batch, transfers: [], billets: [] })));
      return { data: outcomes(ids, "sent"), value: 60_00 };
    });
    open();
    const shown = await panel();
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    await user.click((await dialog("Tentar de novo")).getByRole("button", { name: "Tentar de novo" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: /com falha/ })).toBeNull());
    answer();
    await screen.findByText("3 pagamentos enviados de novo.");
  });

  it("that may be paid twice are resent only after a person confirmed the findings", async () => {
    const ids = desk.transfers.slice(0, 3).map(({ id }) => id);
    const text = "Mesmo recebedor e valor em 10/08/2026, no lote “Luz” (pago), de Rui Tavares";
    change = {
      data: failuresOf(desk).data.map((one, at) => (at === 0 ? { ...one, retry_checks: [text] } : one)),
    };
    const check = {
      kind: "same_payment",
      severity: "tick",
      title: "1 possível pagamento em dobro",
      count: 1,
      value: 10_00,
      fingerprint: "1-a",
      confirmed: null,
      findings: [
        {
          payment: { id: ids[0] ?? "", name: "Ana Lima", value: 10_00, payment_date: null },
          other: null,
          text,
        },
      ],
    };
    fakeServer.on(resendFailures, ({ body }) =>
      body.confirmations
        ? { data: outcomes(ids, "sent"), value: 60_00 }
        : refuse("checks_not_confirmed", { titles: [check.title], checks: [check] }),
    );
    open();
    const shown = await panel();
    shown.getByText(`Confira antes de tentar de novo: ${text}`);
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    await user.click((await dialog("Tentar de novo")).getByRole("button", { name: "Tentar de novo" }));
    const asked = await dialog("Confira antes de enviar");
    const [found] = within(asked.getByRole("heading", { name: /^1 possível/ }).closest("li") ?? document.body)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent?.replace("\u00a0", " "));
    expect(found).toBe(`Ana LimaR$ 10,00${text}`);
    expect(asked.getByRole("button", { name: "Enviar assim mesmo" })).toHaveProperty("disabled", true);
    await user.click(asked.getByRole("checkbox", { name: /Conferi e quero seguir/ }));
    await user.click(asked.getByRole("button", { name: "Enviar assim mesmo" }));
    await screen.findByText("3 pagamentos enviados de novo.");
    expect(fakeServer.calls(resendFailures).map(({ body }) => body)).toEqual([
      asShown(...ids),
      { ...asShown(...ids), confirmations: [{ kind: "same_payment", fingerprint: "1-a" }] },
    ]);
  });

  it("are retried with the same key after a lost answer", async () => {
    fakeServer.on(resendFailures, () => refuse("unavailable"));
    open();
    const shown = await panel();
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    const asked = await dialog("Tentar de novo");
    const go = () => user.click(asked.getByRole("button", { name: "Tentar de novo" }));
    await go();
    await screen.findByText(/Estamos nos recuperando/);
    fakeServer.on(resendFailures, ({ body }) => ({ data: outcomes(body.ids, "sent"), value: 60_00 }));
    await go();
    await screen.findByText("3 pagamentos enviados de novo.");
    const keys = fakeServer.calls(resendFailures).map(({ headers }) => headers.get("idempotency-key"));
    expect(new Set(keys).size).toBe(1);
  });

  it("more than a hundred are sent in calls of a hundred, each with its own key", async () => {
    desk.transfers = Array.from({ length: 150 }, (_, at) => failure(100 + at, { name: `Pessoa ${at}` }));
    fakeServer.on(resendFailures, ({ body }) => ({ data: outcomes(body.ids, "sent"), value: 1 }));
    open();
    const shown = await panel();
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    await user.click((await dialog("Tentar de novo")).getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("150 pagamentos enviados de novo.");
    const calls = fakeServer.calls(resendFailures);
    expect(calls.map(({ body }) => (body as { ids: string[] }).ids.length)).toEqual([100, 50]);
    expect(new Set(calls.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(2);
  });

  it("are read again with the last payment that failed, after which nothing is polled", async () => {
    const before = { ...desk, transfers: desk.transfers.slice(0, 2) };
    let reads = 0;
    fakeServer.on(readBatch, () => {
      reads++;
      return { ...desk.batch, transfers: [], billets: [], failed_count: reads === 1 ? 2 : 3 };
    });
    fakeServer.on(listFailures, () => failuresOf(reads === 1 ? before : desk));
    open();
    await screen.findByRole("heading", { name: /^2 pagamentos com falha/ }, { timeout: 5_000 });
    await screen.findByRole("heading", { name: /^3 pagamentos com falha/ }, { timeout: 5_000 });
  });

  it("TRF-047 are returned after announcing that the receiver's other payments are returned too", async () => {
    fakeServer.on(returnFailures, () => {
      const ids = desk.transfers.slice(0, 2).map(({ id }) => id);
      return { data: outcomes(ids, "given_back"), value: 30_00 };
    });
    open();
    const shown = await panel();
    await user.click(shown.getByRole("checkbox", { name: "Selecionar Ana Lima, R$\u00a010,00" }));
    await user.click(shown.getByRole("button", { name: "Devolver" }));
    const asked = await dialog("Devolver ao saldo");
    asked.getByText("2 pagamentos");
    asked.getByText("R$ 30,00");
    asked.getByText(/Um deles não foi selecionado/);
    await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
    await screen.findByText("2 pagamentos devolvidos ao saldo.");
    expect(fakeServer.calls(returnFailures)[0]?.body).toEqual(asShown(desk.transfers[0]?.id));
  });

  it("excludes from returning what waits for approval, reports that, and keeps no answered payment ticked", async () => {
    const listed = failuresOf(desk).data;
    change = {
      data: listed.map((one, at) => ({ ...one, waits_for_approval: at === 0, receiver_id: one.id })),
    };
    fakeServer.on(returnFailures, ({ body }) => ({ data: outcomes(body.ids, "given_back"), value: 1 }));
    open();
    const shown = await panel();
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    shown.getByText(/^2 falhas selecionadas/);
    expect(
      shown
        .getAllByRole<HTMLInputElement>("checkbox", { name: /, R\$/ })
        .map(({ checked, disabled }) => [checked, disabled]),
    ).toEqual([
      [false, true],
      [true, false],
      [true, false],
    ]);
    await user.click(shown.getByRole("button", { name: "Devolver" }));
    const asked = await dialog("Devolver ao saldo");
    asked.getByText("2 pagamentos");
    asked.getByText("Uma falha que aguarda aprovação fica como está.");
    await user.click(asked.getByRole("button", { name: "Devolver ao saldo" }));
    await screen.findByText("2 pagamentos devolvidos ao saldo.");
    expect(fakeServer.calls(returnFailures)[0]?.body).toEqual(
      asShown(desk.transfers[1]?.id, desk.transfers[2]?.id),
    );
    await waitFor(() =>
      expect(shown.getAllByRole<HTMLInputElement>("checkbox").filter(({ checked }) => checked)).toEqual([]),
    );
  });

  it("excludes what cannot be resent unchanged or waits already, and reports that", async () => {
    const listed = failuresOf(desk).data;
    change = {
      data: listed.map((one, at) => ({
        ...one,
        waits_for_approval: at === 0,
        retry_problem: at === 1 ? "CPF ou CNPJ bloqueado" : null,
      })),
    };
    fakeServer.on(resendFailures, ({ body }) => ({ data: outcomes(body.ids, "sent"), value: 1 }));
    open();
    const shown = await panel();
    shown.getByText("Aguarda aprovação");
    shown.getByText("Corrija antes de tentar de novo: CPF ou CNPJ bloqueado");
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    await user.click((await dialog("Tentar de novo")).getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("1 pagamento enviado de novo.");
    expect(fakeServer.calls(resendFailures)[0]?.body).toEqual(asShown(desk.transfers[2]?.id));
  });

  it("informs an operator that a resend waits for another person, and who may approve", async () => {
    change = { retry: { allowed: true, why_not: null, waits_for_approval: true }, ask: ["Helena Prado"] };
    fakeServer.on(resendFailures, ({ body }) => ({
      data: outcomes(body.ids, "waits_for_approval"),
      value: 60_00,
    }));
    open("operator");
    const shown = await panel();
    shown.getByText(/espera a aprovação de outra pessoa\. Administradores: Helena Prado\./);
    await user.click(shown.getByRole("checkbox", { name: "Selecionar todas as falhas" }));
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    const asked = await dialog("Tentar de novo");
    asked.getByText("Nada sai antes que outra pessoa aprove.");
    await user.click(asked.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Enviado para aprovação. Nada acontece antes que outra pessoa aprove.");
  });

  it("offers nothing to a person without the right, and names whom to ask", async () => {
    const why_not = "Na sua empresa, só administradores corrigem pagamentos com falha. Peça a um deles.";
    change = {
      retry: { allowed: false, why_not, waits_for_approval: false },
      give_back: { allowed: false, why_not },
      ask: ["Helena Prado"],
    };
    open("operator");
    const shown = await panel();
    shown.getByText(`${why_not} Administradores: Helena Prado.`);
    expect(shown.queryByRole("checkbox")).toBeNull();
    expect(shown.queryByRole("button", { name: "Tentar de novo" })).toBeNull();
    expect(shown.queryByRole("button", { name: "Devolver" })).toBeNull();
    expect(shown.getAllByRole("button", { name: "Ver" })).toHaveLength(3);
  });

  it("open one payment to correct it", async () => {
    open();
    const shown = await panel();
    await user.click(shown.getAllByRole("button", { name: "Corrigir" })[2] as HTMLElement);
    await (await dialog("Detalhes da transferência")).findByRole("button", { name: "Corrigir pagamento" });
  });

  it("SES-070 that cannot be read again give way to the reason, until they are read", async () => {
    const app = open();
    await panel();
    fakeServer.on(listFailures, () => refuse("internal"));
    await act(() => app.queryClient.invalidateQueries());
    await screen.findByText("Não foi possível listar as falhas");
    fakeServer.on(listFailures, () => failuresOf(desk));
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await panel();
  });

  it("are not requested when nothing failed", async () => {
    desk.batch = { ...desk.batch, failed_count: 0, has_failed_or_returned_transfers: false };
    const app = open();
    await screen.findByRole("dialog", { name: desk.batch.name });
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(fakeServer.calls(listFailures)).toHaveLength(0);
  });
});

describe("the notice on every page", () => {
  const serve = (count: number) =>
    fakeServer.on(listFailureNotices, () => ({
      data: [{ id: desk.batch.id, name: "Fornecedores", failed_count: 3 }],
      count,
    }));

  it("names the batch and links to its failures", async () => {
    serve(1);
    renderApp("/pagamentos/lotes", { session: { profile: "operator" } });
    const said = await screen.findByText("Fornecedores");
    expect(said.parentElement?.textContent).toBe("3 pagamentos falharam no lote Fornecedores.");
    await user.click(screen.getByRole("link", { name: "Ver as falhas" }));
    await (await panel()).findByText("Bento Cruz");
  });

  it("counts the other batches, and is hidden when there are none", async () => {
    serve(3);
    renderApp("/pagamentos/lotes");
    const said = await screen.findByText("Fornecedores");
    expect(said.parentElement?.textContent).toContain("e há falhas em 2 outros lotes seus.");
  });
});
