import { expect, it } from "vitest";
import { readConfig, WrongConfiguration } from "./config.ts";

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof WrongConfiguration) return error.problems;
    throw error;
  }
  return [];
};

it("SES-035 takes an address of each API from the environment, and has none without it", () => {
  expect(readConfig({}).apiBases).toEqual({});
  const given =
    "login=https://entrar.example/api,payments=/pagar/api/,contacerta=http://10.0.0.4:8080,cards=https://c.example/v1/";
  expect(readConfig({ MALOTE_API_BASES: given }).apiBases).toEqual({
    login: "https://entrar.example/api",
    payments: "/pagar/api",
    contacerta: "http://10.0.0.4:8080",
    cards: "https://c.example/v1",
  });
});

it("SES-063 takes the address for error reports from the environment, and sends none without it", () => {
  expect(readConfig({}).errorReportUrl).toBeUndefined();
  const address = "https://erros.example/malote";
  expect(readConfig({ MALOTE_ERROR_REPORT_URL: address }).errorReportUrl).toBe(address);
  expect(problemsOf({ MALOTE_ERROR_REPORT_URL: "erros" })[0]).toContain("MALOTE_ERROR_REPORT_URL");
});

it("SES-024 takes the address of the sign-in site from the environment, and its own page without it", () => {
  expect(readConfig({}).loginUrl).toBe("/entrar");
  expect(readConfig({ MALOTE_LOGIN_URL: "https://entrar.example/" }).loginUrl).toBe(
    "https://entrar.example/",
  );
});

it("SES-025 takes the name of the sign-in site's cookie from the environment", () => {
  expect(readConfig({}).tokenCookie).toBe("malote_token");
  expect(readConfig({ MALOTE_TOKEN_COOKIE: "entrada" }).tokenCookie).toBe("entrada");
  expect(problemsOf({ MALOTE_TOKEN_COOKIE: "a b" })[0]).toContain("MALOTE_TOKEN_COOKIE");
});

it.each([
  "bank=https://x.example",
  "payments",
  "payments=ftp://x",
  'payments=/a"onload="x',
  "payments=/a?b=1",
  "payments=//evil",
])("refuses to start with the API address %s", (text) => {
  expect(problemsOf({ MALOTE_API_BASES: text })[0]).toContain(`MALOTE_API_BASES não entendeu "${text}"`);
});

it("SHL-002 has a table of brands, which the environment can change", () => {
  expect(readConfig({}).brandOptions).toEqual({
    malote: { assetsPath: "/", showStatusMenu: true },
    horizonte: { assetsPath: "/marcas/horizonte/", showStatusMenu: false },
  });
  const given = "horizonte.assetsPath=/marcas/sul/,horizonte.showStatusMenu=on,malote.showStatusMenu=off";
  expect(readConfig({ MALOTE_BRAND_OPTIONS: given }).brandOptions).toEqual({
    malote: { assetsPath: "/", showStatusMenu: false },
    horizonte: { assetsPath: "/marcas/sul/", showStatusMenu: true },
  });
  expect(readConfig({ MALOTE_BRAND_OPTIONS: "malote.assetsPath=/marcas/norte/" }).brandOptions).toEqual({
    malote: { assetsPath: "/marcas/norte/", showStatusMenu: true },
    horizonte: { assetsPath: "/marcas/horizonte/", showStatusMenu: false },
  });
  // One reading leaves nothing for the next.
  expect(readConfig({}).brandOptions.horizonte.showStatusMenu).toBe(false);
});

it.each([
  "sul.assetsPath=/x/",
  "horizonte.assetsPath=https://x/",
  'malote.assetsPath=/"/',
  "malote.colour=red",
  "malote.showStatusMenu=1",
])("refuses to start with the brand option %s", (text) => {
  expect(problemsOf({ MALOTE_BRAND_OPTIONS: text })[0]).toContain("MALOTE_BRAND_OPTIONS não entendeu");
});

it("FST-020 takes the day of the second factor from the environment, and none if it is off", () => {
  expect(readConfig({}).twoFactorNotice).toBe(
    "A autenticação em 2 fatores precisa estar ativada até 29/07. Com ela, quem descobrir sua senha ainda não consegue entrar.",
  );
  expect(readConfig({ MALOTE_TWO_FACTOR_NOTICE: "Ative até 1º de março." }).twoFactorNotice).toBe(
    "Ative até 1º de março.",
  );
  expect(readConfig({ MALOTE_TWO_FACTOR_NOTICE: "off" }).twoFactorNotice).toBeNull();
});

it("SHL-025 SHL-040 takes the addresses of the status page, the blog, the support and its chat from the environment", () => {
  const addressesOf = (env: Record<string, string>) => {
    const { statusUrl, blogUrl, supportUrl, supportChatUrl } = readConfig(env);
    return [statusUrl, blogUrl, supportUrl, supportChatUrl];
  };
  expect(addressesOf({})).toEqual([undefined, undefined, "/suporte", undefined]);
  const names = ["MALOTE_STATUS_URL", "MALOTE_BLOG_URL", "MALOTE_SUPPORT_URL", "MALOTE_SUPPORT_CHAT_URL"];
  const given = names.map((name) => [name, `https://${name.toLowerCase()}.example/`] as const);
  expect(addressesOf(Object.fromEntries(given))).toEqual(given.map(([, address]) => address));
});

it("SHL-043 takes the security notice from the environment, with or without a link", () => {
  expect(readConfig({}).notice).toBeUndefined();
  expect(readConfig({ MALOTE_NOTICE_URL: "https://malote.example/seguranca" }).notice).toBeUndefined();
  expect(readConfig({ MALOTE_NOTICE_TEXT: "Nunca pedimos a sua senha." }).notice).toEqual({
    text: "Nunca pedimos a sua senha.",
    url: undefined,
  });
  const both = { MALOTE_NOTICE_TEXT: "Leia.", MALOTE_NOTICE_URL: "https://malote.example/seguranca" };
  expect(readConfig(both).notice).toEqual({ text: "Leia.", url: "https://malote.example/seguranca" });
});

it("refuses to start in production without the host name of charges", () => {
  expect(problemsOf({ MALOTE_ENV: "production" })).toContain(
    "MALOTE_PROVIDER_PIX_HOST é obrigatório em produção",
  );
});

it.each([
  "https://pix.exemplo.com.br",
  "pix",
  "pix.exemplo.com.br/",
  "pix..br",
  "pix.exemplo.com.br?a=1",
  // A location with the id of a charge would be longer than a QR code may hold.
  `${"p".repeat(32)}.com.br`,
])("refuses to start with %s as the host name of charges", (name) => {
  expect(problemsOf({ MALOTE_PROVIDER_PIX_HOST: name })[0]).toContain("MALOTE_PROVIDER_PIX_HOST");
});

it("takes the host name of charges from the environment, and an unassignable one in the sandbox", () => {
  const name = `${"p".repeat(31)}.com.br`;
  expect(readConfig({ MALOTE_PROVIDER_PIX_HOST: name }).pixHost).toBe(name);
  expect(readConfig({}).pixHost).toBe("pix.cobranca.invalid");
});

it("MED-004 reads the file of the terms if a reader is passed, and lists it among the problems if it cannot", () => {
  const env = { MALOTE_INFRACTION_TERMS: "termos.txt" };
  expect(readConfig(env, (path) => `o texto de ${path}`).infractionTerms).toBe("o texto de termos.txt");
  expect(readConfig(env).infractionTerms).toBeUndefined();
  expect(readConfig({}, () => "um texto").infractionTerms).toBeUndefined();
  const problems = () => readConfig({ ...env, MALOTE_ROLE: "web" }, () => undefined);
  expect(problems).toThrow("MALOTE_INFRACTION_TERMS deve ser o caminho de um arquivo de texto: termos.txt");
  expect(problems).toThrow("precisa de DATABASE_URL");
});

it("lists a wrong adapter with all other problems if adapters are checked", () => {
  const check = () => ["MALOTE_SMS não conhece o adaptador"];
  const problems = () => readConfig({ MALOTE_ROLE: "web" }, undefined, check);
  expect(problems).toThrow("MALOTE_SMS não conhece o adaptador");
  expect(problems).toThrow("precisa de DATABASE_URL");
});

it("takes an adapter for each port from a variable of its own, and the sandbox's without one", () => {
  const { byPort, connections } = readConfig({
    MALOTE_SMS: "torpedos",
    MALOTE_CONNECTIONS: "banco-a,banco-b",
  }).adapters;
  expect([byPort.sms, byPort.rails, byPort.mailer]).toEqual(["torpedos", "sandbox", "sandbox"]);
  expect(connections).toEqual(["banco-a", "banco-b"]);
  expect(readConfig({ SMTP_URL: "smtp://localhost" }).adapters.byPort.mailer).toBe("smtp");
  expect(problemsOf({ MALOTE_MAILER: "smtp" })).toEqual([
    "SMTP_URL é obrigatório em produção e com MALOTE_MAILER=smtp",
  ]);
  expect(problemsOf({ MALOTE_RAILS: "../banco" })[0]).toContain(
    "MALOTE_RAILS deve ser o nome de um adaptador",
  );
});
