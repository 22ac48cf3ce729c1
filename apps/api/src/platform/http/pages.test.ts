/** Pages as the server sends them, with the data that they need before their first call. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import type { Services } from "../services.ts";
import { servePages } from "./pages.ts";

const web = join(import.meta.dirname, "../../../../web");
let folder: string;
beforeEach(() => {
  // Reads the source files of the pages, because the server replaces parts of them.
  folder = mkdtempSync(join(tmpdir(), "malote-pages-"));
  mkdirSync(join(folder, "assets"));
  for (const page of ["app", "login", "checkout", "simulator"])
    writeFileSync(join(folder, `${page}.html`), readFileSync(join(web, `${page}.html`)));
  const loose = [
    "theme.js",
    "favicon.svg",
    "plain.css",
    "privacidade.html",
    "suporte.html",
    "marcas/horizonte/favicon.svg",
  ];
  for (const file of loose) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), readFileSync(join(web, "public", file)));
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

async function pagesWith(env: Record<string, string>) {
  const app = Fastify();
  await servePages(app, { config: readConfig(env) } as Services, folder);
  return (url: string, host = "localhost:3000") => app.inject({ url, headers: { host } });
}

it.each(["/", "/entrar", "/pagar/x", "/simulador"])(
  "SES-035 passes the addresses of the APIs to the page at %s",
  async (url) => {
    const plain = await (await pagesWith({}))(url);
    expect(plain.body).toContain('data-apis=""');
    expect(plain.headers["content-security-policy"]).toContain("connect-src 'self';");
    const open = await pagesWith({
      MALOTE_API_BASES:
        "payments=https://api.example/payments,login=/entrada,cards=https://api.example/cards",
    });
    const { body, headers } = await open(url);
    expect(body).toContain(
      'data-apis="payments=https://api.example/payments login=/entrada cards=https://api.example/cards"',
    );
    // The browser may connect to these origins, each listed once, and to no other.
    expect(headers["content-security-policy"]).toContain("connect-src 'self' https://api.example;");
  },
);

it.each(["login", "payments", "contacerta", "cards"])(
  "SES-035 lets the browser connect to the API %s at an address of its own",
  async (name) => {
    const open = await pagesWith({ MALOTE_API_BASES: `${name}=https://${name}.example/v1` });
    const { body, headers } = await open("/");
    expect(body).toContain(`data-apis="${name}=https://${name}.example/v1"`);
    expect(headers["content-security-policy"]).toContain(`connect-src 'self' https://${name}.example;`);
  },
);

it("SHL-002 shows the pictures of a page's brand from its assets path", async () => {
  const open = await pagesWith({});
  expect((await open("/")).body).toContain('href="/favicon.svg"');
  const horizonte = "horizonte.localhost:3000";
  expect((await open("/", horizonte)).body).toContain('href="/marcas/horizonte/favicon.svg"');
  const [own, other] = await Promise.all([open("/marcas/horizonte/favicon.svg"), open("/favicon.svg")]);
  expect([own.statusCode, own.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(own.body).not.toBe(other.body);
  const moved = await pagesWith({ MALOTE_BRAND_OPTIONS: "horizonte.assetsPath=/marcas/sul/" });
  expect((await moved("/", horizonte)).body).toContain('href="/marcas/sul/favicon.svg"');
});

it.each(["/", "/entrar", "/pagar/x", "/simulador", "/privacidade", "/suporte"])(
  "SHL-002 %s takes the picture of each brand from its own assets path",
  async (url) => {
    const open = await pagesWith({ MALOTE_BRAND_OPTIONS: "malote.assetsPath=/marcas/norte/" });
    for (const [host, path] of [
      ["localhost:3000", "/marcas/norte/"],
      ["horizonte.localhost:3000", "/marcas/horizonte/"],
    ])
      expect((await open(url, host)).body).toContain(`href="${path}favicon.svg"`);
  },
);

it.each(["/", "/entrar", "/pagar/x", "/simulador", "/privacidade", "/suporte"])(
  "SHL-003 %s and its picture do not name the product to a person of another brand",
  async (url) => {
    const open = await pagesWith({});
    const host = "horizonte.localhost:3000";
    const { statusCode, body } = await open(url, host);
    expect(statusCode).toBe(200);
    expect(/<title>(.+)<\/title>/.exec(body)?.[1]).toBeTruthy();
    expect(body).not.toMatch(/malote/i);
    const icon = /<link rel="icon"[^>]* href="([^"]+)"/.exec(body)?.[1] ?? "";
    const picture = await open(icon, host);
    expect(picture.headers["content-type"]).toBe("image/svg+xml");
    expect(picture.body).not.toMatch(/malote/i);
  },
);

it("passes the installation's institution to the page, because its rules for payments need it", async () => {
  const open = await pagesWith({});
  expect((await open("/")).body).toContain('data-institution="99999593 593 Mesa Pagamentos IP"');
  const other = await pagesWith({
    MALOTE_ISPB: "11223344",
    MALOTE_BANK_CODE: "987",
    MALOTE_INSTITUTION_NAME: "Serra Azul Pagamentos",
  });
  for (const url of ["/", "/entrar", "/pagar/x", "/simulador"])
    expect((await other(url)).body, url).not.toMatch(/99999593|Mesa Pagamentos|__INSTITUTION__/);
  expect((await other("/")).body).toContain('data-institution="11223344 987 Serra Azul Pagamentos"');
});
