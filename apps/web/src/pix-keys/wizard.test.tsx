import { listPaymentAccounts, readCompanyBankAccount } from "@malote/contracts/company";
import {
  cancelPixKeyClaim,
  claimPixKey,
  confirmPixKeyClaim,
  createPixKey,
  deletePixKey,
  listPixKeys,
  type PixKeyOnWire,
  readPixKey,
  resendPixKeyCode,
  verifyPixKey,
} from "@malote/contracts/pix-keys";
import type { TokenContent } from "@malote/contracts/session";
import { type PixKeyStatus, pixKeyStatuses } from "@malote/domain/own-pix-key";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";
import { KeyPill, statusLooks } from "./key-pill.tsx";

const id = "0198f000-0000-7000-8000-0000000000c1";
const page = "/pagamentos/configuracoes/dados-bancarios";
const only = (...permissions: string[]): Partial<TokenContent> => ({
  permissions: ["platform_access", ...permissions],
});

beforeEach(() => {
  fakeServer.on(readCompanyBankAccount, () => null);
  fakeServer.on(listPaymentAccounts, () => ({ data: [] }));
});

const dialogOf = async (name: string) => within(await screen.findByRole("dialog", { name }));
type Box = Awaited<ReturnType<typeof dialogOf>>;

/** The wizard over one key. */
async function open(given: Partial<PixKeyOnWire>, session: Partial<TokenContent> = {}, brand = "Malote") {
  const user = userEvent.setup();
  const keys = serveKeys(buildPixKey({ id, ...given }));
  const app = renderApp(`${page}?chave=${id}`, { session, brand: { name: brand } });
  await dialogOf("Chave Pix");
  await waitFor(() => expect(screen.queryByRole("status", { name: "Carregando a chave" })).toBeNull());
  return { user, keys, app, dialog: await dialogOf("Chave Pix") };
}
const buttonsOf = (dialog: Box) =>
  dialog
    .getAllByRole("button")
    .map((button) => button.textContent)
    .filter(Boolean);
const unlinked = { ownership_date: null, pix_qrcode_image: null, pix_qrcode_emv_payload: null };

describe("a new key", () => {
  async function openNew() {
    const user = userEvent.setup();
    const keys = serveKeys();
    const app = renderApp(`${page}?chave=nova`);
    const dialog = await dialogOf("Adicionar chave Pix");
    return { user, keys, app, dialog };
  }

  it("PIX-014 PIX-017 PIX-018 PIX-019 PIX-020 offers four kinds, each with its field and its note", async () => {
    const { user, dialog } = await openNew();
    expect(dialog.getAllByRole("radio").map((one) => one.closest("label")?.textContent)).toEqual([
      "Celular",
      "CNPJ",
      "E-mail",
      "Chave aleatória",
    ]);
    expect(buttonsOf(dialog)).toEqual(["Cancelar", "Próximo"]);
    const note = "Enviaremos um código de verificação para confirmar a chave.";
    dialog.getByText(note);
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    dialog.getByText(note);
    await user.click(dialog.getByRole("radio", { name: "CNPJ" }));
    const cnpj = dialog.getByRole<HTMLInputElement>("textbox", { name: "CNPJ" });
    expect([cnpj.readOnly, cnpj.value]).toEqual([true, "12.ABC.345/01DE-35"]);
    dialog.getByText("Só é possível cadastrar o CNPJ da própria empresa.");
    await user.click(dialog.getByRole("radio", { name: "Chave aleatória" }));
    const random = dialog.getByRole<HTMLInputElement>("textbox", { name: "Chave aleatória" });
    expect(random.placeholder).toMatch(/^x{8}-x{4}-x{4}-x{4}-x{12}$/);
    dialog.getByText("Uma chave aleatória será gerada.");
  });

  it("PIX-021 PIX-022 refuses a wrong phone and a wrong address in words, and sends a phone with its country", async () => {
    const { user, dialog, keys } = await openNew();
    fakeServer.on(createPixKey, ({ body }) =>
      keys.change(body.id ?? "", {
        ...unlinked,
        key_type: body.key_type,
        key: body.key ?? null,
        status: "VALIDATING",
      }),
    );
    const next = dialog.getByRole("button", { name: "Próximo" });
    const phone = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.type(phone, "1134567890");
    await user.click(next);
    dialog.getByText("Número de celular inválido");
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    const email = dialog.getByRole("textbox", { name: "E-mail" });
    // The last one is cut at the 77 characters of Pix, before its domain is whole.
    for (const wrong of ["financeiro@", "a@b", `${"a".repeat(70)}@aurora.example`]) {
      await user.clear(email);
      await user.type(email, wrong);
      await user.click(next);
      dialog.getByText("E-mail inválido");
    }
    expect(fakeServer.calls(createPixKey)).toHaveLength(0);

    await user.click(dialog.getByRole("radio", { name: "Celular" }));
    const again = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.clear(again);
    await user.click(again);
    await user.paste("+55 11 98765-4321");
    expect(again.value).toBe("(11) 98765-4321");
    await user.click(next);
    await dialogOf("Chave Pix");
    expect(fakeServer.calls(createPixKey)[0]?.body).toMatchObject({
      key_type: "TELEFONE",
      key: "+5511987654321",
    });
  });

  it("PIX-024 sent again it is the same key, and another one once its content changed", async () => {
    const { user, dialog } = await openNew();
    fakeServer.on(createPixKey, () => refuse("unavailable"));
    const send = async () => {
      const next = dialog.getByRole("button", { name: "Próximo" });
      await user.click(next);
      await waitFor(() => expect(next.getAttribute("aria-busy")).toBeNull());
      return fakeServer.calls(createPixKey).map(({ body }) => (body as { id: string }).id);
    };
    const phone = dialog.getByRole("textbox", { name: "Celular" });
    await user.type(phone, "11987654320");
    await send();
    await send();
    await user.type(phone, "{Backspace}1");
    await send();
    await user.click(dialog.getByRole("radio", { name: "Chave aleatória" }));
    const [first, again, corrected, another] = await send();
    expect(again).toBe(first);
    expect(new Set([first, corrected, another]).size).toBe(3);
  });

  it("asks before what was typed is dropped, by whichever way out", async () => {
    const { user, dialog, app } = await openNew();
    const phone = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.type(phone, "11987654321");
    const ways = [
      () => user.keyboard("{Escape}"),
      () => user.click(dialog.getByRole("button", { name: "Fechar" })),
      () => user.click(dialog.getByRole("button", { name: "Cancelar" })),
    ];
    for (const leave of ways) {
      await leave();
      const question = await dialogOf("Descartar o que foi preenchido?");
      await user.click(question.getByRole("button", { name: "Continuar preenchendo" }));
      expect(phone.value).toBe("(11) 98765-4321");
    }
    await user.keyboard("{Escape}");
    const question = await dialogOf("Descartar o que foi preenchido?");
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await waitFor(() => expect(app.address()).toBe(page));
  });

  it("PIX-025 a random key is read every two seconds until it is linked", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, dialog, keys, app } = await openNew();
    let made = "";
    fakeServer.on(createPixKey, ({ body }) => {
      made = body.id ?? "";
      return keys.change(made, { ...unlinked, key_type: "CHAVE_ALEATORIA", key: null, status: "PENDING" });
    });
    await user.click(dialog.getByRole("radio", { name: "Chave aleatória" }));
    await user.click(dialog.getByRole("button", { name: "Próximo" }));
    const wizard = await dialogOf("Chave Pix");
    await wizard.findByText("Vinculando chave");
    expect(app.address()).toContain(`chave=${made}`);
    expect(fakeServer.calls(createPixKey)[0]?.body).toEqual({ id: made, key_type: "CHAVE_ALEATORIA" });
    const before = fakeServer.calls(readPixKey).length;
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(fakeServer.calls(readPixKey).length).toBe(before + 1);
    keys.change(made, { key: "3718a543-bd10-4488-8b6b-f71aef289800", status: "REGISTERED" });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await wizard.findByText("Chave vinculada");
    const after = fakeServer.calls(readPixKey).length;
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(fakeServer.calls(readPixKey).length).toBe(after);
  });
});

describe("the code", () => {
  const validating = {
    ...unlinked,
    status: "VALIDATING",
    key_type: "TELEFONE",
    key: "+5511987654321",
  } as const;

  it("PIX-003 PIX-027 PIX-028 PIX-030 is typed beside the key, must not be empty, and verifies it", async () => {
    const { user, dialog, keys } = await open(validating);
    fakeServer.on(verifyPixKey, ({ body }) =>
      body.code === "123456" ? keys.change(id, { status: "PENDING" }) : refuse("pix_key_code_wrong"),
    );
    const key = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    expect([key.readOnly, key.value]).toEqual([true, "(11) 98765-4321"]);
    expect(buttonsOf(dialog)).toEqual([
      "Reenviar código de verificação",
      "Excluir chave",
      "Voltar",
      "Finalizar",
    ]);
    const code = dialog.getByRole("textbox", { name: "Código de verificação" });
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    dialog.getByText("Campo obrigatório");
    expect(fakeServer.calls(verifyPixKey)).toHaveLength(0);
    await user.type(code, "000000");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    // PIX-051: shown, and what was typed stays.
    await screen.findByText("Código incorreto. Confira a mensagem que enviamos e digite de novo.");
    await user.clear(code);
    await user.type(code, "123456");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    await screen.findAllByText("Vinculando chave");
  });

  it("PIX-029 is beside a delete button only with the permission", async () => {
    const without = await open(validating, only("pix_key_register"));
    expect(buttonsOf(without.dialog)).toEqual(["Reenviar código de verificação", "Voltar", "Finalizar"]);
    without.app.unmount();
    const { dialog } = await open(validating, only("pix_key_register", "pix_key_delete"));
    dialog.getByRole("button", { name: "Excluir chave" });
  });

  it("PIX-029 is neither asked for nor sent again without the permission to add keys", async () => {
    const { dialog } = await open(validating, only("pix_key_delete"));
    expect(dialog.getAllByRole("textbox")).toEqual([dialog.getByRole("textbox", { name: "Celular" })]);
    expect(buttonsOf(dialog)).toEqual(["Excluir chave", "Voltar"]);
  });

  it("PIX-031 PIX-032 is sent again once, then counts down by the second, or as long as the server says", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, dialog } = await open(validating);
    fakeServer.on(resendPixKeyCode, () => ({ blockedTime: 0 }));
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    const counting = await dialog.findByRole<HTMLButtonElement>("button", {
      name: "Reenviar código de verificação (10 s)",
    });
    expect(counting.disabled).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    dialog.getByRole("button", { name: "Reenviar código de verificação (9 s)" });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    fakeServer.on(resendPixKeyCode, () => ({ blockedTime: 60 }));
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    await dialog.findByRole("button", { name: "Reenviar código de verificação (60 s)" });
    expect(fakeServer.calls(resendPixKeyCode)).toHaveLength(2);
  });
});

describe("a key that is held elsewhere", () => {
  it.each([
    [
      "WAITING_PORTABILITY",
      "Solicitar portabilidade",
      "PORTABILITY_REQUESTED",
      "Solicitação de portabilidade iniciada com sucesso, confirme a solicitação em sua conta de origem.",
    ],
    [
      "WAITING_CLAIM",
      "Solicitar reivindicação",
      "CLAIM_REQUESTED",
      "Solicitação de reivindicação iniciada com sucesso, aguarde a confirmação do processo.",
    ],
  ] as const)(
    "PIX-034 PIX-035 PIX-036 PIX-037 PIX-038 in %s is asked for",
    async (status, label, next, sentence) => {
      const { user, dialog, keys } = await open({ ...unlinked, status });
      fakeServer.on(claimPixKey, () => keys.change(id, { status: next }));
      expect(buttonsOf(dialog)).toEqual(["Excluir chave", "Cancelar", label]);
      await user.click(dialog.getByRole("button", { name: label }));
      await screen.findByText(sentence);
      const wizard = await dialogOf("Chave Pix");
      await waitFor(() => expect(buttonsOf(wizard)).toEqual(["Fechar"]));
      wizard.getByText(statusLooks[next].name);
    },
  );

  it.each([
    ["PORTABILITY_IN_PROGRESS", "WAITING_PORTABILITY", "Solicitação de portabilidade cancelada com sucesso."],
    ["CLAIM_IN_PROGRESS", "WAITING_CLAIM", "Solicitação de reivindicação cancelada com sucesso."],
  ] as const)("PIX-038 PIX-039 PIX-040 in %s can be taken back", async (status, back, sentence) => {
    const { user, dialog, keys } = await open({ ...unlinked, status });
    fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: back }));
    await user.click(dialog.getByRole("button", { name: "Cancelar solicitação" }));
    await screen.findByText(sentence);
  });
});

it("PIX-039 an open request follows the directory until it can be taken back, and to its end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { dialog, keys } = await open({ ...unlinked, status: "PORTABILITY_REQUESTED" });
  expect(dialog.queryByRole("button", { name: "Cancelar solicitação" })).toBeNull();
  fakeServer.on(readPixKey, () => keys.change(id, { status: "PORTABILITY_IN_PROGRESS" }));
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await dialog.findByRole("button", { name: "Cancelar solicitação" });
  fakeServer.on(readPixKey, () => keys.change(id, { status: "REGISTERED" }));
  await act(() => vi.advanceTimersByTimeAsync(30_100));
  await (await dialogOf("Chave Pix")).findByText("Chave vinculada");
});

it("SES-070 an error stops the looking at a key, is shown, and the person starts it again", async () => {
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

it("a button that is clicked twice asks once", async () => {
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

describe("a key that another asks for", () => {
  it.each([
    ["WAITING_PORTABILITY_APPROVAL", "Chave Pix mantida na Malote com sucesso."],
    ["WAITING_CLAIM_APPROVAL", "Chave Pix mantida com sucesso."],
  ] as const)("PIX-041 PIX-042 PIX-043 in %s says until when, and is kept", async (status, sentence) => {
    const { user, dialog, keys } = await open({ status, updated_at: "2026-08-12T13:00:00.000Z" });
    fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: "REGISTERED" }));
    dialog.getByText("Responda até 19/08/2026 10:00");
    await user.click(dialog.getByRole("button", { name: "Manter chave" }));
    await screen.findByText(sentence);
    expect(fakeServer.calls(cancelPixKeyClaim)).toHaveLength(1);
  });

  it("SHL-003 PIX-043 is kept at whatever brand the page is of", async () => {
    const { user, dialog, keys } = await open({ status: "WAITING_PORTABILITY_APPROVAL" }, {}, "Horizonte");
    fakeServer.on(cancelPixKeyClaim, () => keys.change(id, { status: "REGISTERED" }));
    await user.click(dialog.getByRole("button", { name: "Manter chave" }));
    await screen.findByText("Chave Pix mantida na Horizonte com sucesso.");
    expect(document.body.textContent).not.toMatch(/malote/i);
  });

  it("SHL-003 PIX-046 goes on with whatever brand the page is of", async () => {
    const { dialog } = await open({ status: "PENDING_REMOVAL" }, {}, "Horizonte");
    await dialog.findByRole("button", { name: "Continuar usando a Horizonte" });
    expect(document.body.textContent).not.toMatch(/malote/i);
  });

  it.each(["PENDING", "PENDING_REMOVAL"] as const)(
    "PIX-046 goes on from %s by closing the dialog, while the key goes its way",
    async (status) => {
      const { user, dialog, app } = await open({ status });
      expect(buttonsOf(dialog)).toEqual(["Continuar usando a Malote"]);
      await user.click(dialog.getByRole("button", { name: "Continuar usando a Malote" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      expect(app.address()).toBe(page);
    },
  );

  it("PIX-044 PIX-045 is released, and its dialog closes when it is gone", async () => {
    const { user, dialog, keys } = await open({ status: "WAITING_CLAIM_APPROVAL" });
    fakeServer.on(confirmPixKeyClaim, () => keys.change(id, { status: "REMOVED" }));
    await user.click(dialog.getByRole("button", { name: "Liberar chave" }));
    expect(fakeServer.calls(confirmPixKeyClaim)).toHaveLength(0);
    const asked = await dialogOf("Liberar a chave financeiro@aurora.exemplo?");
    await user.click(asked.getByRole("button", { name: "Liberar" }));
    await screen.findByText("Chave Pix liberada com sucesso.");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("PIX-041 is only looked at without the permission", async () => {
    const { dialog } = await open(
      { status: "WAITING_CLAIM_APPROVAL" },
      only("pix_key_register", "pix_key_delete"),
    );
    expect(buttonsOf(dialog)).toEqual(["Fechar"]);
  });
});

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
