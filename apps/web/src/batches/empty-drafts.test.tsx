/** Life of a draft that 'Novo lote' created and that stays empty. */
import { deleteBatch } from "@malote/contracts/batch-life";
import { createBatch } from "@malote/contracts/batches";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const change = (patch: Partial<Desk["batch"]>) => {
  desk.batch = { ...desk.batch, ...patch };
};

// Loads the screen in advance, so that the first test does not wait for it.
beforeAll(() =>
  Promise.all([
    import("./batch-modal.tsx"),
    import("../transfers/transfer-wizard.tsx"),
    import("../boletos/boleto-wizard.tsx"),
  ]),
);
beforeEach(() => {
  desk = { batch: buildOpenBatch(), transfers: [], balance: 1_000_000, filledFirstSteps: true };
  serveBatch(desk);
});

describe("a draft that 'Novo lote' created", () => {
  async function startNew(option = "Lotes de Transferências", form = "Criar novo pagamento") {
    const user = userEvent.setup();
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    fakeServer.on(createBatch, ({ body }) => {
      const { name, type = "TRANSFER" } = body;
      change({ ...(body.id && { id: body.id }), name, type, payments_count: 0, value: 0, revision: 1 });
      return desk.batch;
    });
    const app = renderApp("/pagamentos/lotes");
    await user.click(await screen.findByRole("button", { name: "Novo lote" }));
    await user.click(await screen.findByRole("menuitem", { name: option }));
    await waitFor(() => expect(app.address()).toContain("lote="));
    await screen.findByRole("heading", { name: "Dê um nome a este lote" });
    // The form of the first payment is open above the draft.
    const ofFirst = { name: form };
    await screen.findByRole("dialog", ofFirst);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", ofFirst)).toBeNull());
    return { user, app };
  }

  it.each([
    ["Lotes de Transferências", "Criar novo pagamento"],
    ["Lotes de Boletos", "Adicionar boleto"],
  ])(
    "BAT-069 is deleted when the person leaves it unchanged, in the revision that they saw: %s",
    async (option, form) => {
      const { user, app } = await startNew(option, form);
      await user.keyboard("{Escape}");
      await waitFor(() => expect(fakeServer.calls(deleteBatch)).toHaveLength(1));
      const [sent] = fakeServer.calls(deleteBatch);
      expect(sent?.params).toEqual({ id: desk.batch.id });
      expect(sent?.query).toEqual({ removeDestinationBankAccounts: "false", revision: "1" });
      expect(app.address()).toBe("/pagamentos/lotes");
    },
  );

  it.each<[string, Partial<Desk["batch"]>]>([
    ["a name of its own", { name: "Comissões" }],
    ["a payment", { payments_count: 1 }],
    ["a payment that was removed again", { revision: 3 }],
  ])("BAT-069 is kept with %s", async (_what, patch) => {
    const { user, app } = await startNew();
    change(patch);
    await act(() => app.queryClient.invalidateQueries());
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(fakeServer.calls(deleteBatch)).toEqual([]);
  });

  it("is kept, and offers its started payment again", async () => {
    const { user, app } = await startNew();
    const id = new URLSearchParams(app.address().split("?")[1]).get("lote");
    sessionStorage.setItem(`malote.form.${id}.novo`, "{}");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(deleteBatch)).toHaveLength(0);
  });

  it("is kept when another screen created it", async () => {
    fakeServer.on(deleteBatch, () => ({ ok: true as const }));
    change({ payments_count: 0, value: 0 });
    const app = renderApp(`/pagamentos/lotes?lote=${desk.batch.id}`);
    await screen.findByRole("heading", { name: "Dê um nome a este lote" });
    app.unmount();
    expect(fakeServer.calls(deleteBatch)).toHaveLength(0);
  });
});
