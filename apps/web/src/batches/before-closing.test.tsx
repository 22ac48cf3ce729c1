/** Conditions between a draft and its closing: balance, confirmations, the second factor's code, a refusal. */
import { closeBatch } from "@malote/contracts/batch-life";
import { saveBatch } from "@malote/contracts/batches";
import { type BatchChecks, confirmBatchChecks } from "@malote/contracts/checks";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer, testId } from "../testing/payments.ts";
import { checksOf, type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const user = userEvent.setup();
const double: BatchChecks["data"][number] = {
  kind: "same_payment",
  severity: "tick",
  title: "1 possível pagamento em dobro",
  count: 1,
  value: 123_45,
  fingerprint: "1-abc",
  confirmed: null,
  next: null,
  findings: [
    {
      payment: { id: testId(7), name: "Rita de Cássia Lima", value: 123_45, payment_date: null },
      other: null,
      text: "Mesmo recebedor e valor neste mesmo lote",
    },
  ],
};

beforeAll(() =>
  Promise.all([
    import("./batch-modal.tsx"),
    import("./batch-dialogs.tsx"),
    import("./batch-checks.tsx"),
    import("../shell/step-up.tsx"),
  ]),
);
beforeEach(() => {
  desk = {
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  fakeServer.on(saveBatch, () => desk.batch);
  fakeServer.on(closeBatch, () => {
    change({ status: "RECEIVED" });
    return { is_batch_paid: true, status: "PENDING" as const };
  });
});

const { openBatch, button, dialog, change } = batchScreen(() => desk);
const confirmation = async () => within(await dialog("Confirmação"));

it.each([
  [123_45, "Fechar lote", "Continuar"],
  [123_44, "Continuar", "Fechar lote"],
])(
  "BAT-045 BAT-053 BAT-054 a balance of %i offers '%s' for a total of 12345",
  async (balance, name, other) => {
    desk.balance = balance;
    const app = openBatch();
    await user.click(await button(name));
    expect(screen.queryByRole("button", { name: other })).toBeNull();
    if (name === "Fechar lote") await dialog("Confirmação");
    else {
      await screen.findByRole("heading", { name: "Quase tudo pronto para finalizar o pagamento." });
      expect(app.address()).toContain("etapa=envio");
    }
  },
);

it.each(["operator", "analyst"] as const)(
  "BAT-045 hides 'Fechar lote' from an %s even when the balance suffices",
  async (profile) => {
    const app = openBatch({ session: { profile } });
    await button("Marina Lopes");
    await screen.findByText("Saldo disponível");
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryByRole("button", { name: "Fechar lote" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Continuar" }) !== null).toBe(profile === "operator");
  },
);

it("BAT-053 a validation account closes without balance", async () => {
  desk.balance = 0;
  openBatch({ settings: { validationAccount: true } });
  await user.click(await button("Fechar lote"));
  // The server pays the batch once its money arrives, like any other, and the screen promises nothing else.
  within(await dialog("Confirmação")).getByText(/O saldo não cobre este total/);
});

it("BAT-053 BAT-054 reads the balance after saving the draft, and leads to funding when it no longer suffices", async () => {
  fakeServer.on(saveBatch, () => {
    desk.balance = 123_44;
    return desk.batch;
  });
  openBatch();
  await user.click(await button("Fechar lote"));
  await screen.findByRole("heading", { name: "Quase tudo pronto para finalizar o pagamento." });
  expect(screen.queryByRole("dialog", { name: "Confirmação" })).toBeNull();
  expect(fakeServer.calls(saveBatch)).toHaveLength(1);
});

it("BAT-053 saves the name that was typed, and asks to close the batch by it", async () => {
  fakeServer.on(saveBatch, ({ body }) => {
    change({ name: body.name });
    return desk.batch;
  });
  openBatch();
  await user.type(await screen.findByLabelText("Nome do lote"), " B");
  await user.click(await button("Fechar lote"));
  (await confirmation()).getByText("Folha 11/2026 B");
  expect(fakeServer.calls(saveBatch).map(({ params, body }) => [params, body])).toEqual([
    [{ id: desk.batch.id }, { name: "Folha 11/2026 B" }],
  ]);
});

it("BAT-056 confirms a draft with findings only after they are ticked", async () => {
  desk.checks = [double];
  fakeServer.on(confirmBatchChecks, () => {
    desk.checks = [{ ...double, confirmed: { by: "Helena Prado", at: "2026-11-22T17:03:00Z" } }];
    return checksOf(desk);
  });
  openBatch();
  await user.click(await button("Fechar lote"));
  const asked = await confirmation();
  const close = asked.getByRole<HTMLButtonElement>("button", { name: "Fechar lote" });
  const tick = await asked.findByRole("checkbox", { name: /pagamento em dobro$/ });
  expect(close.disabled).toBe(true);
  await user.click(close);
  expect(fakeServer.calls(closeBatch)).toEqual([]);
  await user.click(tick);
  expect(fakeServer.calls(confirmBatchChecks).map(({ params, body }) => [params, body])).toEqual([
    [{ id: desk.batch.id }, { confirmations: [{ kind: double.kind, fingerprint: double.fingerprint }] }],
  ]);
  await asked.findByText(/^Conferido por Helena Prado/);
  await waitFor(() => expect(close.disabled).toBe(false));
  await user.click(close);
  await screen.findByText("Lote de pagamentos fechado com sucesso!");
  expect(fakeServer.calls(closeBatch)).toHaveLength(1);
});

it("BAT-056 asks for the code when the controls demand it, and repeats the same call with it", async () => {
  const closed = { is_batch_paid: true, status: "PENDING" as const };
  const answers = [refuse("step_up_required"), closed];
  fakeServer.on(closeBatch, () => answers.shift() ?? closed);
  openBatch();
  await user.click(await button("Fechar lote"));
  await user.click((await confirmation()).getByRole("button", { name: "Fechar lote" }));
  const asked = within(await dialog("Código do autenticador"));
  await user.type(asked.getByLabelText("Código de 6 números"), "123456");
  await user.click(asked.getByRole("button", { name: "Confirmar" }));
  await screen.findByText("Lote de pagamentos fechado com sucesso!");
  const calls = fakeServer.calls(closeBatch);
  expect(calls.map(({ headers }) => headers.get("second-factor-code"))).toEqual([null, "123456"]);
  expect(calls.map(({ body }) => body)).toEqual([{ revision: 1 }, { revision: 1 }]);
  expect(new Set(calls.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
});

it("BAT-064 a failed approval without a code shows the message of a failed close", async () => {
  change({ status: "WAITING_APPROVAL" });
  fakeServer.on(closeBatch, () => refuseWithoutCode());
  openBatch();
  await user.click(await button("Aprovar"));
  await user.click((await confirmation()).getByRole("button", { name: "Aprovar lote" }));
  await screen.findByText("Ocorreu uma falha ao fechar o lote.");
  await button("Aprovar");
});
