/** Details of a person: what an admin changes, removes and resets. */
import { readCheckpoint, readCompanySettings } from "@malote/contracts/company";
import { changeUser, readUser, removeUser, resetTwoFactor, sendPasswordLink } from "@malote/contracts/users";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { keepSession } from "../shell/session-keeper.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { payments, validation } from "../testing/token.ts";
import {
  address,
  both,
  buildUser,
  dialog,
  features,
  helena,
  openRow,
  own,
  rui,
  serve,
} from "../testing/users.ts";

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(readUser, ({ params }) => (params["id"] === own ? helena : rui));
  serve([helena, rui]);
});

describe("a user", () => {
  it("COM-022 opens its details over the whole screen from its row, by their address", async () => {
    const app = renderApp(address, { features, session: both });
    await openRow("Rui Tavares");
    const form = await dialog("Rui Tavares");
    // e2e/company.spec.ts measures the screen in a browser.
    expect(screen.getByRole("dialog").getAttribute("data-place")).toBe("full");
    expect(fakeServer.calls(readUser).map(({ params }) => params)).toEqual([{ id: rui.id }]);
    form.getByText("rui@aurora.exemplo");
    expect(app.address()).toBe(`${address}?usuario=${rui.id}`);
    expect(form.getByRole<HTMLInputElement>("radio", { name: /Operador/ }).checked).toBe(true);
    expect(form.getByRole<HTMLInputElement>("checkbox", { name: "Pagamentos" }).checked).toBe(true);
    expect(form.getByRole<HTMLInputElement>("checkbox", { name: "ContaCerta" }).checked).toBe(false);
  });

  it("COM-022 opens by a click anywhere in its row", async () => {
    renderApp(address, { features, session: both });
    await userEvent.click(await screen.findByText("rui@aurora.exemplo"));
    await dialog("Rui Tavares");
  });

  it("COM-023 changes profile and applications, and reports success", async () => {
    // From then on the server reports the new access.
    const changed = buildUser({ profile: "analyst", applications: [payments, validation] });
    fakeServer.on(changeUser, () => {
      fakeServer.on(readUser, () => changed);
      return changed;
    });
    renderApp(address, { features, session: both });
    const user = await openRow("Rui Tavares");
    const form = await dialog("Rui Tavares");
    expect(form.getByRole<HTMLButtonElement>("button", { name: "Salvar" }).disabled).toBe(true);
    await user.click(form.getByRole("radio", { name: /Analista/ }));
    await user.click(form.getByRole("checkbox", { name: "ContaCerta" }));
    await user.click(form.getByRole("button", { name: "Salvar" }));
    await screen.findByText("Perfil do usuário alterado com sucesso!");
    expect(fakeServer.calls(changeUser).map(({ params, body }) => [params, body])).toEqual([
      [{ id: rui.id }, { profile: "analyst", applications: ["payments", "validation"] }],
    ]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("COM-023 saves no user without a product, and says so", async () => {
    renderApp(address, { features, session: both });
    const user = await openRow("Rui Tavares");
    const form = await dialog("Rui Tavares");
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    await user.click(form.getByRole("button", { name: "Salvar" }));
    await form.findAllByText("Escolha ao menos um produto");
    expect(fakeServer.calls(changeUser)).toEqual([]);
  });

  it("COM-023 keeps the choice when the server refuses, and shows why", async () => {
    fakeServer.on(changeUser, () => refuse("user_beyond_yours"));
    renderApp(address, { features, session: both });
    const user = await openRow("Rui Tavares");
    const form = await dialog("Rui Tavares");
    await user.click(form.getByRole("radio", { name: /Analista/ }));
    await user.click(form.getByRole("button", { name: "Salvar" }));
    await screen.findByText(/produtos que você usa/);
    expect(form.getByRole<HTMLInputElement>("radio", { name: /Analista/ }).checked).toBe(true);
    await user.click(form.getByRole("button", { name: "Fechar" }));
    await dialog("Descartar o que foi preenchido?");
  });

  it("COM-024 asks by name before removing, and reports success", async () => {
    fakeServer.on(removeUser, () => ({ ok: true as const }));
    renderApp(address, { features, session: both });
    const user = await openRow("Rui Tavares");
    const form = await dialog("Rui Tavares");
    await user.click(form.getByRole("button", { name: "Remover usuário" }));
    const asked = await dialog("Remover o usuário Rui Tavares?");
    await user.click(asked.getByRole("button", { name: "Cancelar" }));
    expect(fakeServer.calls(removeUser)).toEqual([]);
    await user.click(form.getByRole("button", { name: "Remover usuário" }));
    await user.click(
      (await dialog("Remover o usuário Rui Tavares?")).getByRole("button", { name: "Remover usuário" }),
    );
    await screen.findByText("Usuário removido com sucesso!");
    expect(fakeServer.calls(removeUser).map(({ params }) => params)).toEqual([{ id: rui.id }]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("COM-025 opens the reader's own record read-only", async () => {
    renderApp(address, { features, session: both });
    await openRow("Helena Prado");
    const form = await dialog("Helena Prado");
    form.getByText(/Este é o seu usuário/);
    for (const control of [
      ...form.getAllByRole<HTMLInputElement>("radio"),
      ...form.getAllByRole<HTMLInputElement>("checkbox"),
    ])
      expect(control.disabled).toBe(true);
    for (const name of ["Salvar", "Remover usuário", "Enviar link para nova senha", "Desativar os 2 fatores"])
      expect(form.queryByRole("button", { name })).toBeNull();
  });

  it("opens read-only when the user has a product that the admin does not use", async () => {
    fakeServer.on(readUser, () => buildUser({ applications: [payments, validation] }));
    renderApp(`${address}?usuario=${rui.id}`, { features });
    const form = await dialog("Rui Tavares");
    form.getByText(/usa um produto que você não usa/);
    expect(form.queryByRole("button", { name: "Salvar" })).toBeNull();
  });

  it("receives a link for a password, and the page shows the address", async () => {
    fakeServer.on(sendPasswordLink, () => ({ ok: true as const }));
    fakeServer.on(readUser, () => buildUser({ has_password: false }));
    renderApp(`${address}?usuario=${rui.id}`, { features, session: both });
    const form = await dialog("Rui Tavares");
    form.getByText(/Ainda não criou a senha/);
    await userEvent.click(form.getByRole("button", { name: "Enviar novo link" }));
    await screen.findByText("Link enviado para rui@aurora.exemplo");
    expect(fakeServer.calls(sendPasswordLink)).toHaveLength(1);
  });

  it.each([
    ["Desativar os 2 fatores", "Desativar os 2 fatores de Rui Tavares?", resetTwoFactor],
    ["Remover usuário", "Remover o usuário Rui Tavares?", removeUser],
  ] as const)("stays at the question of %s when the password is not given", async (button, title, asked) => {
    const user = userEvent.setup();
    const stop = keepSession();
    onTestFinished(stop);
    fakeServer.on(asked, () => refuse("identity_unconfirmed"));
    fakeServer.on(readUser, () => buildUser({ has_two_factor_enabled: true }));
    renderApp(`${address}?usuario=${rui.id}`, { features, session: both });
    await user.click(await (await dialog("Rui Tavares")).findByRole("button", { name: button }));
    const question = await dialog(title);
    const confirm = question.getByRole("button", { name: button });
    await user.click(confirm);
    await user.click((await dialog("Confirme que é você")).getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(confirm.getAttribute("aria-busy")).not.toBe("true"));
    expect(screen.queryByRole("dialog", { name: title })).not.toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(fakeServer.calls(asked)).toHaveLength(1);
  });

  it("without phone and recovery codes gets the second factor removed, after a question", async () => {
    const user = userEvent.setup();
    fakeServer.on(resetTwoFactor, () => ({ ok: true as const }));
    fakeServer.on(readUser, () => buildUser({ has_two_factor_enabled: true }));
    renderApp(`${address}?usuario=${rui.id}`, { features, session: both });
    const form = await dialog("Rui Tavares");
    await user.click(form.getByRole("button", { name: "Desativar os 2 fatores" }));
    const question = within(
      await screen.findByRole("dialog", { name: "Desativar os 2 fatores de Rui Tavares?" }),
    );
    expect(fakeServer.calls(resetTwoFactor)).toHaveLength(0);
    await user.click(question.getByRole("button", { name: "Desativar os 2 fatores" }));
    await screen.findByText("Autenticação em 2 fatores desativada!");
    expect(fakeServer.calls(resetTwoFactor)).toHaveLength(1);
  });

  it("shows a message when the user is gone", async () => {
    fakeServer.on(readUser, () => refuse("not_found"));
    renderApp(`${address}?usuario=${rui.id}`, { features });
    await (await dialog("Usuário")).findByRole("heading", { name: "Não foi possível abrir este usuário" });
    expect(fakeServer.calls(readCompanySettings).length).toBeGreaterThan(0);
  });
});
