import { readCheckpoint } from "@malote/contracts/company";
import { createUser, listUsers, listValidationUsers, readUser } from "@malote/contracts/users";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { forbiddenPath } from "../shell/guards.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { validation } from "../testing/token.ts";
import { address, both, buildUser, dialog, features, helena, own, rui, serve } from "../testing/users.ts";

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(readUser, ({ params }) => (params["id"] === own ? helena : rui));
  serve([helena, rui]);
});

describe("the list", () => {
  it("COM-012 COM-013 shows its columns, with security and products in words", async () => {
    renderApp(address, { features, session: both });
    const table = within(await screen.findByRole("table", { name: "Usuários da empresa" }));
    const headings = ["Nome", "E-mail", "Segurança", "Perfil", "Produtos"];
    expect(table.getAllByRole("columnheader").map((cell) => cell.textContent)).toEqual(headings);
    const lines = table.getAllByRole("row").slice(1);
    const cells = (line: HTMLElement | undefined) =>
      within(line as HTMLElement)
        .getAllByRole("cell")
        .map((cell, at) => cell.textContent?.slice(headings[at]?.length));
    expect(cells(lines[0])).toEqual([
      "Helena Prado",
      "helena@aurora.exemplo",
      "2FA ativada",
      "Administrador",
      "Pagamentos, ContaCerta",
    ]);
    expect(cells(lines[1]).slice(2)).toEqual(["2FA desativada", "Operador", "Pagamentos"]);
  });

  it("COM-015 the filters are sent and kept in the address, and the pages are numbered", async () => {
    serve([rui], 45);
    const user = userEvent.setup();
    const app = renderApp(address, { features, session: both });
    const search = await screen.findByRole("searchbox", { name: "Nome ou e-mail" });
    const table = await screen.findByRole("table", { name: "Usuários da empresa" });
    for (const filter of [search, ...screen.getAllByRole("button", { name: /: Todos os / })])
      expect(filter.compareDocumentPosition(table)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    await user.type(search, "rui{Enter}");
    await user.click(screen.getByRole("button", { name: "Produto: Todos os produtos" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "ContaCerta" }));
    await user.click(screen.getByRole("button", { name: "Perfil: Todos os perfis" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Operador" }));
    await user.click(await screen.findByRole("button", { name: "Página 2" }));
    await waitFor(() =>
      expect(fakeServer.calls(listUsers).at(-1)?.query).toEqual({
        page: "1",
        search: "rui",
        application: "validation",
        profile: "operator",
      }),
    );
    expect(app.address()).toBe(`${address}?busca=rui&produto=validation&perfil=operator&pagina=2`);
    // Another filter starts at its first page.
    await user.click(screen.getByRole("button", { name: "Perfil: Operador" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Analista" }));
    await waitFor(() => expect(app.address()).toBe(`${address}?busca=rui&produto=validation&perfil=analyst`));
    await user.click(await screen.findByRole("button", { name: "Página 2" }));
    await user.click(screen.getByRole("button", { name: "Produto: ContaCerta" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Pagamentos" }));
    await waitFor(() => expect(app.address()).toBe(`${address}?busca=rui&produto=payments&perfil=analyst`));
    await user.click(await screen.findByRole("button", { name: "Página 2" }));
    await user.type(search, "s{Enter}");
    await waitFor(() => expect(app.address()).toBe(`${address}?busca=ruis&produto=payments&perfil=analyst`));
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe(address));
  });

  it("COM-015 a page that no longer exists redirects to the last one", async () => {
    fakeServer.on(listUsers, ({ query }) => ({
      data: query["page"] === "1" ? [rui] : [],
      metadata: { pagination: { itemsPerPage: 20, totalItems: 21 } },
    }));
    const app = renderApp(`${address}?pagina=9`, { features, session: both });
    await screen.findByRole("button", { name: "Abrir o usuário Rui Tavares" });
    expect(app.address()).toBe(`${address}?pagina=2`);
  });

  it("reports that no person was found, and that the list cannot be loaded", async () => {
    serve([]);
    const app = renderApp(`${address}?busca=xyz`, { features });
    await screen.findByRole("heading", { name: "Nenhum usuário encontrado" });
    app.unmount();
    fakeServer.on(listUsers, () => refuse("internal"));
    renderApp(address, { features });
    await screen.findByRole("heading", { name: "Não foi possível carregar os usuários" });
    screen.getByRole("button", { name: "Tentar de novo" });
  });

  it("SES-070 shows above the people that they could not be read again", async () => {
    const { queryClient } = renderApp(address, { features });
    await screen.findByRole("table", { name: "Usuários da empresa" });
    fakeServer.on(listUsers, () => refuse("internal"));
    await act(() => queryClient.refetchQueries());
    await screen.findByText("Não foi possível carregar os usuários");
    screen.getByRole("table", { name: "Usuários da empresa" });
  });

  it("COM-016 COM-017 redirects to the first steps while they are missing, in the payments application only", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    const fresh = {
      id: "0198f000-0000-7000-8000-00000000c0c0",
      name: "Nova",
      cpfCnpj: "1",
      acceptedContract: true,
    };
    const app = renderApp(address, { features, session: { ...both, company: fresh } });
    await screen.findByRole("heading", { name: "FirstStepsPage" });
    expect(app.address()).toBe(`/pagamentos/primeiros-passos?redirectedFrom=${encodeURIComponent(address)}`);
    app.unmount();
    fakeServer.on(listValidationUsers, () => ({
      data: [helena],
      metadata: { pagination: { itemsPerPage: 20, totalItems: 1 } },
    }));
    const inValidation = { allowed_applications: [validation], application: validation };
    renderApp(address, { features, session: { ...inValidation, company: fresh } });
    await screen.findByRole("table", { name: "Usuários da empresa" });
  });

  it("COM-002 refuses an operator also while the first steps are missing", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    const app = renderApp(address, { features, session: { profile: "operator" } });
    await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
    expect(app.address()).toBe(forbiddenPath);
  });
});

describe("creating a user", () => {
  const fill = async () => {
    const user = userEvent.setup();
    renderApp(address, { features, session: both });
    await user.click(await screen.findByRole("button", { name: "Criar usuário" }));
    return { user, form: await dialog("Criar usuário") };
  };

  it("COM-018 is offered only with the permission user_create", async () => {
    const app = renderApp(`${address}?usuario=novo`, {
      features,
      session: { permissions: ["platform_access", "account_create"] },
    });
    await screen.findByRole("table", { name: "Usuários da empresa" });
    expect(screen.queryByRole("button", { name: "Criar usuário" })).toBeNull();
    expect(screen.queryByRole("dialog", { name: "Criar usuário" })).toBeNull();
    app.unmount();
    renderApp(address, { features, session: { permissions: ["platform_access", "user_create"] } });
    await screen.findByRole("button", { name: "Criar usuário" });
  });

  it("COM-018 is offered without payments too, only with the permission", async () => {
    fakeServer.on(listValidationUsers, () => ({
      data: [helena],
      metadata: { pagination: { itemsPerPage: 20, totalItems: 1 } },
    }));
    const openWith = async (permission: string) => {
      const app = renderApp(address, {
        features,
        session: {
          application: validation,
          allowed_applications: [validation],
          permissions: ["platform_access", permission],
        },
      });
      await screen.findByRole("table", { name: "Usuários da empresa" });
      return app;
    };
    const app = await openWith("account_create");
    expect(screen.queryByRole("button", { name: "Criar usuário" })).toBeNull();
    app.unmount();
    await openWith("user_create");
    screen.getByRole("button", { name: "Criar usuário" });
  });

  it("COM-019 shows every problem at once, and asks for the profile once an application is chosen", async () => {
    const { user, form } = await fill();
    expect(form.getByRole<HTMLInputElement>("radio", { name: /Operador/ }).disabled).toBe(true);
    await user.type(form.getByLabelText("Nome completo"), "Davi");
    await user.click(form.getByRole("button", { name: "Criar usuário" }));
    const alert = await form.findByRole("alert");
    expect(
      within(alert)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["O nome deve ter no mínimo 2 palavras", "Digite o e-mail", "Escolha ao menos um produto"]);
    await user.type(form.getByLabelText("Nome completo"), " Rocha");
    await user.type(form.getByLabelText("E-mail"), "davi");
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    await user.click(form.getByRole("button", { name: "Criar usuário" }));
    expect(
      within(await form.findByRole("alert"))
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["Digite um e-mail válido, como nome@empresa.com.br.", "Escolha o perfil"]);
    expect(fakeServer.calls(createUser)).toEqual([]);
  });

  it("COM-020 SES-057 describes each profile for the chosen applications", async () => {
    const { user, form } = await fill();
    const described = () =>
      form.getAllByRole("radio").map((one) => {
        const [name, description] = one.closest("label")?.querySelectorAll("span > span") ?? [];
        return [name?.textContent, description?.textContent];
      });
    await user.click(form.getByRole("checkbox", { name: "ContaCerta" }));
    form.getByRole("radio", { name: "Operador Pode fazer validações de dados." });
    expect(described()).toEqual([
      ["Administrador", "Pode gerenciar os dados da empresa e fazer validações de dados."],
      ["Operador", "Pode fazer validações de dados."],
      ["Analista", "Pode apenas visualizar validações de dados."],
    ]);
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    expect(described()).toEqual([
      [
        "Administrador",
        "Pode gerenciar os dados da empresa, criar, editar e aprovar pagamentos, e fazer validações de dados.",
      ],
      ["Operador", "Pode criar, editar e enviar pagamentos para aprovação, e fazer validações de dados."],
      ["Analista", "Pode apenas visualizar pagamentos, indicadores e validações de dados."],
    ]);
  });

  it("COM-021 sends what was typed, reports success, and reads the list again", async () => {
    fakeServer.on(createUser, ({ body }) =>
      buildUser({ name: body.name, email: body.email, has_password: false }),
    );
    const { user, form } = await fill();
    await user.type(form.getByLabelText("Nome completo"), "Davi Rocha");
    await user.type(form.getByLabelText("E-mail"), " davi@aurora.exemplo ");
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    await user.click(form.getByRole("checkbox", { name: "ContaCerta" }));
    await user.click(form.getByRole("radio", { name: /Operador/ }));
    const asked = fakeServer.calls(listUsers).length;
    await user.dblClick(form.getByRole("button", { name: "Criar usuário" }));
    await screen.findByText("Usuário criado com sucesso!");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(fakeServer.calls(createUser).map(({ body }) => body)).toEqual([
      {
        name: "Davi Rocha",
        email: "davi@aurora.exemplo",
        profile: "operator",
        applications: ["payments", "validation"],
      },
    ]);
    await waitFor(() => expect(fakeServer.calls(listUsers).length).toBeGreaterThan(asked));
  });

  it("keeps what was typed when the e-mail is taken, and shows the refusal at the field", async () => {
    fakeServer.on(createUser, () => refuse("user_email_taken"));
    const { user, form } = await fill();
    await user.type(form.getByLabelText("Nome completo"), "Davi Rocha");
    await user.type(form.getByLabelText("E-mail"), "marcos@horizonte.exemplo");
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    await user.click(form.getByRole("radio", { name: /Analista/ }));
    await user.click(form.getByRole("button", { name: "Criar usuário" }));
    await form.findByRole("alert");
    const email = form.getByLabelText<HTMLInputElement>("E-mail");
    expect(email.getAttribute("aria-invalid")).toBe("true");
    expect(email.value).toBe("marcos@horizonte.exemplo");
    expect(form.getAllByText(/já está em uso/)).toHaveLength(2);
    // A refusal without a field is shown beside the form.
    fakeServer.on(createUser, () => refuseWithoutCode());
    await user.click(form.getByRole("button", { name: "Criar usuário" }));
    const passing = "Não foi possível criar o usuário. Tente de novo.";
    await screen.findByText(passing);
    expect(form.getAllByRole("alert").map((one) => one.textContent)).toEqual([passing]);
  });

  it.each([
    ["Escape", (user: UserEvent) => user.keyboard("{Escape}")],
    ["Cancelar", (user: UserEvent) => user.click(screen.getByRole("button", { name: "Cancelar" }))],
  ])("asks before %s discards what was typed", async (_way, leave) => {
    const { user, form } = await fill();
    await user.click(form.getByRole("checkbox", { name: "Pagamentos" }));
    await leave(user);
    const question = await dialog("Descartar o que foi preenchido?");
    await user.click(question.getByRole("button", { name: "Continuar preenchendo" }));
    expect(form.getByRole<HTMLInputElement>("checkbox", { name: "Pagamentos" }).checked).toBe(true);
    await leave(user);
    await user.click(
      (await dialog("Descartar o que foi preenchido?")).getByRole("button", { name: "Descartar" }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
