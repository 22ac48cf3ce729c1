import { readBrand } from "@malote/contracts/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../testing/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({
    seed: false,
    config: {
      brands: new Map([
        ["banco.example:8443", "horizonte"],
        ["http://proprio.localhost:3000", "horizonte"],
        ["https://seguro.localhost:3000", "horizonte"],
      ]),
      loginUrl: "https://entrar.example/",
      tokenCookie: "entrada",
      publicUrl: "https://malote.example",
      statusUrl: "https://status.example/",
      supportUrl: "https://ajuda.example/",
      supportChatUrl: "https://chat.example/",
      blogUrl: "https://blog.example/",
      privacyUrl: "https://malote.example/privacidade",
      notice: { text: "Nunca pedimos a sua senha.", url: undefined },
      twoFactorNotice: "Ative o segundo fator até 01/03.",
    },
  });
});
afterAll(() => app.close());

const brandAt = async (host: string) => (await app.call(readBrand, {}, { headers: { host } })).body;

it.each([
  ["banco.example:8443", "horizonte"],
  ["BANCO.example:8443", "horizonte"],
  ["proprio.localhost:3000", "horizonte"],
  // Another scheme makes another origin.
  ["seguro.localhost:3000", "malote"],
  ["horizonte.localhost:3000", "horizonte"],
  ["horizonte.localhost", "horizonte"],
  ["horizonte.localhost.evil.example", "malote"],
  ["x.horizonte.localhost:3000", "malote"],
  ["localhost:3000", "malote"],
  ["banco.example", "malote"],
  ["banco.example:8443.evil.example", "malote"],
  ["unknown.example", "malote"],
])("SHL-001 gives %s the brand %s", async (host, id) => {
  expect(await brandAt(host)).toMatchObject({ id });
});

it("SHL-002 SHL-025 SHL-040 FST-020 SES-024 SES-025 returns the brand with the configured addresses", async () => {
  expect(await brandAt("banco.example:8443")).toEqual({
    id: "horizonte",
    assetsPath: "/marcas/horizonte/",
    name: "Horizonte",
    showStatusMenu: false,
    loginUrl: "https://entrar.example/",
    appUrl: "https://malote.example",
    statusUrl: "https://status.example/",
    supportUrl: "https://ajuda.example/",
    supportChatUrl: "https://chat.example/",
    twoFactorNotice: "Ative o segundo fator até 01/03.",
    tokenCookie: "entrada",
    reportsErrors: false,
    blogUrl: "https://blog.example/",
    privacyUrl: "https://malote.example/privacidade",
    notice: { text: "Nunca pedimos a sua senha.", url: null },
    sandbox: true,
  });
  expect(await brandAt("localhost:3000")).toMatchObject({
    id: "malote",
    assetsPath: "/",
    name: "Malote",
    showStatusMenu: true,
  });
});

it("SHL-002 SHL-035 SHL-043 returns the options of each brand and the notice of the installation", async () => {
  const other = await buildTestApp({
    seed: false,
    config: {
      brandOptions: {
        malote: { assetsPath: "/marcas/sul/", showStatusMenu: false },
        horizonte: { assetsPath: "/marcas/norte/", showStatusMenu: true },
      },
      notice: { text: "Leia.", url: "https://malote.example/seguranca" },
    },
  });
  const at = async (host: string) => (await other.call(readBrand, {}, { headers: { host } })).body;
  const notice = { text: "Leia.", url: "https://malote.example/seguranca" };
  expect([await at("localhost:3000"), await at("horizonte.localhost:3000")]).toMatchObject([
    { id: "malote", assetsPath: "/marcas/sul/", showStatusMenu: false, notice },
    { id: "horizonte", assetsPath: "/marcas/norte/", showStatusMenu: true, notice },
  ]);
  await other.close();
});

it("SHL-025 SHL-043 returns no address and no notice that the installation does not have", async () => {
  const plain = await buildTestApp({ seed: false });
  const none = { statusUrl: null, blogUrl: null, supportChatUrl: null, notice: null };
  expect((await plain.call(readBrand)).body).toMatchObject(none);
  await plain.close();
});

it("returns from our own sign-in page to the address that opened it", async () => {
  const plain = await buildTestApp({ seed: false });
  expect((await plain.call(readBrand)).body).toMatchObject({ loginUrl: "/entrar", appUrl: "/" });
  await plain.close();
});
