/** Name of a batch, in the form and in the dialog that renames it. */
import { renameBatch, saveBatch } from "@malote/contracts/batches";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const user = userEvent.setup();
const required = "Digite um nome para o lote";

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

it.each(["", "   "])("BAT-004 refuses to save or close a draft without a name (%j)", async (name) => {
  openBatch();
  const field = await screen.findByLabelText<HTMLInputElement>("Nome do lote");
  expect(field.maxLength).toBe(200);
  expect(screen.queryByText(required)).toBeNull();
  await user.clear(field);
  if (name) await user.type(field, name);
  screen.getByText(required);
  for (const action of ["Salvar rascunho", "Fechar lote"])
    expect((await button(action)).hasAttribute("disabled")).toBe(true);
  expect(fakeServer.calls(saveBatch)).toEqual([]);
});

it.each(["", "   "])("BAT-004 refuses to rename a batch to nothing (%j)", async (name) => {
  change({ status: "FINISHED" });
  openBatch();
  await user.click(await button("Mais ações"));
  await user.click(await screen.findByRole("menuitem", { name: "Renomear lote" }));
  const asked = within(await dialog("Renomear lote"));
  const field = asked.getByLabelText<HTMLInputElement>("Nome do lote");
  expect(field.maxLength).toBe(200);
  expect(asked.queryByText(required)).toBeNull();
  await user.clear(field);
  if (name) await user.type(field, name);
  asked.getByText(required);
  expect(asked.getByRole("button", { name: "Salvar nome" }).hasAttribute("disabled")).toBe(true);
  await user.type(field, "{Enter}");
  expect(fakeServer.calls(renameBatch)).toEqual([]);
});
