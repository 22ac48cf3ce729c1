/** What every dialog of an open batch does when it is left, refused, or gets no answer. */
import { cancelScheduledBatch, deleteBatch, rejectBatch } from "@malote/contracts/batch-life";
import { renameBatch } from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import { removeTransfers } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
beforeAll(() => Promise.all([import("./batch-modal.tsx"), import("./batch-dialogs.tsx")]));
beforeEach(() => {
  desk = {
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
});
const { openBatch, button, dialog, change } = batchScreen(() => desk);

interface BatchDialog {
  title: string;
  call: Contract;
  /** Prepares a batch that offers it. */
  given?: () => void;
  opener: string;
  inMenu: boolean;
  cancel: string;
  confirm: string;
  failure: string;
  success: RegExp;
  /** The batch is read again behind the closed dialog, so that the person sees what holds. */
  closesWhenRefused?: true;
}

const dialogs: BatchDialog[] = [
  {
    title: "Excluir lote",
    call: deleteBatch,
    opener: "Excluir lote",
    inMenu: true,
    cancel: "Cancelar",
    confirm: "Excluir lote",
    failure: "Ocorreu uma falha ao excluir o lote.",
    success: /^Lote excluído com sucesso/,
  },
  {
    title: "Renomear lote",
    call: renameBatch,
    opener: "Renomear lote",
    inMenu: true,
    cancel: "Cancelar",
    confirm: "Salvar nome",
    failure: "Houve um problema na edição!",
    success: /^Nome do lote editado/,
  },
  {
    title: "Cancelar o lote Folha 11/2026?",
    call: cancelScheduledBatch,
    given: () => {
      change({ status: "RECEIVED", payments_count: 3, value: 450_00 });
      desk.byStatus = [{ status: "SCHEDULED", count: 3, value: 450_00 }];
    },
    opener: "Cancelar lote",
    inMenu: true,
    cancel: "Voltar",
    confirm: "Cancelar lote",
    failure: "Houve um problema no cancelamento!",
    success: /^Lote cancelado/,
    closesWhenRefused: true,
  },
  {
    title: "Reprovar o lote Folha 11/2026?",
    call: rejectBatch,
    given: () => change({ status: "WAITING_APPROVAL" }),
    opener: "Reprovar",
    inMenu: false,
    cancel: "Cancelar",
    confirm: "Reprovar lote",
    failure: "Ocorreu um erro ao reprovar o lote.",
    success: /^Lote reprovado/,
  },
  {
    title: "Excluir falhas",
    call: removeTransfers,
    given: () => {
      desk.transfers = [buildTransfer({ errors: [{ code: "value_invalid", field: "value" }] })];
      change({ errors_count: 1 });
    },
    opener: "Excluir falhas",
    inMenu: false,
    cancel: "Cancelar",
    confirm: "Excluir falhas",
    failure: "Ocorreu um erro ao remover as transferências.",
    success: /^Pagamentos com falha excluídos/,
  },
];
const named = dialogs.map((one) => [one.title, one] as const);

async function ask(user: UserEvent, { given, opener, inMenu, title, confirm }: BatchDialog) {
  given?.();
  openBatch();
  if (inMenu) await user.click(await button("Mais ações"));
  await user.click(inMenu ? await screen.findByRole("menuitem", { name: opener }) : await button(opener));
  const asked = within(await dialog(title));
  // The failed payments are read before they can be removed.
  await waitFor(() =>
    expect(asked.getByRole<HTMLButtonElement>("button", { name: confirm }).disabled).toBe(false),
  );
  return asked;
}
const isGone = (title: string) =>
  waitFor(() => expect(screen.queryByRole("dialog", { name: title })).toBeNull());

const ways = ["its button", "the cross", "Escape"] as const;
const leave = (user: UserEvent, way: (typeof ways)[number], { title, cancel }: BatchDialog) => {
  if (way === "Escape") return user.keyboard("{Escape}");
  const asked = within(screen.getByRole("dialog", { name: title }));
  return user.click(asked.getByRole("button", { name: way === "the cross" ? "Fechar" : cancel }));
};

describe.each(named)("the dialog '%s'", (title, one) => {
  it.each(ways)("BAT-046 BAT-069 BAT-074 left by %s changes nothing", async (way) => {
    const user = userEvent.setup();
    await ask(user, one);
    await leave(user, way, one);
    await isGone(title);
    expect(fakeServer.calls(one.call)).toEqual([]);
    await dialog("Folha 11/2026");
  });

  it.each([
    ["with a code", () => refuse("not_found"), errorText("not_found", null)],
    ["without a code", () => refuseWithoutCode(), one.failure],
    [
      "by the connection",
      () => Promise.reject(new TypeError("Failed to fetch")),
      "Você parece estar offline",
    ],
  ] as const)(
    "BAT-024 BAT-047 BAT-070 BAT-075 SES-065 SES-067 failing %s shows why, reports no success, and may be sent again",
    async (_, answer, text) => {
      const user = userEvent.setup();
      fakeServer.on(one.call, answer);
      const asked = await ask(user, one);
      await user.click(asked.getByRole("button", { name: one.confirm }));
      await screen.findByText(text);
      expect(screen.queryByText(one.success)).toBeNull();
      await dialog("Folha 11/2026");
      if (one.closesWhenRefused) return isGone(title);
      const again = await waitFor(() => {
        const found = asked.getByRole("button", { name: one.confirm });
        expect(found.getAttribute("aria-busy")).not.toBe("true");
        return found;
      });
      await user.click(again);
      await waitFor(() => expect(fakeServer.calls(one.call)).toHaveLength(2));
    },
  );
});

const cancelling = dialogs.find(({ call }) => call === cancelScheduledBatch) as BatchDialog;

it("BAT-074 says what cancelling does to a batch of one payment", async () => {
  const user = userEvent.setup();
  const given = () => {
    change({ status: "RECEIVED", payments_count: 1, value: 150_00 });
    desk.byStatus = [{ status: "SCHEDULED", count: 1, value: 150_00 }];
  };
  const asked = await ask(user, { ...cancelling, given });
  const text = asked.getByText(/agendad/).textContent?.replaceAll("\u00a0", " ");
  expect(text).toBe(
    "1 pagamento agendado deixa de ser feito, e R$ 150,00 voltam ao saldo. O cancelamento não pode ser desfeito.",
  );
});

it("BAT-074 records that the person confirmed, also when the cancelling is refused", async () => {
  const user = userEvent.setup();
  fakeServer.on(cancelScheduledBatch, () => refuse("batch_not_cancellable"));
  const asked = await ask(user, cancelling);
  expect(recordedMarks()).not.toContain("HAS_CONFIRMED_BATCH_CANCEL");
  await user.click(asked.getByRole("button", { name: cancelling.confirm }));
  await isGone(cancelling.title);
  expect(recordedMarks()).toContain("HAS_CONFIRMED_BATCH_CANCEL");
});

it.each(ways)("a typed reason to reject is lost by %s only after a question", async (way) => {
  const user = userEvent.setup();
  const one = dialogs.find(({ call }) => call === rejectBatch) as BatchDialog;
  const asked = await ask(user, one);
  const reason = asked.getByLabelText<HTMLTextAreaElement>("Motivo (opcional)");
  await user.type(reason, "Valores");
  await leave(user, way, one);
  await user.click(await button("Continuar preenchendo"));
  expect(reason.value).toBe("Valores");
  await leave(user, way, one);
  await user.click(await button("Descartar"));
  await isGone(one.title);
  expect(fakeServer.calls(rejectBatch)).toEqual([]);
});
