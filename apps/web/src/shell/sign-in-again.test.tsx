import { type Batch, createBatch, listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { authorize, logout } from "@malote/contracts/session";
import { readValidationCompanySettings } from "@malote/contracts/validation";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { call, errorSentence } from "./call.ts";
import type { Feature } from "./feature.ts";
import { readToken } from "./session.ts";
import { keepSession } from "./session-keeper.ts";
import { useUnsavedWork } from "./unsaved-work.ts";

const create = (name: string) =>
  call(createBatch, { body: { id: "0198f000-0000-7000-8000-00000000000a", name, type: "TRANSFER" } });
const createTwo = (name: string) => Promise.all([create(name), create(`${name}, resto`)]);

function Desk({ send }: { send: (name: string) => Promise<unknown> }) {
  const [name, setName] = useState("");
  useUnsavedWork(name !== "");
  const save = () =>
    send(name).then(
      () => toast.good("Salvo"),
      (error) => toast.bad(errorSentence(error) ?? ""),
    );
  return (
    <>
      <h1>Mesa</h1>
      <TextField label="Nome" value={name} onChange={(event) => setName(event.currentTarget.value)} />
      <Button onClick={() => void save()}>Salvar</Button>
    </>
  );
}

const desk: Feature = {
  pages: [
    {
      path: "/pagamentos/mesa",
      title: "Mesa",
      application: "payments",
      load: async () => ({ default: () => <Desk send={create} /> }),
    },
    {
      path: "/pagamentos/duas",
      title: "Mesa",
      application: "payments",
      load: async () => ({ default: () => <Desk send={createTwo} /> }),
    },
    {
      path: "/contacerta/mesa",
      title: "Mesa",
      application: "validation",
      load: async () => ({ default: () => <Desk send={() => call(readValidationCompanySettings)} /> }),
    },
  ],
};

const fresh = buildToken({ jti: "0198f000-0000-7000-8000-0000000000ff" });
const granted = { access_token: fresh, token_type: "Bearer" as const, expires_in: 1800 };

let stop: () => void = () => undefined;
beforeEach(() => {
  stop();
  stop = keepSession();
  // Accepts only the fresh token.
  fakeServer.on(createBatch, ({ headers }) =>
    headers.get("authorization") === `Bearer ${fresh}` ? made : refuse("not_authenticated"),
  );
});

const made: Batch = {
  id: "0198f000-0000-7000-8000-00000000000a",
  name: "Folha de novembro",
  type: "TRANSFER",
  status: "DRAFT",
  value: 0,
  created_at: "2026-11-20T19:42:00.000Z",
  created_by: { id: null, name: "Rui" },
  received_date: null,
  finish_date: null,
  returned_date: null,
  reconciled: false,
  cancel_requested_at: null,
  is_canceled: false,
  was_imported: false,
  has_failed_or_returned_transfers: false,
  received_bank_account: null,
  spreadsheet_file_name: null,
  sheet_id: null,
  revision: 1,
  payments_count: 0,
  errors_count: 0,
  paid_count: 0,
  failed_count: 0,
  returned_count: 0,
  reprove_reason: null,
  sent_back_by: null,
  waiting_reason: null,
};

async function typeAndSave(address = "/pagamentos/mesa", session = {}) {
  const user = userEvent.setup();
  const app = renderApp(address, { features: [desk], session });
  await user.type(await screen.findByLabelText("Nome"), "Folha de novembro");
  await user.click(screen.getByRole("button", { name: "Salvar" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Sua sessão expirou" }));
  return { user, app, dialog };
}

describe("a session that ends while the person types", () => {
  it("SES-062 keeps what was typed and repeats the refused call after signing in", async () => {
    fakeServer.on(authorize, () => granted);
    const { user, app, dialog } = await typeAndSave();
    await user.type(dialog.getByLabelText("Senha"), "Malote-2026!{Enter}");
    await screen.findByText("Salvo");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect((screen.getByLabelText("Nome") as HTMLInputElement).value).toBe("Folha de novembro");
    expect(fakeServer.calls(createBatch).map(({ body }) => body)).toEqual([
      { id: made.id, name: "Folha de novembro", type: "TRANSFER" },
      { id: made.id, name: "Folha de novembro", type: "TRANSFER" },
    ]);
    expect(app.leftTo).toEqual([]);
  });

  it("SES-062 asks once for two calls that are refused together, and repeats both", async () => {
    fakeServer.on(authorize, () => granted);
    const { user, dialog } = await typeAndSave("/pagamentos/duas");
    await user.type(dialog.getByLabelText("Senha"), "Malote-2026!{Enter}");
    await screen.findByText("Salvo");
    expect(fakeServer.calls(authorize)).toHaveLength(1);
    const { id } = made;
    const names = ["Folha de novembro", "Folha de novembro, resto"];
    const two = names.map((name) => ({ id, name, type: "TRANSFER" }));
    expect(fakeServer.calls(createBatch).map(({ body }) => body)).toEqual([...two, ...two]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("SES-062 asks for the second factor too", async () => {
    fakeServer.on(authorize, ({ body }) =>
      body.grant_type === "second_factor"
        ? granted
        : { second_factor: { challenge: "challenge-of-at-least-some-length", expires_in: 300 } },
    );
    const { user, dialog } = await typeAndSave();
    await user.type(dialog.getByLabelText("Senha"), "Malote-2026!{Enter}");
    await user.type(await dialog.findByLabelText("Código de 6 números"), "123456");
    await screen.findByText("Salvo");
    expect((screen.getByLabelText("Nome") as HTMLInputElement).value).toBe("Folha de novembro");
  });

  it("SES-062 signs in again for the application of the page, though a sign-in opens payments", async () => {
    const both = { allowed_applications: [payments, validation] };
    const ofPayments = buildToken({ ...both, jti: "0198f000-0000-7000-8000-0000000000fd" });
    const ofValidation = buildToken({
      ...both,
      application: validation,
      jti: "0198f000-0000-7000-8000-0000000000fe",
    });
    fakeServer.on(authorize, ({ body }) => ({
      ...granted,
      access_token: body.grant_type === "refresh_token" ? ofValidation : ofPayments,
    }));
    fakeServer.on(readValidationCompanySettings, ({ headers }) =>
      headers.get("authorization") === `Bearer ${ofValidation}`
        ? { uses_basic_validation: true, uses_micro_deposit: true }
        : refuse("not_authenticated"),
    );
    const { user, dialog } = await typeAndSave("/contacerta/mesa", { ...both, application: validation });
    await user.type(dialog.getByLabelText("Senha"), "Malote-2026!{Enter}");
    await screen.findByText("Salvo");
    expect((screen.getByLabelText("Nome") as HTMLInputElement).value).toBe("Folha de novembro");
    expect(fakeServer.calls(readValidationCompanySettings)).toHaveLength(2);
    expect(fakeServer.calls(authorize).map(({ body }) => body)).toEqual([
      { grant_type: "password", email: "helena@aurora.exemplo", password: "Malote-2026!" },
      { grant_type: "refresh_token", refresh_token: ofPayments, scope: "validation" },
    ]);
    expect(readToken()).toBe(ofValidation);
  });

  it("SES-062 refuses to send the form of the first person for another one", async () => {
    const other = buildToken({ sub: "0198f000-0000-7000-8000-0000000000aa" });
    fakeServer.on(authorize, () => ({ ...granted, access_token: other }));
    const { user, dialog } = await typeAndSave();
    await user.type(dialog.getByLabelText("Senha"), "Malote-2026!{Enter}");
    await dialog.findByText("Entre com o mesmo usuário que estava usando esta página.");
    expect(readToken()).not.toBe(other);
    expect(fakeServer.calls(createBatch)).toHaveLength(1);
  });

  it("SES-062 requires an answer: Escape does not close it, and leaving opens the login site", async () => {
    const { user, app, dialog } = await typeAndSave();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeNull();
    await user.click(dialog.getByRole("button", { name: "Sair sem salvar" }));
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
  });

  it("SES-039 logging out leaves at once, though text was typed and the session has ended", async () => {
    fakeServer.on(logout, () => refuse("not_authenticated"));
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/mesa", { features: [desk] });
    await user.type(await screen.findByLabelText("Nome"), "Folha de novembro");
    await user.click(screen.getByRole("link", { name: "Sair" }));
    await waitFor(() => expect(app.leftTo).toEqual(["/entrar"]));
    expect(readToken()).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(fakeServer.calls(logout)).toHaveLength(1);
  });

  it("SES-062 opens the login site at once when nothing was typed", async () => {
    fakeServer.on(listBatches, () => refuse("not_authenticated"));
    fakeServer.on(readBatchesBlankslate, () => refuse("not_authenticated"));
    const app = renderApp("/pagamentos/lotes");
    await waitFor(() => expect(app.leftTo).toContain("/entrar?motivo=fim"));
  });
});
