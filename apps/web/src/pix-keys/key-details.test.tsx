/** The details of a key, and how each status is drawn. */
import { deletePixKey, listPixKeys } from "@malote/contracts/pix-keys";
import { type PixKeyStatus, pixKeyStatuses } from "@malote/domain/own-pix-key";
import { act, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { dialogOf, id, open, page, pixKeyPage, unlinked } from "../testing/pix-key-wizard.ts";
import { renderApp } from "../testing/render-app.tsx";
import { KeyPill } from "./key-pill.tsx";

pixKeyPage();

describe("the details", () => {
  it("PIX-009 PIX-045 PIX-046 PIX-048 PIX-049 PIX-050 show the picture and the pill, and delete after asking", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const long = `${"a".repeat(60)}@aurora.exemplo`;
    const { user, dialog, keys } = await open({ key: long });
    fakeServer.on(deletePixKey, () => keys.change(id, { status: "PENDING_REMOVAL" }));
    dialog.getByRole("img", { name: `Código QR da chave ${long}` });
    dialog.getByText("Chave vinculada");
    dialog.getByText(`${"a".repeat(40)}…`);
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    const asked = await dialogOf("Excluir chave Pix");
    asked.getByText(`Você tem certeza que deseja excluir a chave Pix: ${"a".repeat(60)}…?`);
    await user.click(asked.getByRole("button", { name: "Confirmar exclusão" }));
    const wizard = await dialogOf("Chave Pix");
    await wizard.findByText("Removendo chave");
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
  ] as const)(
    "PIX-009 a %s key is formatted in the wizard and where it is removed",
    async (key_type, key, text) => {
      const { user, dialog } = await open({ key_type, key });
      dialog.getByText(text);
      await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
      const asked = await dialogOf("Excluir chave Pix");
      asked.getByText(`Você tem certeza que deseja excluir a chave Pix: ${text}?`);
    },
  );

  it.each([
    ["o motivo do servidor", { code: "x", message: "O diretório recusou." }, "O diretório recusou."],
    [
      "nada",
      { code: "x", message: "" },
      "Essa chave não pode ser vinculada. Utilize uma nova chave, excluindo essa e vinculando uma nova.",
    ],
  ])("PIX-045 PIX-047 of a key in error say %s", async (_what, error, sentence) => {
    const { dialog } = await open({ ...unlinked, status: "ERROR", error });
    dialog.getByText(sentence);
    dialog.getByText("Código QR indisponível para esta chave");
    dialog.getByRole("button", { name: "Excluir chave" });
  });

  it("PIX-051 an action's error without a code is thrown on", async () => {
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
    ["a fault", "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso."],
    ["no connection", "Você parece estar offline"],
  ])("PIX-051 of an action that meets %s say so, and the page stays", async (what, sentence) => {
    const { user, dialog } = await open({ status: "REGISTERED" });
    await user.click(dialog.getByRole("button", { name: "Excluir chave" }));
    const asked = await dialogOf("Excluir chave Pix");
    fakeServer.on(deletePixKey, () => refuse("internal"));
    if (what === "no connection") fakeServer.goOffline();
    await user.click(asked.getByRole("button", { name: "Confirmar exclusão" }));
    await screen.findByText(sentence);
    expect(screen.queryByText("Não foi possível abrir esta página")).toBeNull();
    await dialogOf("Excluir chave Pix");
  });

  it("PIX-016 open what belongs to each status", async () => {
    const signs: Readonly<Partial<Record<PixKeyStatus, string>>> = {
      VALIDATING: "Finalizar",
      WAITING_PORTABILITY: "Solicitar portabilidade",
      WAITING_CLAIM: "Solicitar reivindicação",
      PORTABILITY_IN_PROGRESS: "Cancelar solicitação",
      CLAIM_IN_PROGRESS: "Cancelar solicitação",
      WAITING_PORTABILITY_APPROVAL: "Manter chave",
      WAITING_CLAIM_APPROVAL: "Manter chave",
      PENDING: "Continuar usando a Malote",
      PENDING_REMOVAL: "Continuar usando a Malote",
      REGISTERED: "Excluir chave",
      ERROR: "Excluir chave",
    };
    for (const [status, sign] of Object.entries(signs)) {
      const { dialog, app } = await open({ status: status as PixKeyStatus });
      dialog.getByRole("button", { name: sign });
      app.unmount();
    }
  });
});

it("PIX-010 PIX-011 PIX-012 PIX-013 draws every status with its name, its colour and its spinner", () => {
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

it("PIX-007 shows no keys when they cannot be loaded", async () => {
  fakeServer.on(listPixKeys, () => refuse("internal"));
  renderApp(page);
  await screen.findByText("Não foi possível carregar as chaves Pix");
  expect(screen.queryByText("Chave vinculada")).toBeNull();
});
