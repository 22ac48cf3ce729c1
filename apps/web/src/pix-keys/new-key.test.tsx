/** A new Pix key: its kinds and its verification code. */
import { errorText } from "@malote/contracts/errors";
import { createPixKey, readPixKey, resendPixKeyCode, verifyPixKey } from "@malote/contracts/pix-keys";
import { act, screen, waitFor } from "@testing-library/react";
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
import { serveKeys } from "../testing/pix-keys.ts";
import { renderApp } from "../testing/render-app.tsx";
import dialogStyles from "../ui/dialog.module.css";

pixKeyPage();

describe("a new key", () => {
  async function openNew() {
    const user = userEvent.setup();
    const keys = serveKeys();
    const app = renderApp(`${page}?chave=nova`);
    const dialog = await dialogOf("Adicionar chave Pix");
    return { user, keys, app, dialog };
  }

  it("PIX-014 PIX-015 PIX-017 PIX-018 PIX-019 PIX-020 PIX-023 offers four kinds, each with its field and its note", async () => {
    const { user, dialog, app } = await openNew();
    expect(dialog.getAllByRole("radio").map((one) => one.closest("label")?.textContent)).toEqual([
      "Celular",
      "CNPJ",
      "E-mail",
      "Chave aleatória",
    ]);
    expect(buttonsOf(dialog)).toEqual(["Cancelar", "Próximo"]);
    const box = screen.getByRole("dialog", { name: "Adicionar chave Pix" }).firstElementChild;
    expect(box?.className.split(" ")).toContain(dialogStyles["lg"]);
    const note = "Enviaremos um código de verificação para confirmar a chave.";
    dialog.getByText(note);
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    dialog.getByText(note);
    await user.click(dialog.getByRole("radio", { name: "CNPJ" }));
    const cnpj = dialog.getByRole<HTMLInputElement>("textbox", { name: "CNPJ" });
    expect([cnpj.readOnly, cnpj.value]).toEqual([true, "12.ABC.345/01DE-35"]);
    dialog.getByText("Só é possível cadastrar o CNPJ da própria empresa.");
    expect(dialog.queryByText(note)).toBeNull();
    await user.click(dialog.getByRole("radio", { name: "Chave aleatória" }));
    const random = dialog.getByRole<HTMLInputElement>("textbox", { name: "Chave aleatória" });
    expect(random.placeholder).toMatch(/^x{8}-x{4}-x{4}-x{4}-x{12}$/);
    expect([random.readOnly, random.value]).toEqual([true, ""]);
    dialog.getByText("Uma chave aleatória será gerada.");
    expect(dialog.queryByText(note)).toBeNull();
    // Nothing was typed, so nothing is asked.
    await user.click(dialog.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(app.address()).toBe(page));
    expect(screen.queryByRole("dialog")).toBeNull();
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
    await user.click(next);
    dialog.getByText("Número de celular inválido");
    await user.type(phone, "1134567890");
    await user.click(next);
    dialog.getByText("Número de celular inválido");
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    expect(dialog.queryByText("E-mail inválido")).toBeNull();
    await user.click(next);
    dialog.getByText("E-mail inválido");
    const email = dialog.getByRole<HTMLInputElement>("textbox", { name: "E-mail" });
    // Cut at the 77 characters of Pix, the last one lacks a complete domain.
    for (const wrong of ["financeiro@", "a@b", `${"a".repeat(70)}@aurora.example`]) {
      await user.clear(email);
      await user.type(email, wrong);
      await user.click(next);
      dialog.getByText("E-mail inválido");
    }
    expect(fakeServer.calls(createPixKey)).toHaveLength(0);
    expect(email.maxLength).toBe(77);

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

  it("PIX-022 PIX-024 sends an address in lower case, and continues with its code", async () => {
    const { user, dialog, keys } = await openNew();
    fakeServer.on(createPixKey, ({ body }) =>
      keys.change(body.id ?? "", { ...unlinked, key: body.key ?? null, status: "VALIDATING" }),
    );
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    await user.type(dialog.getByRole("textbox", { name: "E-mail" }), " Financeiro@AURORA.exemplo ");
    await user.click(dialog.getByRole("button", { name: "Próximo" }));
    const wizard = await dialogOf("Chave Pix");
    await wizard.findByRole("textbox", { name: "Código de verificação" });
    expect(fakeServer.calls(createPixKey)[0]?.body).toMatchObject({
      key_type: "EMAIL",
      key: "financeiro@aurora.exemplo",
    });
  });

  it("PIX-023 PIX-024 sends the company's CNPJ with its kind", async () => {
    const { user, dialog, keys } = await openNew();
    fakeServer.on(createPixKey, ({ body }) =>
      keys.change(body.id ?? "", { ...unlinked, key_type: "CNPJ", key: body.key ?? null, status: "PENDING" }),
    );
    await user.click(dialog.getByRole("radio", { name: "CNPJ" }));
    await user.click(dialog.getByRole("button", { name: "Próximo" }));
    await dialogOf("Chave Pix");
    expect(fakeServer.calls(createPixKey)[0]?.body).toEqual({
      id: expect.any(String),
      key_type: "CNPJ",
      key: "12ABC34501DE35",
    });
  });

  it("PIX-024 repeats the same key on a retry, and creates another one once its content changed", async () => {
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

  it("PIX-051 shows why a key is refused, and keeps what was typed", async () => {
    const { user, dialog } = await openNew();
    fakeServer.on(createPixKey, () => refuse("pix_key_exists"));
    const phone = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.type(phone, "11987654321");
    await user.click(dialog.getByRole("button", { name: "Próximo" }));
    const said = await screen.findByText(errorText("pix_key_exists"));
    expect(said.closest("[role=alert]")).not.toBeNull();
    expect(phone.value).toBe("(11) 98765-4321");
  });

  it("asks before what was typed is dropped, whichever way the form is left", async () => {
    const { user, dialog, app } = await openNew();
    const asked = async () => {
      const question = await dialogOf("Descartar o que foi preenchido?");
      await user.click(question.getByRole("button", { name: "Continuar preenchendo" }));
    };
    await user.click(dialog.getByRole("radio", { name: "E-mail" }));
    const email = dialog.getByRole<HTMLInputElement>("textbox", { name: "E-mail" });
    await user.type(email, "f");
    await user.keyboard("{Escape}");
    await asked();
    expect(email.value).toBe("f");
    await user.clear(email);
    await user.click(dialog.getByRole("radio", { name: "Celular" }));
    const phone = dialog.getByRole<HTMLInputElement>("textbox", { name: "Celular" });
    await user.type(phone, "11987654321");
    const ways = [
      () => user.keyboard("{Escape}"),
      () => user.click(dialog.getByRole("button", { name: "Fechar" })),
      () => user.click(dialog.getByRole("button", { name: "Cancelar" })),
    ];
    for (const leave of ways) {
      await leave();
      await asked();
      expect(phone.value).toBe("(11) 98765-4321");
    }
    await user.keyboard("{Escape}");
    const question = await dialogOf("Descartar o que foi preenchido?");
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await waitFor(() => expect(app.address()).toBe(page));
  });

  it("PIX-024 PIX-025 polls a random key every two seconds until it is linked", async () => {
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
    // Its card is in the list behind the dialog.
    await screen.findByText("Gerando a chave…");
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

  it.each(["PENDING", "PENDING_REMOVAL"] as const)(
    "PIX-025 polls a key in %s while it stays so and its dialog is open",
    async (status) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      const { user, dialog } = await open({ status });
      const reads = () => fakeServer.calls(readPixKey).length;
      const before = reads();
      await act(() => vi.advanceTimersByTimeAsync(80_000));
      expect(reads() - before).toBeGreaterThanOrEqual(39);
      await user.click(dialog.getByRole("button", { name: "Continuar usando a Malote" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      const after = reads();
      await act(() => vi.advanceTimersByTimeAsync(6_000));
      expect(reads()).toBe(after);
    },
  );

  it.each([
    "VALIDATING",
    "REGISTERED",
    "ERROR",
    "WAITING_PORTABILITY",
    "WAITING_CLAIM",
    "WAITING_PORTABILITY_APPROVAL",
    "WAITING_CLAIM_APPROVAL",
  ] as const)("PIX-025 does not poll a key in %s, which waits for a person", async (status) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open({ status });
    const reads = fakeServer.calls(readPixKey).length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(fakeServer.calls(readPixKey)).toHaveLength(reads);
  });
});

describe("the code", () => {
  const validating = {
    ...unlinked,
    status: "VALIDATING",
    key_type: "TELEFONE",
    key: "+5511987654321",
  } as const;

  it("PIX-003 PIX-027 PIX-028 PIX-030 PIX-051 is typed beside the key, must not be empty, and verifies it", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
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
    const code = dialog.getByRole<HTMLInputElement>("textbox", { name: "Código de verificação" });
    expect(code.required).toBe(true);
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    dialog.getByText("Campo obrigatório");
    expect(fakeServer.calls(verifyPixKey)).toHaveLength(0);
    await user.type(code, "000000");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    // The typed code is kept.
    const said = await screen.findByText(
      "Código incorreto. Confira a mensagem que enviamos e digite de novo.",
    );
    expect(said.closest("[role=alert]")).not.toBeNull();
    expect(code).toHaveProperty("value", "000000");
    await user.clear(code);
    await user.type(code, "123456");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    await screen.findAllByText("Vinculando chave");
    expect(keysOf(verifyPixKey)).toEqual([id, id]);
    keys.change(id, { status: "REGISTERED" });
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    await (await dialogOf("Chave Pix")).findByText("Chave vinculada");
  });

  it("PIX-028 is sent whatever it is, unless it is blank", async () => {
    const { user, dialog } = await open(validating);
    fakeServer.on(verifyPixKey, () => refuse("pix_key_code_wrong"));
    const code = dialog.getByRole("textbox", { name: "Código de verificação" });
    await user.type(code, "   ");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    dialog.getByText("Campo obrigatório");
    await user.type(code, "a1");
    await user.click(dialog.getByRole("button", { name: "Finalizar" }));
    await screen.findByText(/^Código incorreto/);
    expect(fakeServer.calls(verifyPixKey).map(({ body }) => body)).toEqual([{ code: "a1" }]);
  });

  it("PIX-009 PIX-027 is typed beside a long address, which is cut, and 'Voltar' closes the form", async () => {
    const { user, dialog, app } = await open({
      ...validating,
      key_type: "EMAIL",
      key: `${"a".repeat(60)}@aurora.exemplo`,
    });
    const key = dialog.getByRole<HTMLInputElement>("textbox", { name: "E-mail" });
    expect([key.readOnly, key.value]).toEqual([true, `${"a".repeat(40)}…`]);
    expect(buttonsOf(dialog)[0]).toBe("Reenviar código de verificação");
    expect(dialog.getByRole("textbox", { name: "Código de verificação" })).toHaveProperty("required", true);
    await user.click(dialog.getByRole("button", { name: "Voltar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(app.address()).toBe(page);
  });

  it("PIX-029 has a delete button beside it only with the permission", async () => {
    const without = await open(validating, only("pix_key_register"));
    expect(buttonsOf(without.dialog)).toEqual(["Reenviar código de verificação", "Voltar", "Finalizar"]);
    without.app.unmount();
    const { dialog } = await open(validating, only("pix_key_register", "pix_key_delete"));
    dialog.getByRole("button", { name: "Excluir chave" });
  });

  it("PIX-029 is neither shown nor resent without the permission to add keys", async () => {
    const { dialog } = await open(validating, only("pix_key_delete"));
    expect(dialog.getAllByRole("textbox")).toEqual([dialog.getByRole("textbox", { name: "Celular" })]);
    expect(buttonsOf(dialog)).toEqual(["Excluir chave", "Voltar"]);
  });

  const isCounting = /^Reenviar código de verificação \(/;

  it("PIX-031 PIX-032 is resent once, then counts down by the second, for as long as the server demands", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user, dialog } = await open(validating);
    fakeServer.on(resendPixKeyCode, () => ({ blockedTime: 0 }));
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    // Checks the first text; a second later it differs.
    const counting = await dialog.findByRole<HTMLButtonElement>("button", { name: isCounting });
    expect([counting.textContent, counting.disabled]).toEqual([
      "Reenviar código de verificação (10 s)",
      true,
    ]);
    screen.getByText("Enviamos um novo código.");
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    dialog.getByRole("button", { name: "Reenviar código de verificação (9 s)" });
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    expect(dialog.getByRole("button", { name: /verificação \(1 s\)$/ })).toHaveProperty("disabled", true);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    fakeServer.on(resendPixKeyCode, () => ({ blockedTime: 60 }));
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    await dialog.findByRole("button", { name: "Reenviar código de verificação (60 s)" });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    dialog.getByRole("button", { name: "Reenviar código de verificação (59 s)" });
    expect(keysOf(resendPixKeyCode)).toEqual([id, id]);
  });

  it("PIX-032 PIX-051 that is requested too soon shows why, and waits as long as the server demands", async () => {
    const { user, dialog } = await open(validating);
    fakeServer.on(resendPixKeyCode, () => refuse("pix_key_code_too_soon", { seconds: 42 }));
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    const waiting = await dialog.findByRole<HTMLButtonElement>("button", { name: isCounting });
    expect([waiting.textContent, waiting.disabled]).toEqual(["Reenviar código de verificação (42 s)", true]);
    await screen.findByText("Aguarde 42 segundos para pedir outro código.");
    expect(screen.queryByText("Enviamos um novo código.")).toBeNull();
  });

  it("PIX-051 that cannot be sent for an unknown reason throws the error on", async () => {
    const { user, dialog } = await open(validating);
    fakeServer.on(resendPixKeyCode, () => refuseWithoutCode());
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await user.click(dialog.getByRole("button", { name: "Reenviar código de verificação" }));
    await screen.findByText("Não foi possível abrir esta página");
    errors.mockRestore();
  });
});
