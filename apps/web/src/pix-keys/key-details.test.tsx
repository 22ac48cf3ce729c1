/** Details of a key, and the look of each status. */
import { deletePixKey, listPixKeys, readPixKey, resendPixKeyCode } from "@malote/contracts/pix-keys";
import { type PixKeyStatus, pixKeyStatuses } from "@malote/domain/own-pix-key";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
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
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";
import dialogStyles from "../ui/dialog.module.css";
import { pixKeysQuery } from "./api.ts";
import { KeyPill } from "./key-pill.tsx";

pixKeyPage();

const cannotBeLinked =
  "Essa chave não pode ser vinculada. Utilize uma nova chave, excluindo essa e vinculando uma nova.";
const fault = "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso.";

describe("the details", () => {
  it("PIX-009 PIX-045 PIX-046 PIX-048 PIX-049 PIX-050 show the picture and the pill, and delete after asking", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const long = `${"a".repeat(60)}@aurora.exemplo`;
    const { user, dialog, keys } = await open({ key: long });
    fakeServer.on(deletePixKey, () => keys.change(id, { status: "PENDING_REMOVAL" }));
    const picture = dialog.getByRole("img", { name: `Código QR da chave ${long}` });
    expect(picture.getAttribute("src")).toBe(`data:image/png;base64,${buildPixKey().pix_qrcode_image}`);
    expect(buttonsOf(dialog)).toEqual(["Fechar", "Excluir chave"]);
    dialog.getByText("Chave vinculada");
    dialog.getByText(`${"a".repeat(40)}…`);
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    const asked = await dialogOf("Excluir chave Pix");
    asked.getByText(`Você tem certeza que deseja excluir a chave Pix: ${"a".repeat(60)}…?`);
    await user.click(asked.getByRole("button", { name: "Confirmar exclusão" }));
    const wizard = await dialogOf("Chave Pix");
    await wizard.findByText("Removendo chave");
    expect(keysOf(deletePixKey)).toEqual([id]);
    wizard.getByRole("button", { name: "Continuar usando a Malote" });
    keys.change(id, { status: "REMOVED" });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByText(long)).toBeNull();
  });

  it.each([
    ["TELEFONE", "+5511987654321", "(11) 98765-4321"],
    ["CNPJ", "27418639000148", "27.418.639/0001-48"],
    ["CPF", "52998224725", "529.982.247-25"],
    ["CHAVE_ALEATORIA", "3718a543-bd10-4488-8b6b-f71aef289800", "3718a543-bd10-4488-8b6b-f71aef289800"],
  ] as const)(
    "PIX-009 PIX-049 format a %s key in the wizard and in the question before removal, which may be left",
    async (key_type, key, text) => {
      const { user, dialog } = await open({ key_type, key });
      dialog.getByText(text);
      await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
      const asked = await dialogOf("Excluir chave Pix");
      asked.getByText(`Você tem certeza que deseja excluir a chave Pix: ${text}?`);
      await user.click(asked.getByRole("button", { name: "Cancelar" }));
      await waitFor(() => expect(screen.queryByRole("dialog", { name: "Excluir chave Pix" })).toBeNull());
      dialog.getByText(text);
      expect(fakeServer.calls(deletePixKey)).toEqual([]);
    },
  );

  it("PIX-049 name a random key that the directory never created by its type before removal", async () => {
    const { user, dialog } = await open({
      ...unlinked,
      key_type: "CHAVE_ALEATORIA",
      key: null,
      status: "ERROR",
    });
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    const asked = await dialogOf("Excluir chave Pix");
    asked.getByText("Você tem certeza que deseja excluir a chave Pix: Chave aleatória?");
  });

  it("PIX-003 show an address whole that begins like a phone", async () => {
    const { dialog } = await open({ key: "+55contas@aurora.exemplo" });
    dialog.getByText("+55contas@aurora.exemplo");
  });

  it.each([
    ["o motivo do servidor", { code: "x", message: "O diretório recusou." }, "O diretório recusou."],
    ["nada", { code: "x", message: "" }, cannotBeLinked],
    ["nem que houve erro", null, cannotBeLinked],
  ])("PIX-045 PIX-046 PIX-047 show for a key in error: %s", async (_what, error, sentence) => {
    const { dialog } = await open({ ...unlinked, status: "ERROR", error });
    dialog.getByText(sentence);
    expect(dialog.queryByText(cannotBeLinked) !== null).toBe(sentence === cannotBeLinked);
    dialog.getByText("Código QR indisponível para esta chave");
    expect(buttonsOf(dialog)).toEqual(["Fechar", "Excluir chave"]);
  });

  it.each(["REGISTERED", "WAITING_PORTABILITY", "WAITING_CLAIM"] as const)(
    "PIX-001 show the error of the last request of a key in %s",
    async (status) => {
      const message = "Já há um pedido aberto para esta chave.";
      const { dialog } = await open({ status, error: { code: "pix_key_claim_open", message } });
      dialog.getByText(message);
      expect(dialog.queryByText(cannotBeLinked)).toBeNull();
    },
  );

  it.each(["REGISTERED", "ERROR", "VALIDATING", "WAITING_PORTABILITY", "WAITING_CLAIM"] as const)(
    "PIX-029 PIX-034 PIX-048 PIX-050 let a key in %s be deleted only with the permission",
    async (status) => {
      const without = await open({ status }, only("pix_key_register", "pix_key_accept_portability"));
      expect(without.dialog.queryByRole("button", { name: "Excluir chave" })).toBeNull();
      without.app.unmount();
      const { user, dialog, keys } = await open({ status }, only("pix_key_delete"));
      fakeServer.on(deletePixKey, () => keys.change(id, { status: "REMOVED" }));
      await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
      const asked = await dialogOf("Excluir chave Pix");
      asked.getByText("Você tem certeza que deseja excluir a chave Pix: financeiro@aurora.exemplo?");
      expect(fakeServer.calls(deletePixKey)).toEqual([]);
      await user.click(asked.getByRole("button", { name: "Confirmar exclusão" }));
      await waitFor(() => expect(screen.queryByRole("dialog", { name: /chave Pix$/i })).toBeNull());
      expect(keysOf(deletePixKey)).toEqual([id]);
    },
  );

  it("PIX-051 throw on an action's error without a code", async () => {
    const { user, dialog } = await open({ status: "REGISTERED" });
    fakeServer.on(deletePixKey, () => refuseWithoutCode());
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    await user.click(
      (await dialogOf("Excluir chave Pix")).getByRole("button", { name: "Confirmar exclusão" }),
    );
    await screen.findByText("Não foi possível abrir esta página");
    errors.mockRestore();
  });

  it.each([
    ["a fault", fault],
    ["a fault without a code of ours", fault],
    ["no connection", "Você parece estar offline"],
  ])("PIX-051 show that an action meets %s, and the page stays", async (what, sentence) => {
    const { user, dialog } = await open({ status: "REGISTERED" });
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    const asked = await dialogOf("Excluir chave Pix");
    fakeServer.on(deletePixKey, () => refuse("internal"));
    if (what === "no connection") fakeServer.goOffline();
    if (what === "a fault without a code of ours") {
      const others = globalThis.fetch;
      vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) =>
        init?.method === "DELETE" ? Promise.resolve(Response.json({}, { status: 502 })) : others(input, init),
      );
    }
    await user.click(asked.getByRole("button", { name: "Confirmar exclusão" }));
    await screen.findByText(sentence);
    expect(screen.queryByText("Não foi possível abrir esta página")).toBeNull();
    await dialogOf("Excluir chave Pix");
  });

  it.each([
    ["VALIDATING", "Finalizar"],
    ["WAITING_PORTABILITY", "Solicitar portabilidade"],
    ["WAITING_CLAIM", "Solicitar reivindicação"],
    ["PORTABILITY_REQUESTED", "Fechar"],
    ["CLAIM_REQUESTED", "Fechar"],
    ["PORTABILITY_IN_PROGRESS", "Cancelar solicitação"],
    ["CLAIM_IN_PROGRESS", "Cancelar solicitação"],
    ["WAITING_PORTABILITY_APPROVAL", "Manter chave"],
    ["WAITING_CLAIM_APPROVAL", "Manter chave"],
    ["PENDING", "Continuar usando a Malote"],
    ["PENDING_REMOVAL", "Continuar usando a Malote"],
    ["REGISTERED", "Excluir chave"],
    ["ERROR", "Excluir chave"],
  ] as const)(
    "PIX-014 PIX-015 PIX-016 show for a key in %s what belongs to its status",
    async (status, sign) => {
      const { dialog } = await open({ status });
      expect(buttonsOf(dialog)).toContain(sign);
      // As wide as the form of a new key.
      const box = screen.getByRole("dialog", { name: "Chave Pix" }).firstElementChild;
      expect(box?.className.split(" ")).toContain(dialogStyles["lg"]);
      // Only the details show the picture.
      const details: readonly PixKeyStatus[] = ["PENDING", "PENDING_REMOVAL", "REGISTERED", "ERROR"];
      const hasPicture = dialog.queryByRole("img", { name: /^Código QR/ }) !== null;
      expect(hasPicture).toBe(details.includes(status));
    },
  );
});

it.each([
  ["a fault", fault],
  ["no connection", "Você parece estar offline"],
])("PIX-051 show that sending another code meets %s, and the page stays", async (what, sentence) => {
  const { user, dialog } = await open({ ...unlinked, status: "VALIDATING" });
  fakeServer.on(resendPixKeyCode, () => refuse("internal"));
  if (what === "no connection") fakeServer.goOffline();
  await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
  await screen.findByText(sentence);
  expect(screen.queryByText("Não foi possível abrir esta página")).toBeNull();
  await dialogOf("Chave Pix");
});

it("PIX-045 show nothing of a removed key whose address is opened", async () => {
  serveKeys(buildPixKey({ id, status: "REMOVED" }), buildPixKey());
  const app = renderApp(`${page}?chave=${id}`);
  await screen.findByText("Chave vinculada");
  await waitFor(() => expect(app.address()).toBe(page));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("PIX-014 PIX-015 show the title of an existing key while it loads, or when it cannot be read", async () => {
  serveKeys();
  fakeServer.keepWaiting(readPixKey);
  const waiting = renderApp(`${page}?chave=${id}`);
  await (await dialogOf("Chave Pix")).findByRole("status", { name: "Carregando a chave" });
  const box = screen.getByRole("dialog", { name: "Chave Pix" }).firstElementChild;
  expect(box?.className.split(" ")).toContain(dialogStyles["lg"]);
  waiting.unmount();
  fakeServer.on(readPixKey, () => refuse("not_found"));
  renderApp(`${page}?chave=${id}`);
  await (await dialogOf("Chave Pix")).findByText("Não foi possível carregar a chave");
});

it("PIX-010 PIX-011 PIX-012 PIX-013 show every status with its name, its colour and its spinner", () => {
  const drawn = (status: PixKeyStatus) => {
    const { container, unmount } = render(<KeyPill status={status} />);
    const pill = container.firstElementChild;
    const look = [
      pill?.textContent,
      pill?.getAttribute("data-color"),
      ...(pill?.querySelector("[data-shape=spinner]") ? ["spinner"] : []),
    ];
    unmount();
    return look.join(", ");
  };
  const words = Object.fromEntries(pixKeyStatuses.map((status) => [status, drawn(status)]));
  expect(words).toEqual({
    PENDING: "Vinculando chave, yellow, spinner",
    PENDING_REMOVAL: "Removendo chave, yellow, spinner",
    REGISTERED: "Chave vinculada, blue",
    ERROR: "Chave não vinculada, red",
    REMOVED: "Removida, red",
    VALIDATING: "Validação pendente, yellow",
    WAITING_CLAIM: "Reivindicação pendente, yellow",
    WAITING_PORTABILITY: "Portabilidade pendente, yellow",
    CLAIM_REQUESTED: "Reivindicação solicitada, yellow",
    PORTABILITY_REQUESTED: "Portabilidade solicitada, yellow",
    PORTABILITY_IN_PROGRESS: "Portabilidade em andamento, yellow",
    CLAIM_IN_PROGRESS: "Reivindicação em andamento, yellow",
    WAITING_CLAIM_APPROVAL: "Aguardando reivindicação, yellow",
    WAITING_PORTABILITY_APPROVAL: "Aguardando portabilidade, yellow",
  });
});

describe("keys that cannot be loaded", () => {
  const add = () => screen.queryByRole("button", { name: "Adicionar chave Pix" });

  it("PIX-007 are hidden, and so is the way to add one", async () => {
    fakeServer.on(listPixKeys, () => refuse("internal"));
    renderApp(page);
    await screen.findByText("Não foi possível carregar as chaves Pix");
    expect(screen.queryByText("Chave vinculada")).toBeNull();
    expect(add()).toBeNull();
  });

  it("PIX-007 disappear with their stale cards until they are loaded again", async () => {
    const user = userEvent.setup();
    serveKeys(buildPixKey());
    const { queryClient } = renderApp(page);
    await screen.findByText("Chave vinculada");
    fakeServer.on(listPixKeys, () => refuse("internal"));
    await act(() => queryClient.invalidateQueries({ queryKey: pixKeysQuery.queryKey }));
    await screen.findByText("Não foi possível carregar as chaves Pix");
    expect(screen.queryByText("Chave vinculada")).toBeNull();
    expect(add()).toBeNull();
    serveKeys(buildPixKey());
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await screen.findByText("Chave vinculada");
  });
});
