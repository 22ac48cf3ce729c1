/** A key that is held elsewhere, and one that another holder claims. */
import {
  cancelPixKeyClaim,
  claimPixKey,
  confirmPixKeyClaim,
  listPixKeys,
  readPixKey,
} from "@malote/contracts/pix-keys";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import {
  buttonsOf,
  dialogOf,
  id,
  keysOf,
  only,
  open,
  page,
  pixKeyPage,
  unlinked,
} from "../testing/pix-key-wizard.ts";
import { statusLooks } from "./key-pill.tsx";

pixKeyPage();

describe("a key that is held elsewhere", () => {
  it.each([
    [
      "WAITING_PORTABILITY",
      "Esta chave já é da sua empresa, em outra instituição. Para trazê-la, solicite a portabilidade e confirme o pedido na conta de origem em até 7 dias.",
      "Solicitar portabilidade",
      "PORTABILITY_REQUESTED",
      "Solicitação de portabilidade iniciada com sucesso, confirme a solicitação em sua conta de origem.",
    ],
    [
      "WAITING_CLAIM",
      "Esta chave está registrada em nome de outra pessoa. Se o número é da sua empresa, solicite a reivindicação: quem está com a chave tem 7 dias para responder e, sem resposta, ela vem para cá.",
      "Solicitar reivindicação",
      "CLAIM_REQUESTED",
      "Solicitação de reivindicação iniciada com sucesso, aguarde a confirmação do processo.",
    ],
  ] as const)(
    "PIX-034 PIX-035 PIX-036 PIX-037 PIX-038 PIX-039 in %s is requested",
    async (status, cause, label, next, sentence) => {
      const { user, dialog, keys } = await open({ ...unlinked, status });
      dialog.getByText(cause);
      fakeServer.on(claimPixKey, () => keys.change(id, { status: next }));
      expect(buttonsOf(dialog)).toEqual(["Excluir chave", "Cancelar", label]);
      await user.click(dialog.getByRole("button", { name: label }));
      await screen.findByText(sentence);
      const wizard = await dialogOf("Chave Pix");
      await waitFor(() => expect(buttonsOf(wizard)).toEqual(["Fechar"]));
      wizard.getByText(statusLooks[next].name);
      expect(keysOf(claimPixKey)).toEqual([id]);
      await user.click(wizard.getByText("Fechar"));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    },
  );

  it.each(["WAITING_PORTABILITY", "WAITING_CLAIM"] as const)(
    "PIX-034 in %s is left unchanged by 'Cancelar'",
    async (status) => {
      const { user, dialog, app } = await open({ ...unlinked, status });
      await user.click(dialog.getByRole("button", { name: "Cancelar" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(app.address()).toBe(page);
      expect(keysOf(claimPixKey)).toEqual([]);
    },
  );

  it.each([
    ["PORTABILITY_IN_PROGRESS", "WAITING_PORTABILITY", "Solicitação de portabilidade cancelada com sucesso."],
    ["CLAIM_IN_PROGRESS", "WAITING_CLAIM", "Solicitação de reivindicação cancelada com sucesso."],
  ] as const)(
    "PIX-038 PIX-039 PIX-040 PIX-048 in %s can be cancelled, and not deleted",
    async (status, back, sentence) => {
      const { user, dialog, keys } = await open({ ...unlinked, status });
      dialog.getByText(
        status === "CLAIM_IN_PROGRESS"
          ? /^Quem está com a chave foi avisado e tem 7 dias/
          : /^Confirme a portabilidade na conta de origem em até 7 dias/,
      );
      fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: back }));
      expect(buttonsOf(dialog)).toEqual(["Cancelar solicitação", "Fechar"]);
      await user.click(dialog.getByRole("button", { name: "Cancelar solicitação" }));
      await screen.findByText(sentence);
      expect(keysOf(cancelPixKeyClaim)).toEqual([id]);
      const request = back === "WAITING_CLAIM" ? "Solicitar reivindicação" : "Solicitar portabilidade";
      await (await dialogOf("Chave Pix")).findByRole("button", { name: request });
    },
  );

  it.each([
    ["WAITING_PORTABILITY", ["Excluir chave", "Cancelar"]],
    ["WAITING_CLAIM", ["Excluir chave", "Cancelar"]],
    ["PORTABILITY_IN_PROGRESS", ["Fechar"]],
    ["CLAIM_IN_PROGRESS", ["Fechar"]],
  ] as const)(
    "PIX-034 PIX-039 in %s is neither requested nor cancelled without the permission to add keys",
    async (status, buttons) => {
      const others = only("pix_key_delete", "pix_key_accept_portability");
      const { dialog } = await open({ ...unlinked, status }, others);
      expect(buttonsOf(dialog)).toEqual(buttons);
    },
  );
});

it.each([
  ["PORTABILITY_REQUESTED", "PORTABILITY_IN_PROGRESS", "portabilidade"],
  ["CLAIM_REQUESTED", "CLAIM_IN_PROGRESS", "reivindicação"],
] as const)(
  "PIX-038 PIX-039 a request in %s follows the directory until it can be cancelled, and to its end",
  async (requested, inProgress, word) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { dialog, keys } = await open({ ...unlinked, status: requested });
    dialog.getByText(
      `A solicitação de ${word} foi enviada e aguarda a outra instituição. Ainda não é possível cancelar.`,
    );
    expect(dialog.queryByRole("button", { name: "Cancelar solicitação" })).toBeNull();
    fakeServer.on(readPixKey, () => keys.change(id, { status: inProgress }));
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await dialog.findByRole("button", { name: "Cancelar solicitação" });
    fakeServer.on(readPixKey, () => keys.change(id, { status: "REGISTERED" }));
    await act(() => vi.advanceTimersByTimeAsync(30_100));
    await (await dialogOf("Chave Pix")).findByText("Chave vinculada");
  },
);

it("SES-070 an error stops the polling of a key, is shown, and the person starts it again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, dialog, keys } = await open({ ...unlinked, status: "PENDING" });
  fakeServer.on(readPixKey, () => refuse("internal"));
  fakeServer.on(listPixKeys, () => refuse("internal"));
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await dialog.findByText("Não foi possível atualizar a chave");
  const looks = () => fakeServer.calls(readPixKey).length + fakeServer.calls(listPixKeys).length;
  const before = looks();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(looks()).toBe(before);
  fakeServer.on(readPixKey, () => keys.change(id, { status: "REGISTERED" }));
  await user.click(dialog.getByRole("button", { name: "Tentar de novo" }));
  await (await dialogOf("Chave Pix")).findByText("Chave vinculada");
});

it.each([
  ["PIX-036", "WAITING_PORTABILITY", claimPixKey, ["Solicitar portabilidade"]],
  ["PIX-037", "WAITING_CLAIM", claimPixKey, ["Solicitar reivindicação"]],
  ["PIX-040", "PORTABILITY_IN_PROGRESS", cancelPixKeyClaim, ["Cancelar solicitação"]],
  ["PIX-040", "CLAIM_IN_PROGRESS", cancelPixKeyClaim, ["Cancelar solicitação"]],
  ["PIX-043", "WAITING_PORTABILITY_APPROVAL", cancelPixKeyClaim, ["Manter chave"]],
  ["PIX-043", "WAITING_CLAIM_APPROVAL", cancelPixKeyClaim, ["Manter chave"]],
  ["PIX-044", "WAITING_CLAIM_APPROVAL", confirmPixKeyClaim, ["Liberar chave", "Liberar"]],
] as const)("%s a refused request in %s reports no success", async (_, status, contract, buttons) => {
  const { user } = await open({ status });
  fakeServer.on(contract, () => refuse("pix_key_busy"));
  for (const name of buttons) await user.click(screen.getByRole("button", { name }));
  await screen.findByText(/^Ainda estamos concluindo o último pedido sobre esta chave/);
  await waitFor(() => expect(document.querySelector("[aria-busy=true]")).toBeNull());
  expect(screen.queryByText(/com sucesso/)).toBeNull();
});

it("a button that is clicked twice requests once", async () => {
  const { dialog, keys } = await open({ ...unlinked, status: "WAITING_CLAIM" });
  let asked = 0;
  fakeServer.on(claimPixKey, () => {
    asked += 1;
    return asked === 1 ? keys.change(id, { status: "CLAIM_REQUESTED" }) : refuse("pix_key_code_wrong");
  });
  const claim = dialog.getByRole("button", { name: "Solicitar reivindicação" });
  fireEvent.click(claim);
  fireEvent.click(claim);
  await screen.findByText(/^Solicitação de reivindicação iniciada com sucesso/);
  expect(asked).toBe(1);
});

describe("a key that another holder claims", () => {
  it.each([
    [
      "WAITING_PORTABILITY_APPROVAL",
      "Foi pedida a portabilidade desta chave para outra instituição, em nome da sua empresa.",
      "Sem resposta, a chave continua na Malote.",
      "Chave Pix mantida na Malote com sucesso.",
    ],
    [
      "WAITING_CLAIM_APPROVAL",
      "Outra pessoa diz que esta chave é dela e pediu o registro em outra instituição.",
      "Sem resposta, a chave sai da sua empresa e passa a quem a pediu.",
      "Chave Pix mantida com sucesso.",
    ],
  ] as const)(
    "PIX-041 PIX-042 PIX-043 in %s shows the deadline, and is kept",
    async (status, request, silence, sentence) => {
      const given = { status, updated_at: "2026-08-12T13:00:00.000Z" };
      const { user, dialog, keys } = await open(given, only("pix_key_accept_portability"));
      fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: "REGISTERED" }));
      dialog.getByText(request);
      dialog.getByText("Responda até 19/08/2026 10:00");
      dialog.getByText(silence);
      await user.click(dialog.getByRole("button", { name: "Manter chave" }));
      await screen.findByText(sentence);
      expect(keysOf(cancelPixKeyClaim)).toEqual([id]);
      await (await dialogOf("Chave Pix")).findByText("Chave vinculada");
    },
  );

  it("SHL-003 PIX-043 is kept, in the words of the page's brand", async () => {
    const { user, dialog, keys } = await open({ status: "WAITING_PORTABILITY_APPROVAL" }, {}, "Horizonte");
    fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: "REGISTERED" }));
    await user.click(dialog.getByRole("button", { name: "Manter chave" }));
    await screen.findByText("Chave Pix mantida na Horizonte com sucesso.");
    expect(document.body.textContent).not.toMatch(/malote/i);
  });

  it("SHL-003 PIX-046 continues in the words of the page's brand", async () => {
    const { dialog } = await open({ status: "PENDING_REMOVAL" }, {}, "Horizonte");
    await dialog.findByRole("button", { name: "Continuar usando a Horizonte" });
    expect(document.body.textContent).not.toMatch(/malote/i);
  });

  it.each(["PENDING", "PENDING_REMOVAL"] as const)(
    "PIX-046 in %s: the button closes the dialog, and the key changes by itself",
    async (status) => {
      const { user, dialog, app } = await open({ status });
      expect(buttonsOf(dialog)).toEqual(["Continuar usando a Malote"]);
      await user.click(dialog.getByRole("button", { name: "Continuar usando a Malote" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(app.address()).toBe(page);
    },
  );

  it.each(["WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL"] as const)(
    "PIX-044 PIX-045 PIX-048 in %s is released, and its dialog closes when it is gone",
    async (status) => {
      const { user, dialog, keys, app } = await open({ status });
      fakeServer.on(confirmPixKeyClaim, () => keys.change(id, { status: "REMOVED" }));
      expect(buttonsOf(dialog)).toEqual(["Liberar chave", "Manter chave"]);
      await user.click(dialog.getByRole("button", { name: "Liberar chave" }));
      expect(fakeServer.calls(confirmPixKeyClaim)).toHaveLength(0);
      const question = "Liberar a chave financeiro@aurora.exemplo?";
      await user.click((await dialogOf(question)).getByRole("button", { name: "Cancelar" }));
      await waitFor(() => expect(screen.queryByRole("dialog", { name: question })).toBeNull());
      expect(fakeServer.calls(confirmPixKeyClaim)).toHaveLength(0);
      await user.click(dialog.getByRole("button", { name: "Liberar chave" }));
      await user.click((await dialogOf(question)).getByRole("button", { name: "Liberar" }));
      await screen.findByText("Chave Pix liberada com sucesso.");
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      await waitFor(() => expect(app.address()).toBe(page));
      expect(keysOf(confirmPixKeyClaim)).toEqual([id]);
      expect(keysOf(cancelPixKeyClaim)).toEqual([]);
      await waitFor(() => expect(screen.queryByText("financeiro@aurora.exemplo")).toBeNull());
    },
  );

  it.each(["WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL"] as const)(
    "PIX-041 in %s is read-only without the permission",
    async (status) => {
      const { dialog } = await open({ status }, only("pix_key_register", "pix_key_delete"));
      expect(buttonsOf(dialog)).toEqual(["Fechar"]);
      dialog.getByRole("img", { name: "Código QR da chave financeiro@aurora.exemplo" });
    },
  );
});
