/** Users as an admin without payments manages them. */
import { readCheckpoint } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import {
  changeUser,
  changeValidationUser,
  createUser,
  createValidationUser,
  listUsers,
  listValidationUsers,
  readUser,
  readValidationUser,
  removeUser,
  removeValidationUser,
  resetTwoFactor,
  resetValidationTwoFactor,
  sendPasswordLink,
  sendValidationPasswordLink,
  type User,
} from "@malote/contracts/users";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { validation } from "../testing/token.ts";
import { address, buildUser, dialog, features, helena, openRow, rui } from "../testing/users.ts";

it("COM-016 every call of the screens uses the API of the validation application", async () => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  const user = userEvent.setup();
  const tomas = buildUser({ has_two_factor_enabled: true, applications: [validation] });
  const answers: User[] = [{ ...helena, applications: [validation] }, tomas];
  fakeServer.on(listValidationUsers, () => ({
    data: answers,
    metadata: { pagination: { itemsPerPage: 20, totalItems: 2 } },
  }));
  fakeServer.on(readValidationUser, () => tomas);
  fakeServer.on(changeValidationUser, () => tomas);
  fakeServer.on(sendValidationPasswordLink, () => ({ ok: true as const }));
  fakeServer.on(resetValidationTwoFactor, () => ({ ok: true as const }));
  fakeServer.on(removeValidationUser, () => ({ ok: true as const }));
  fakeServer.on(createValidationUser, ({ body }) => buildUser({ name: body.name, email: body.email }));
  renderApp(`${address}?busca=rui&produto=validation&perfil=operator`, {
    features,
    session: { application: validation, allowed_applications: [validation] },
  });
  await user.click(await screen.findByRole("button", { name: "Criar usuário" }));
  const fresh = await dialog("Criar usuário");
  await user.type(fresh.getByLabelText("Nome completo"), "Davi Rocha");
  await user.type(fresh.getByLabelText("E-mail"), "davi@aurora.exemplo");
  await user.click(fresh.getByRole("checkbox", { name: "ContaCerta" }));
  await user.click(fresh.getByRole("radio", { name: /Operador/ }));
  await user.click(fresh.getByRole("button", { name: "Criar usuário" }));
  await screen.findByText("Usuário criado com sucesso!");

  await openRow(rui.name);
  const details = await dialog(rui.name);
  await user.click(details.getByRole("button", { name: "Enviar link para nova senha" }));
  await screen.findByText(`Link enviado para ${rui.email}`);
  await user.click(details.getByRole("button", { name: "Desativar os 2 fatores" }));
  const question = await dialog(`Desativar os 2 fatores de ${rui.name}?`);
  await user.click(question.getByRole("button", { name: "Desativar os 2 fatores" }));
  await screen.findByText("Autenticação em 2 fatores desativada!");
  await user.click(details.getByRole("radio", { name: /Analista/ }));
  await user.click(details.getByRole("button", { name: "Salvar" }));
  await screen.findByText("Perfil do usuário alterado com sucesso!");

  await openRow(rui.name);
  await user.click((await dialog(rui.name)).getByRole("button", { name: "Remover usuário" }));
  const asked = await dialog(`Remover o usuário ${rui.name}?`);
  await user.click(asked.getByRole("button", { name: "Remover usuário" }));
  await screen.findByText("Usuário removido com sucesso!");

  const called = (call: Contract) => fakeServer.calls(call).map(({ params, body }) => [params, body]);
  const ofRui = [{ id: rui.id }, null];
  expect(fakeServer.calls(listValidationUsers)[0]?.query).toEqual({
    page: "0",
    search: "rui",
    application: "validation",
    profile: "operator",
  });
  expect(called(readValidationUser)[0]).toEqual(ofRui);
  expect(fakeServer.calls(createValidationUser).map(({ body }) => body)).toEqual([
    {
      name: "Davi Rocha",
      email: "davi@aurora.exemplo",
      profile: "operator",
      applications: ["validation"],
    },
  ]);
  expect(called(changeValidationUser)).toEqual([
    [{ id: rui.id }, { profile: "analyst", applications: ["validation"] }],
  ]);
  for (const call of [sendValidationPasswordLink, resetValidationTwoFactor, removeValidationUser])
    expect(called(call), call.id).toEqual([ofRui]);
  for (const call of [
    listUsers,
    readUser,
    createUser,
    changeUser,
    sendPasswordLink,
    resetTwoFactor,
    removeUser,
  ])
    expect(fakeServer.calls(call), call.id).toEqual([]);
});

it("COM-012 COM-016 its pages are numbered, and each is read by its own number", async () => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(listValidationUsers, ({ query }) => ({
    data: [query["page"] === "1" ? rui : helena],
    metadata: { pagination: { itemsPerPage: 20, totalItems: 21 } },
  }));
  const session = { application: validation, allowed_applications: [validation] };
  const app = renderApp(address, { features, session });
  await userEvent.click(await screen.findByRole("button", { name: "Página 2" }));
  await waitFor(() => expect(fakeServer.calls(listValidationUsers).at(-1)?.query).toEqual({ page: "1" }));
  await screen.findByText(rui.email);
  expect(app.address()).toBe(`${address}?pagina=2`);
});
