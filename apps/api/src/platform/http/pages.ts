/**
 * Serves the built screens: hashed assets with a permanent cache, pages without a cache and with their own CSP nonce
 * and brand.
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { BrandId } from "@malote/domain/brands";
import type { FastifyInstance } from "fastify";
import { AppError } from "../app-error.ts";
import type { Services } from "../services.ts";
import { brandOf } from "./brand.ts";
import { sendError } from "./refusals.ts";

export const webFolder = join(import.meta.dirname, "../../../../web/dist");

/** Files without a hash in their names, which pages load before their hashed assets. */
const looseFiles = [
  { file: "theme.js", type: "text/javascript; charset=utf-8" },
  { file: "favicon.svg", type: "image/svg+xml" },
  { file: "marcas/horizonte/favicon.svg", type: "image/svg+xml" },
  { file: "plain.css", type: "text/css; charset=utf-8" },
] as const;

/** Privacy and support pages of an installation without addresses of its own: text without scripts. */
const plainPages = [
  { path: "/privacidade", file: "privacidade.html" },
  { path: "/suporte", file: "suporte.html" },
] as const;

/** Pages by address; every other address serves the app, which has its own router. */
const pages = [
  {
    file: "login.html",
    matches: (path: string) => path === "/entrar" || path.startsWith("/entrar/"),
    sandboxOnly: false,
  },
  {
    file: "simulator.html",
    matches: (path: string) => path === "/simulador" || path.startsWith("/simulador/"),
    sandboxOnly: true,
  },
  {
    file: "checkout.html",
    matches: (path: string) => path.startsWith("/pagar/"),
    sandboxOnly: false,
  },
  { file: "app.html", matches: () => true, sandboxOnly: false },
] as const;

export async function servePages(
  app: FastifyInstance,
  services: Services,
  folder = webFolder,
): Promise<void> {
  if (!existsSync(folder)) return;
  const { brandOptions, institution } = services.config;
  // A page must know the API addresses before its first call (SES-035).
  const apiBases = Object.entries(services.config.apiBases)
    .map(([name, address]) => `${name}=${address}`)
    .join(" ");
  const apiOrigins = new Set(
    Object.values(services.config.apiBases).flatMap((address) => URL.parse(address)?.origin ?? []),
  );
  const offered = pages.filter((page) => services.config.sandbox || !page.sandboxOnly);
  const html = offered.map((page) => ({ ...page, text: readFileSync(join(folder, page.file), "utf8") }));

  await app.register(fastifyStatic, {
    root: join(folder, "assets"),
    prefix: "/assets/",
    immutable: true,
    maxAge: "365d",
    preCompressed: true,
    index: false,
    decorateReply: false,
  });

  for (const { file, type } of looseFiles) {
    const bytes = readFileSync(join(folder, file));
    app.get(`/${file}`, { schema: { hide: true } }, (_request, reply) =>
      // The name has no hash, so a new version must become visible soon.
      reply.header("cache-control", "public, max-age=3600").type(type).send(bytes),
    );
  }

  const withOwnIcon = (text: string, brand: BrandId) =>
    text.replaceAll('"/favicon.svg"', `"${brandOptions[brand].assetsPath}favicon.svg"`);

  for (const { path, file } of plainPages) {
    const text = readFileSync(join(folder, file), "utf8");
    app.get(path, { schema: { hide: true } }, (request, reply) =>
      reply
        .header(
          "content-security-policy",
          "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
        )
        .header("cache-control", "public, max-age=3600")
        .type("text/html; charset=utf-8")
        .send(withOwnIcon(text, brandOf(services.config, request))),
    );
  }

  app.get("/*", { schema: { hide: true } }, (request, reply) => {
    const path = request.url.replace(/\?.*/s, "");
    if (path.startsWith("/api/")) {
      return sendError(new AppError("not_found"), request, reply);
    }
    const page = html.find((known) => known.matches(path)) ?? html.at(-1);
    if (!page) throw new Error("the pages are not built");
    const nonce = randomBytes(16).toString("base64");
    const brand = brandOf(services.config, request);
    return reply
      .header(
        "content-security-policy",
        [
          "default-src 'none'",
          "script-src 'self'",
          `style-src 'self' 'nonce-${nonce}'`,
          // Scripts set the positions of floating panels and virtual rows as style attributes.
          "style-src-attr 'unsafe-inline'",
          "img-src 'self' data: blob:",
          "font-src 'self'",
          ["connect-src 'self'", ...apiOrigins].join(" "),
          "frame-src 'self'",
          "manifest-src 'self'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ].join("; "),
      )
      .header("cache-control", "no-store")
      .type("text/html; charset=utf-8")
      .send(
        withOwnIcon(page.text, brand)
          .replaceAll("__CSP_NONCE__", nonce)
          .replaceAll("__BRAND__", brand)
          .replaceAll("__API_BASES__", apiBases)
          .replaceAll("__INSTITUTION__", `${institution.ispb} ${institution.code} ${institution.name}`),
      );
  });
}
