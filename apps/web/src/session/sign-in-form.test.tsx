import {
  authorize,
  forgotPassword,
  readBrand,
  readPasswordLink,
  spendPasswordLink,
} from "@malote/contracts/session";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { createQueryClient } from "../shell/query-client.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildToken } from "../testing/token.ts";
import { MaloteTheme } from "../ui/theme.tsx";
import { LoginPage } from "./login-page.tsx";

const granted = { access_token: "fresh.token.here", token_type: "Bearer" as const, expires_in: 1800 };

function renderLogin() {
  const left: string[] = [];
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MaloteTheme>
        <LoginPage goTo={(address) => left.push(address)} />
      </MaloteTheme>
    </QueryClientProvider>,
  );
  return left;
}

async function signIn(password = "certa") {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("E-mail"), " helena@aurora.exemplo");
  await user.type(screen.getByLabelText("Senha"), `${password}{Enter}`);
  return user;
}

beforeEach(() => {
  fakeServer.on(readBrand, () => ({
    id: "horizonte" as const,
    assetsPath: "/",
    name: "Horizonte",
    showStatusMenu: false,
    loginUrl: "/entrar",
    appUrl: "https://app.exemplo/",
    statusUrl: null,
    supportUrl: null,
    supportChatUrl: null,
    twoFactorNotice: "A autenticação em 2 fatores precisa estar ativada até 29/07.",
    tokenCookie: "malote_token",
    reportsErrors: false,
    blogUrl: null,
    privacyUrl: null,
    notice: null,
    sandbox: true,
  }));
});

describe("login site", () => {
  it("SHL-003 names the brand in its title and while it opens the application", async () => {
    fakeServer.on(authorize, () => granted);
    renderLogin();
    await screen.findByText("Horizonte");
    expect(document.title).toBe("Entrar · Horizonte");
    await signIn();
    await screen.findByText("Abrindo Horizonte…");
  });

  it("SES-025 passes the token to /auth of the application", async () => {
    fakeServer.on(authorize, () => granted);
    const left = renderLogin();
    await screen.findByText("Horizonte");
    await signIn();
    await waitFor(() => expect(left).toEqual(["https://app.exemplo/auth?token=fresh.token.here"]));
    expect(fakeServer.calls(authorize)[0]?.body).toEqual({
      grant_type: "password",
      email: "helena@aurora.exemplo",
      password: "certa",
    });
    expect(localStorage.length).toBe(0);
  });

  it.each([
    ["entrar", /Entre para abrir a página que você pediu/],
    ["inatividade", /Sua sessão terminou por inatividade/],
    ["fim", /Sua sessão terminou\. Entre de novo/],
  ])(
    "SES-025 shows why one has to sign in (%s), and passes on the requested page",
    async (reason, sentence) => {
      fakeServer.on(authorize, () => granted);
      history.replaceState(null, "", `/entrar?redirectedFrom=%2Fpagamentos%2Fsaldo%3Fa%3Db&motivo=${reason}`);
      const left = renderLogin();
      await screen.findByText("Horizonte");
      screen.getByText(sentence);
      await signIn();
      const back = encodeURIComponent("/pagamentos/saldo?a=b");
      await waitFor(() =>
        expect(left).toEqual([`https://app.exemplo/auth?token=fresh.token.here&redirectedFrom=${back}`]),
      );
      history.replaceState(null, "", "/");
    },
  );

  it("SES-025 passes on the modalToken of its address", async () => {
    fakeServer.on(authorize, () => granted);
    history.replaceState(null, "", "/entrar?modalToken=abc");
    const left = renderLogin();
    await screen.findByText("Horizonte");
    await signIn();
    await waitFor(() =>
      expect(left).toEqual(["https://app.exemplo/auth?token=fresh.token.here&modalToken=abc"]),
    );
    history.replaceState(null, "", "/");
  });

  it.each(["//golpe.exemplo", "javascript:alert(1)", "/\\golpe"])(
    "passes on no address like %s",
    async (evil) => {
      fakeServer.on(authorize, () => granted);
      history.replaceState(
        null,
        "",
        `/entrar?${new URLSearchParams({ redirectedFrom: evil, motivo: "golpe" })}`,
      );
      const left = renderLogin();
      await screen.findByText("Horizonte");
      await signIn();
      await waitFor(() => expect(left).toEqual(["https://app.exemplo/auth?token=fresh.token.here"]));
      history.replaceState(null, "", "/");
    },
  );

  it("redirects a signed-in person to the application", async () => {
    const token = buildToken();
    localStorage.setItem(tokenStorageKey, token);
    const left = renderLogin();
    await waitFor(() => expect(left).toEqual([`/auth?token=${token}`]));
    localStorage.clear();
  });

  it("reports what is missing before calling the server", async () => {
    renderLogin();
    await userEvent.click(screen.getByRole("button", { name: "Entrar" }));
    expect(document.activeElement).toBe(screen.getByRole("alert"));
    screen.getByText("Digite o e-mail.");
  });

  it("keeps what was typed after a refusal, which takes the focus", async () => {
    fakeServer.on(authorize, () => refuse("wrong_credentials"));
    const left = renderLogin();
    await signIn("errada");
    const alert = await screen.findByRole("alert");
    await waitFor(() => expect(document.activeElement).toBe(alert));
    expect(alert.textContent).toContain("E-mail ou senha incorretos");
    expect(screen.getByLabelText<HTMLInputElement>("Senha").value).toBe("errada");
    expect(left).toEqual([]);
  });

  it("asks for the second factor when the account has one, and sends it when complete", async () => {
    fakeServer.on(authorize, ({ body }) =>
      body.grant_type === "second_factor" ? granted : { second_factor: { challenge: "challenge-1" } },
    );
    const left = renderLogin();
    const user = await signIn();
    await user.type(await screen.findByLabelText("Código de 6 números"), "123 456");
    await waitFor(() => expect(left).toHaveLength(1));
    expect(fakeServer.calls(authorize)[1]?.body).toEqual({
      grant_type: "second_factor",
      challenge: "challenge-1",
      code: "123456",
    });
  });

  it("sends with the code that the browser is to be remembered, when the person wishes so", async () => {
    fakeServer.on(authorize, ({ body }) =>
      body.grant_type === "second_factor" ? granted : { second_factor: { challenge: "challenge-1" } },
    );
    const left = renderLogin();
    const user = await signIn();
    const wish = await screen.findByRole<HTMLInputElement>("checkbox", {
      name: "Não pedir o código neste aparelho por 7 dias",
    });
    expect(wish.checked).toBe(false);
    await user.click(wish);
    await user.type(screen.getByLabelText("Código de 6 números"), "123456");
    await waitFor(() => expect(left).toHaveLength(1));
    expect(fakeServer.calls(authorize)[1]?.body).toMatchObject({ code: "123456", remember: true });
  });

  it("accepts a recovery code from a person without a phone", async () => {
    fakeServer.on(authorize, ({ body }) =>
      body.grant_type === "second_factor" ? granted : { second_factor: { challenge: "challenge-1" } },
    );
    const left = renderLogin();
    const user = await signIn();
    await user.click(await screen.findByRole("button", { name: /Usar um código de recuperação/ }));
    await user.type(screen.getByLabelText("Código de recuperação"), "123456{Enter}");
    expect(fakeServer.calls(authorize)).toHaveLength(1);
    await user.clear(screen.getByLabelText("Código de recuperação"));
    await user.type(screen.getByLabelText("Código de recuperação"), "abcd-efgh-2345-jklm{Enter}");
    await waitFor(() => expect(left).toHaveLength(1));
    expect(fakeServer.calls(authorize)[1]?.body).toMatchObject({ code: "abcd-efgh-2345-jklm" });
  });

  it("sends a link for a forgotten password, and does not reveal whether the address has an account", async () => {
    const user = userEvent.setup();
    fakeServer.on(forgotPassword, () => ({ ok: true as const }));
    renderLogin();
    await user.click(screen.getByRole("button", { name: "Esqueci a senha" }));
    await screen.findByRole("heading", { name: "Esqueci a senha" });
    await user.click(await screen.findByRole("button", { name: "Enviar link" }));
    screen.getByText("Digite o e-mail.");
    await user.type(screen.getByLabelText("E-mail"), " ninguem@aurora.exemplo {Enter}");
    await screen.findByText(/Se ninguem@aurora.exemplo tem acesso/);
    expect(fakeServer.calls(forgotPassword).map(({ body }) => body)).toEqual([
      { email: "ninguem@aurora.exemplo" },
    ]);
    await user.click(screen.getByRole("button", { name: "Voltar para a entrada" }));
    screen.getByRole("button", { name: "Entrar" });
  });

  it("shows and hides the password", async () => {
    renderLogin();
    await userEvent.click(screen.getByRole("button", { name: "Mostrar a senha" }));
    expect(screen.getByLabelText<HTMLInputElement>("Senha").type).toBe("text");
  });
});

describe("a link to choose a password", () => {
  const token = "x".repeat(43);
  const strong = "Primeira-senha-2026!";
  beforeEach(() => {
    location.hash = `senha=${token}`;
    fakeServer.on(readPasswordLink, ({ body }) => {
      expect(body.token).toBe(token);
      return { name: "Davi Rocha", email: "davi@aurora.exemplo" };
    });
    return () => history.replaceState(null, "", "/");
  });

  async function choose(password: string, confirmation = password) {
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Nova senha"), password);
    if (confirmation) await user.type(screen.getByLabelText("Confirme a nova senha"), confirmation);
    await user.click(screen.getByRole("button", { name: "Criar senha" }));
    return user;
  }

  it("asks its person for a password, and then lets them sign in with it", async () => {
    fakeServer.on(spendPasswordLink, () => ({ email: "davi@aurora.exemplo" }));
    fakeServer.on(authorize, () => granted);
    const left = renderLogin();
    await screen.findByRole("heading", { name: "Crie sua senha" });
    expect((await screen.findByLabelText<HTMLInputElement>("E-mail")).value).toBe("davi@aurora.exemplo");
    const user = await choose(strong);
    await screen.findByText("Senha criada");
    expect(fakeServer.calls(spendPasswordLink).map(({ body }) => body)).toEqual([
      { token, newPassword: strong },
    ]);
    expect(location.hash).toBe("");
    expect(screen.getByLabelText<HTMLInputElement>("E-mail").value).toBe("davi@aurora.exemplo");
    await user.type(screen.getByLabelText("Senha"), `${strong}{Enter}`);
    await waitFor(() => expect(left).toHaveLength(1));
  });

  it.each([
    ["fraca", "fraca", "A nova senha precisa ter ao menos 8 caracteres"],
    [strong, "outra", "A confirmação precisa ser igual à nova senha"],
  ])("refuses '%s' with '%s' before sending", async (password, confirmation, text) => {
    renderLogin();
    await choose(password, confirmation);
    expect(screen.getAllByText(text)).toHaveLength(2);
    expect(fakeServer.calls(spendPasswordLink)).toEqual([]);
  });

  it("reports an expired link and shows the sign-in form", async () => {
    fakeServer.on(readPasswordLink, () => refuse("password_link_invalid"));
    renderLogin();
    await screen.findByRole("heading", { name: "Este link não vale mais" });
    expect(screen.queryByRole("button", { name: "Tentar de novo" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Ir para a entrada" }));
    screen.getByRole("heading", { name: "Entre na sua conta" });
    expect(location.hash).toBe("");
  });

  it("keeps what was typed when the server refuses", async () => {
    fakeServer.on(spendPasswordLink, () => refuse("unavailable"));
    renderLogin();
    await choose(strong);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("recuperando"));
    expect(screen.getByLabelText<HTMLInputElement>("Nova senha").value).toBe(strong);
  });
});
