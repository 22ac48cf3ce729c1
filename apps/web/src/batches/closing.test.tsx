import {
  type BatchApprovals,
  closeBatch,
  readBatchApprovals,
  sendBatchToApproval,
} from "@malote/contracts/batch-life";
import { saveBatch } from "@malote/contracts/batches";
import { listPaymentAccounts } from "@malote/contracts/company";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pixKeysQuery } from "../pix-keys/api.ts";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { buildPixKey } from "../testing/pix-keys.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;

// Loads the screen in advance, so that the first test does not wait for it.
beforeAll(() => Promise.all([import("./batch-modal.tsx"), import("./batch-dialogs.tsx")]));
beforeEach(() => {
  desk = {
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  fakeServer.on(saveBatch, ({ body }) => {
    change({ name: body.name, revision: desk.batch.revision + 1 });
    return desk.batch;
  });
});

/** Approvals of a batch that its reader, an admin, prepared. */
const approvalsOf = (rule: Pick<BatchApprovals, "needed" | "may_approve" | "why_not">): BatchApprovals => ({
  missing: rule.needed,
  digest: null,
  asks_for_code: false,
  approvals: [],
  has_approved: false,
  is_stuck: false,
  prepared_by: ["Helena Prado (helena@aurora.example)"],
  ...rule,
});

const { operator, openBatch, button, dialog, change } = batchScreen(() => desk);

describe("closing", () => {
  beforeEach(() => {
    fakeServer.on(closeBatch, () => {
      change({ status: "RECEIVED" });
      return { is_batch_paid: true, status: "PENDING" as const };
    });
  });

  it("BAT-045 BAT-053 BAT-056 BAT-057 saves, confirms with name, number and total, and closes once", async () => {
    const user = userEvent.setup();
    openBatch();
    await user.click(await button("Fechar lote"));
    const asked = await dialog("Confirmação");
    expect(asked.textContent).toContain("Folha 11/2026 com 1 pagamento, no total de R$\u00a0123,45");
    await user.dblClick(within(asked).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Lote de pagamentos fechado com sucesso!");
    const calls = fakeServer.calls(closeBatch);
    expect(calls[0]?.params).toEqual({ id: desk.batch.id });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.body).toEqual({ revision: 2 });
    expect(calls[0]?.headers.get("idempotency-key")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("BAT-057 reports that closing failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(closeBatch, () => refuseWithoutCode());
    openBatch();
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Ocorreu uma falha ao fechar o lote.");
  });

  it("BAT-061 reports that sending to approval failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(sendBatchToApproval, () => refuseWithoutCode());
    openBatch(operator);
    await user.click(await button("Continuar"));
    await user.click(await button("Enviar para aprovação"));
    await screen.findByText("Ocorreu um erro ao enviar lote para aprovação.");
    await button("Enviar para aprovação");
  });

  it("BAT-058 BAT-059 shows an operator where to send balance, even when it suffices, and a way back", async () => {
    const user = userEvent.setup();
    openBatch(operator);
    await user.click(await button("Continuar"));
    await screen.findByText("O saldo atual cobre este lote.");
    screen.getByText("Total a enviar");
    await screen.findByText("financeiro@aurora.exemplo");
    await user.click(await button("Cancelar"));
    await screen.findByLabelText("Nome do lote");
  });

  it("BAT-057 a retry after a lost answer repeats the same key", async () => {
    const user = userEvent.setup();
    fakeServer.on(saveBatch, () => desk.batch);
    fakeServer.on(closeBatch, () => refuse("unavailable"));
    openBatch();
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText(/Estamos nos recuperando/);
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Confirmação" })).toBeNull());
    await user.click(await button("Fechar lote"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await waitFor(() => expect(fakeServer.calls(closeBatch)).toHaveLength(2));
    const keys = fakeServer.calls(closeBatch).map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toBe(keys[1]);
  });

  it("BAT-055 refuses to close while a payment is wrong, and shows which one", async () => {
    const user = userEvent.setup();
    desk.transfers = [buildTransfer({ errors: [{ code: "value_invalid", field: "value" }] })];
    change({ errors_count: 1 });
    openBatch();
    await user.click(await button("Fechar lote"));
    await screen.findByText("Corrija o pagamento com erro antes de continuar.");
    expect(fakeServer.calls(saveBatch)).toHaveLength(0);
  });

  it("BAT-045 BAT-054 BAT-058 BAT-059 leads an admin to funding when the balance is too small", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    const app = openBatch();
    await user.click(await button("Continuar"));
    await screen.findByRole("heading", { name: "Quase tudo pronto para finalizar o pagamento." });
    expect(app.address()).toContain("etapa=envio");
    const figure = (label: string) => screen.getByText(label).parentElement?.textContent;
    expect(figure("Total a enviar")).toMatch(/^Total a enviarR\$\s123,45$/);
    expect(figure("Saldo atual")).toMatch(/^Saldo atualR\$\s1,00$/);
    const ways = within(await screen.findByRole("region", { name: "Como enviar o saldo" }));
    await ways.findByText("financeiro@aurora.exemplo");
    await user.click(ways.getByRole("button", { name: "Conta bancária" }));
    expect(ways.queryByText("financeiro@aurora.exemplo")).toBeNull();
    ways.getByText("Agência");
    await user.click(ways.getByRole("button", { name: "Pix" }));
    await ways.findByText("financeiro@aurora.exemplo");
    expect(screen.queryByRole("button", { name: "Enviar para aprovação" })).toBeNull();
    await user.click(await button("Pronto para pagar"));
    await dialog("Confirmação");
    await user.keyboard("{Escape}");
    await user.click(await button("Cancelar"));
    await screen.findByLabelText("Nome do lote");
  });

  it("PIX-006 PIX-007 shows no keys once they cannot be loaded again, and does not claim that there are none", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    const { queryClient } = openBatch({}, "&etapa=envio");
    const ways = within(await screen.findByRole("region", { name: "Como enviar o saldo" }));
    await ways.findByText("financeiro@aurora.exemplo");
    fakeServer.on(listPixKeys, () => refuse("internal"));
    await act(() => queryClient.invalidateQueries({ queryKey: pixKeysQuery.queryKey }));
    await ways.findByText("Não foi possível carregar as chaves Pix");
    expect(ways.queryByText("financeiro@aurora.exemplo")).toBeNull();
    expect(ways.queryByText(/^Adicione uma chave Pix/)).toBeNull();
    const unproven = { id: "0198f000-0000-7000-8000-0000000000c2", ownership_date: null };
    const data = [buildPixKey({ ...unproven, key: "semdata@aurora.exemplo" }), buildPixKey()];
    fakeServer.on(listPixKeys, () => ({ data }));
    await user.click(ways.getByRole("button", { name: "Tentar de novo" }));
    await ways.findByText("financeiro@aurora.exemplo");
    expect(ways.queryByText("semdata@aurora.exemplo")).toBeNull();
  });

  it("PIX-007 reports that keys could not be loaded, and does not claim that there are none", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    fakeServer.on(listPixKeys, () => refuse("internal"));
    openBatch({}, "&etapa=envio");
    const ways = within(await screen.findByRole("region", { name: "Como enviar o saldo" }));
    await ways.findByText("Agência");
    await user.click(ways.getByRole("button", { name: "Pix" }));
    await ways.findByText("Não foi possível carregar as chaves Pix");
    expect(ways.queryByText(/^Adicione uma chave Pix/)).toBeNull();
    fakeServer.on(listPixKeys, () => ({ data: [buildPixKey()] }));
    await user.click(ways.getByRole("button", { name: "Tentar de novo" }));
    await ways.findByText("financeiro@aurora.exemplo");
  });

  it("reports that accounts could not be loaded, and does not claim that there are none", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    fakeServer.on(listPaymentAccounts, () => refuse("internal"));
    openBatch({}, "&etapa=envio");
    const ways = within(await screen.findByRole("region", { name: "Como enviar o saldo" }));
    await user.click(await ways.findByRole("button", { name: "Conta bancária" }));
    await ways.findByText("Não foi possível carregar as contas");
    expect(ways.queryByText(/^Nenhuma conta disponível/)).toBeNull();
  });

  it("BAT-057 BAT-060 closes a batch that is not paid at once, and goes on to wait for its money", async () => {
    const user = userEvent.setup();
    desk.balance = 100;
    fakeServer.on(closeBatch, () => {
      change({ status: "WAITING" });
      return { is_batch_paid: false, status: "WAITING" as const };
    });
    openBatch();
    await user.click(await button("Continuar"));
    await user.click(await button("Pronto para pagar"));
    await user.click(within(await dialog("Confirmação")).getByRole("button", { name: "Fechar lote" }));
    await screen.findByText("Lote de pagamentos fechado com sucesso!");
    await screen.findByText("Aguardamos o recebimento do valor do lote.");
  });

  it("BAT-045 BAT-054 BAT-059 BAT-061 operators always pass through funding and send to approval", async () => {
    const user = userEvent.setup();
    fakeServer.on(sendBatchToApproval, () => {
      change({ status: "WAITING_APPROVAL" });
      return desk.batch;
    });
    openBatch(operator);
    await user.click(await button("Continuar"));
    expect(screen.queryByRole("button", { name: "Pronto para pagar" })).toBeNull();
    await user.click(await button("Enviar para aprovação"));
    await screen.findByText("Lote enviado para aprovação.");
    const [sent] = fakeServer.calls(sendBatchToApproval);
    expect([sent?.params, sent?.body]).toEqual([{ id: desk.batch.id }, { revision: 2 }]);
    await screen.findByText("Este lote aguarda a aprovação de um administrador.");
    expect(screen.queryByRole("button", { name: "Enviar para aprovação" })).toBeNull();
  });

  it.each([
    ["form", ""],
    ["funding", "&etapa=envio"],
  ])(
    "offers an admin nothing in the step %s until it is known whether another person has to approve",
    async (_, step) => {
      const known = Promise.withResolvers<void>();
      fakeServer.on(readBatchApprovals, async () => {
        await known.promise;
        return approvalsOf({ needed: 1, may_approve: false, why_not: "Você preparou este lote." });
      });
      const app = openBatch({ settings: { asksForApprovals: true } }, step);
      await button(step ? "Cancelar" : "Salvar rascunho");
      // Only the approvals have no answer yet.
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(1));
      const offered = () =>
        screen
          .queryAllByRole<HTMLButtonElement>("button", {
            name: /^(Fechar lote|Continuar|Pronto para pagar|Enviar para aprovação)$/,
          })
          .filter(({ disabled }) => !disabled)
          .map(({ textContent }) => textContent);
      expect(offered()).toEqual([]);
      known.resolve();
      await waitFor(() => expect(offered()).toEqual([step ? "Enviar para aprovação" : "Continuar"]));
    },
  );

  it.each([
    ["because they prepared it", { needed: 1, may_approve: false, why_not: "Você preparou este lote." }],
    ["in addition to their own", { needed: 2, may_approve: true, why_not: null }],
  ])(
    "BAT-045 BAT-054 BAT-059 an admin who needs another person's approval, %s, sends the batch there through funding, whatever the balance",
    async (_why, rule) => {
      const user = userEvent.setup();
      fakeServer.on(readBatchApprovals, () => approvalsOf(rule));
      fakeServer.on(sendBatchToApproval, () => {
        change({ status: "WAITING_APPROVAL" });
        return desk.batch;
      });
      const app = openBatch({ settings: { asksForApprovals: true } });
      await screen.findByText("Saldo disponível");
      await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
      expect(screen.queryByRole("button", { name: "Fechar lote" })).toBeNull();
      await user.click(await button("Continuar"));
      await screen.findByText("O saldo atual cobre este lote.");
      expect(app.address()).toContain("etapa=envio");
      expect(screen.queryByRole("button", { name: "Fechar lote" })).toBeNull();
      expect(screen.queryByRole("button", { name: "Pronto para pagar" })).toBeNull();
      await button("Cancelar");
      await user.click(await button("Enviar para aprovação"));
      await screen.findByText("Lote enviado para aprovação.");
      expect(fakeServer.calls(closeBatch)).toEqual([]);
    },
  );

  it("SHL-016 copies the Pix code", async () => {
    const user = userEvent.setup();
    desk.balance = 0;
    openBatch({}, "&etapa=envio");
    await user.click(await button(/Copiar o código Pix da chave/));
    await screen.findByText("Código copiado e pronto para uso!");
    expect(await navigator.clipboard.readText()).toBe("00020126PIX");
  });
});
