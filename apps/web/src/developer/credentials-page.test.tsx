import { readCompanySettings } from "@malote/contracts/company";
import {
  type CreatedCredential,
  type Credential,
  createCredential,
  createValidationCredential,
  listCredentials,
  listValidationCredentials,
  revokeCredential,
  revokeValidationCredential,
} from "@malote/contracts/developer";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { forbiddenPath } from "../shell/guards.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { buildCompanySettings, renderApp } from "../testing/render-app.tsx";
import { payments, validation } from "../testing/token.ts";
import { developer } from "./feature.ts";

const address = "/area-do-desenvolvedor/credenciais";
const features = [developer, placeholderScreens("BatchesPage")];
const erp: Credential = {
  id: "0198f000-0000-7000-8000-0000000000c1",
  client_id: "api_0f4b7d1c9a26e853aa11bb22",
  name: "ERP",
  profile: "admin",
  created_at: "2026-11-20T19:42:00.000Z",
  created_by: "Helena Prado",
  last_used_at: null,
};
const folha: Credential = {
  ...erp,
  id: "0198f000-0000-7000-8000-0000000000c2",
  client_id: "api_83c1e69fd05b472a33cc44dd",
  name: "Folha",
  profile: "operator",
  created_by: "Rui Tavares",
  last_used_at: "2026-11-21T12:30:00.000Z",
};
const made: CreatedCredential = { ...erp, client_secret: "sec_umSegredoQueNinguemMaisVe" };

interface Settings {
  hasApiAccess?: boolean;
  apiAccessToken?: string | null;
}

type AppSession = NonNullable<Parameters<typeof renderApp>[1]>["session"];

interface Setup {
  at?: string;
  session?: Exclude<AppSession, null | undefined>;
  settings?: Settings;
  credentials?: Credential[];
}

/** Opens the address, once it is known what the company may do. */
async function open({
  at = address,
  session = {},
  settings = { hasApiAccess: true },
  credentials = [erp, folha],
}: Setup = {}) {
  fakeServer.byDefault(listCredentials, () => ({ data: credentials }));
  const app = renderApp(forbiddenPath, { features, session });
  fakeServer.on(readCompanySettings, () => ({ ...buildCompanySettings(), ...settings }));
  await app.router.navigate({ href: at });
  return app;
}
const title = () => screen.findByRole("heading", { name: "Credenciais de APIs", level: 1 });
const forbidden = async (app: Awaited<ReturnType<typeof open>>) => {
  await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
  expect(app.address()).toBe(forbiddenPath);
};
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name, { selector: "strong" })).closest("tr");
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};

describe("access", () => {
  it("DEV-001 the area redirects to its credentials", async () => {
    const app = await open({ at: "/area-do-desenvolvedor" });
    await title();
    expect(app.address()).toBe(address);
  });

  it("DEV-002 DEV-003 is refused to an analyst", async () => {
    await forbidden(await open({ session: { profile: "analyst" } }));
  });

  it.each(["admin", "operator"] as const)(
    "DEV-002 DEV-003 is refused to an %s whose company may not create credentials",
    async (profile) => {
      await forbidden(await open({ session: { profile, permissions: ["platform_access"] } }));
    },
  );

  it("DEV-002 is open to an operator with the permission", async () => {
    await open({
      session: { profile: "operator", permissions: ["platform_access", "api_credentials_generate"] },
    });
    await title();
  });

  it.each(["admin", "operator"] as const)(
    "DEV-002 DEV-003 without API access, is open to an %s only with the validation application",
    async (profile) => {
      const settings = { hasApiAccess: false };
      const app = await open({ settings, session: { profile } });
      await forbidden(app);
      app.unmount();
      await open({ settings, session: { profile, allowed_applications: [payments, validation] } });
      await title();
    },
  );

  it("SHL-026 SHL-034 shows admins the entry in the side menu and in the profile menu", async () => {
    const user = userEvent.setup();
    const app = await open({ at: "/pagamentos/lotes" });
    const entry = await screen.findByRole("link", { name: "Desenvolvedor" });
    expect(entry.getAttribute("href")).toBe("/area-do-desenvolvedor");
    await user.click(screen.getByRole("button", { name: "Menu de Helena Prado" }));
    await user.click(await screen.findByRole("menuitem", { name: "Desenvolvedor" }));
    await title();
    expect(app.address()).toBe(address);
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-026 SHL-034 SES-051 shows an %s neither this entry nor 'Minha empresa'",
    async (profile) => {
      const user = userEvent.setup();
      await open({ at: "/pagamentos/lotes", session: { profile } });
      await user.click(await screen.findByRole("button", { name: "Menu de Helena Prado" }));
      await screen.findByRole("menuitem", { name: "Sair" });
      for (const name of ["Desenvolvedor", "Minha empresa"]) {
        expect(screen.queryByRole("menuitem", { name })).toBeNull();
        expect(screen.queryByRole("link", { name })).toBeNull();
      }
    },
  );
});

describe("Credenciais de APIs", () => {
  it("DEV-004 DEV-006 lists credentials by their ids, with a way to copy each", async () => {
    await open();
    const row = await rowOf("ERP");
    row.getByText(erp.client_id);
    row.getByText("Administrador");
    row.getByText("Nunca usada");
    row.getByText("por Helena Prado");
    (await rowOf("Folha")).getByText("21/11/2026 09:30");
    const user = userEvent.setup();
    await user.click(row.getByRole("button", { name: "Copiar o identificador de ERP" }));
    expect(await navigator.clipboard.readText()).toBe(erp.client_id);
  });

  it.each<[string, Setup]>([
    ["an admin", {}],
    ["an operator", { session: { profile: "operator" } }],
    ["a person in ContaCerta", { session: { application: validation, allowed_applications: [validation] } }],
    ["a company without credentials", { credentials: [] }],
  ])("DEV-010 DEV-011 states to %s when old keys ended and how long tokens last", async (_who, setup) => {
    fakeServer.on(listValidationCredentials, () => ({ data: [erp] }));
    const app = await open(setup);
    await title();
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    screen.getByText(/Os novos tokens de autenticação expiram a cada 30 minutos\./);
    screen.getByText("As chaves de API no formato antigo precisavam ser migradas até 26/02/2024.");
  });

  it("DEV-006 DEV-007 DEV-008 creates one, shows its secret until the person confirms, and never again", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => made);
    const app = await open({ credentials: [] });
    await screen.findByText("Nenhuma credencial em uso");
    await user.click(screen.getByRole("button", { name: "Nova credencial" }));
    const naming = within(await screen.findByRole("dialog", { name: "Nova credencial" }));
    // The secret shows before the list is read again.
    let answer: () => void = () => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    fakeServer.on(listCredentials, () => isAnswered.then(() => ({ data: [erp] })));
    await user.type(naming.getByLabelText("Nome"), " ERP {Enter}");
    await screen.findByText("Nova credencial de acesso criada com sucesso!");
    expect(fakeServer.calls(createCredential).map(({ body }) => body)).toEqual([{ name: "ERP" }]);

    const shown = within(await screen.findByRole("dialog", { name: "Nova credencial: ERP" }));
    // Leaving the page would lose the secret, so the browser asks.
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    shown.getByText("Ele não será mostrado de novo. Se você o perder, revogue esta credencial e gere outra.");
    for (const [name, text] of [
      ["Identificador (client_id)", made.client_id],
      ["Segredo (client_secret)", made.client_secret],
    ] as const) {
      shown.getByText(text);
      await user.click(shown.getByRole("button", { name: `Copiar ${name}` }));
      expect(await navigator.clipboard.readText()).toBe(text);
    }
    // The dialog cannot be closed by accident.
    await user.keyboard("{Escape}");
    // The navigation is blocked, so its promise never settles.
    void app.router.navigate({ href: "/acesso-negado" });
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    expect(app.address()).toBe(address);
    shown.getByText(made.client_secret);
    answer();
    await user.click(shown.getByRole("button", { name: "Já guardei o segredo" }));
    await rowOf("ERP");
    expect(document.body.innerHTML).not.toContain(made.client_secret);
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toContain(made.client_secret);
  });

  it("sends no name when none was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => made);
    await open();
    await user.click(await screen.findByRole("button", { name: "Nova credencial" }));
    await user.click(await screen.findByRole("button", { name: "Gerar credencial" }));
    await screen.findByRole("dialog", { name: "Nova credencial: ERP" });
    expect(fakeServer.calls(createCredential)[0]?.body).toEqual({});
  });

  it("DEV-008 shows why none was created, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => refuse("credentials_too_many", { max: 20 }));
    await open();
    await user.click(await screen.findByRole("button", { name: "Nova credencial" }));
    const field = await screen.findByLabelText<HTMLInputElement>("Nome");
    await user.type(field, "ERP{Enter}");
    await screen.findByText(
      "Ocorreu um erro ao gerar uma nova credencial: Sua empresa já tem 20 credenciais. Revogue uma que não usa mais.",
    );
    expect(field.value).toBe("ERP");
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Continuar preenchendo" }));
    expect(field.value).toBe("ERP");
    await user.click(screen.getByRole("button", { name: "Cancelar" }));
    await user.click(await screen.findByRole("button", { name: "Descartar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("DEV-008 shows that none was created, also when the refusal names no cause", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => refuseWithoutCode());
    await open();
    await user.click(await screen.findByRole("button", { name: "Nova credencial" }));
    await user.click(await screen.findByRole("button", { name: "Gerar credencial" }));
    await screen.findByText(
      "Ocorreu um erro ao gerar uma nova credencial: Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso.",
    );
  });

  it.each([
    ["Nova credencial", "Nova credencial", createCredential],
    ["Revogar a credencial ERP", "Revogar a credencial ERP?", revokeCredential],
  ] as const)("'%s' is left unchanged by its button, the cross and Escape", async (opener, title, asked) => {
    const user = userEvent.setup();
    await open();
    await rowOf("ERP");
    for (const leave of [
      () => user.click(screen.getByRole("button", { name: "Cancelar" })),
      () => user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Fechar" })),
      () => user.keyboard("{Escape}"),
    ]) {
      await user.click(screen.getByRole("button", { name: opener }));
      await screen.findByRole("dialog", { name: title });
      await leave();
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    }
    expect(fakeServer.calls(asked)).toEqual([]);
  });

  it("shows from when on a new admin may create one", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => refuse("admin_too_new", { until: "13/08/2026 10:00" }));
    await open();
    await user.click(await screen.findByRole("button", { name: "Nova credencial" }));
    await user.click(await screen.findByRole("button", { name: "Gerar credencial" }));
    await screen.findByText(
      "Ocorreu um erro ao gerar uma nova credencial: Seu acesso, sua senha ou sua autenticação em 2 fatores mudou há pouco. A partir de 13/08/2026 10:00 você pode fazer isto; até lá, peça a um administrador com acesso há mais tempo.",
    );
  });

  it("revokes only after a confirmation by name", async () => {
    const user = userEvent.setup();
    fakeServer.on(revokeCredential, () => ({ ok: true as const }));
    await open();
    await user.click((await rowOf("ERP")).getByRole("button", { name: "Revogar a credencial ERP" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Revogar a credencial ERP?" }));
    expect(fakeServer.calls(revokeCredential)).toHaveLength(0);
    fakeServer.on(listCredentials, () => ({ data: [folha] }));
    await user.click(dialog.getByRole("button", { name: "Revogar credencial" }));
    await screen.findByText("A credencial ERP foi revogada.");
    await waitFor(() => expect(screen.queryByText("ERP", { selector: "strong" })).toBeNull());
  });

  it("returns to the question when revoking is refused", async () => {
    const user = userEvent.setup();
    fakeServer.on(revokeCredential, () => refuse("identity_unconfirmed"));
    await open();
    await user.click((await rowOf("ERP")).getByRole("button", { name: "Revogar a credencial ERP" }));
    await user.click(await screen.findByRole("button", { name: "Revogar credencial" }));
    await screen.findByText("Confirme sua senha para continuar.");
    await screen.findByRole("dialog", { name: "Revogar a credencial ERP?" });
    expect(fakeServer.calls(revokeCredential)).toHaveLength(1);
  });

  it("lets an operator revoke credentials of operators, but not of admins", async () => {
    await open({ session: { profile: "operator" } });
    (await rowOf("Folha")).getByRole("button", { name: "Revogar a credencial Folha" });
    expect((await rowOf("ERP")).queryByRole("button", { name: /Revogar/ })).toBeNull();
  });

  it("DEV-009 DEV-010 shows an old key only to companies that have one, and its migration deadline", async () => {
    const app = await open({ settings: { hasApiAccess: true, apiAccessToken: "chave-antiga-123" } });
    await screen.findByText("chave-antiga-123");
    screen.getByText(/precisavam ser migradas até 26\/02\/2024/);
    await userEvent.setup().click(screen.getByRole("button", { name: "Copiar a chave de API antiga" }));
    expect(await navigator.clipboard.readText()).toBe("chave-antiga-123");
    app.unmount();
    await open();
    await rowOf("ERP");
    // Every company reads the deadline; the block shows only to companies with a key.
    screen.getByText("As chaves de API no formato antigo precisavam ser migradas até 26/02/2024.");
    expect(screen.queryByRole("heading", { name: "Chave de API antiga" })).toBeNull();
  });

  it("DEV-005 calls the API of the validation application there", async () => {
    const user = userEvent.setup();
    const mine = { ...erp, name: "Cadastro" };
    fakeServer.on(listValidationCredentials, () => ({ data: [mine] }));
    fakeServer.on(createValidationCredential, () => ({ ...made, name: "Cadastro" }));
    fakeServer.on(revokeValidationCredential, () => ({ ok: true as const }));
    await open({ session: { application: validation, allowed_applications: [payments, validation] } });
    await user.click(
      (await rowOf("Cadastro")).getByRole("button", { name: "Revogar a credencial Cadastro" }),
    );
    await user.click(await screen.findByRole("button", { name: "Revogar credencial" }));
    await waitFor(() =>
      expect(fakeServer.calls(revokeValidationCredential).map(({ params }) => params)).toEqual([
        { id: mine.id },
      ]),
    );
    await user.click(await screen.findByRole("button", { name: "Nova credencial" }));
    await user.click(await screen.findByRole("button", { name: "Gerar credencial" }));
    await screen.findByRole("dialog", { name: "Nova credencial: Cadastro" });
    for (const ofPayments of [listCredentials, createCredential, revokeCredential])
      expect(fakeServer.calls(ofPayments)).toEqual([]);
  });

  it("DEV-005 calls the API of payments for a person with both applications in payments", async () => {
    const user = userEvent.setup();
    fakeServer.on(createCredential, () => made);
    fakeServer.on(revokeCredential, () => ({ ok: true as const }));
    await open({ session: { allowed_applications: [payments, validation] } });
    await user.click((await rowOf("Folha")).getByRole("button", { name: "Revogar a credencial Folha" }));
    await user.click(await screen.findByRole("button", { name: "Revogar credencial" }));
    await screen.findByText("A credencial Folha foi revogada.");
    expect(fakeServer.calls(revokeCredential).map(({ params }) => params)).toEqual([{ id: folha.id }]);
    await user.click(screen.getByRole("button", { name: "Nova credencial" }));
    await user.click(await screen.findByRole("button", { name: "Gerar credencial" }));
    await screen.findByRole("dialog", { name: "Nova credencial: ERP" });
    expect(fakeServer.calls(createCredential)).toHaveLength(1);
  });

  it("reports that the credentials could not be loaded, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(listCredentials, () => refuse("internal"));
    await open();
    await screen.findByText("Não foi possível carregar as credenciais");
    fakeServer.on(listCredentials, () => ({ data: [erp] }));
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await rowOf("ERP");
  });
});
