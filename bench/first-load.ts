/**
 * P9: compressed bytes that a browser fetches before the app is visible. The floor is the same build of a page with
 * React, the router and the query client that shows one word.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { checkSizes } from "../scripts/steps/size-budget.mjs";
import { print } from "./kit.ts";

const web = join(import.meta.dirname, "../apps/web");

async function floorKib(): Promise<number> {
  // The folder is beside the app, so that it resolves the same packages.
  const folder = mkdtempSync(join(web, ".floor-"));
  const out = mkdtempSync(join(tmpdir(), "malote-floor-"));
  try {
    writeFileSync(
      join(folder, "index.html"),
      '<!doctype html><div id="root"></div><script type="module" src="./main.js"></script>',
    );
    writeFileSync(
      join(folder, "main.js"),
      `import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createRootRoute, createRouter, Link, Outlet, RouterProvider } from "@tanstack/react-router";
const Page = () => createElement("p", null, useQuery({ queryKey: ["x"], queryFn: () => "oi" }).data, createElement(Link, { to: "/" }), createElement(Outlet));
const router = createRouter({ routeTree: createRootRoute({ component: Page }) });
createRoot(document.getElementById("root")).render(
  createElement(QueryClientProvider, { client: new QueryClient() }, createElement(RouterProvider, { router })));`,
    );
    await build({
      root: folder,
      configFile: false,
      logLevel: "silent",
      build: { outDir: out, emptyOutDir: true },
    });
    const scripts = readdirSync(join(out, "assets")).filter((name) => name.endsWith(".js"));
    return (
      scripts.reduce(
        (sum, name) => sum + gzipSync(readFileSync(join(out, "assets", name)), { level: 9 }).length,
        0,
      ) / 1024
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(out, { recursive: true, force: true });
  }
}

const { largest, problems } = checkSizes(join(web, "dist"));
const floor = await floorKib();
print("P9", {
  unit: "KiB",
  n: 1,
  rounds: 1,
  ours: largest.first / 1024,
  floor,
  lazy_max_kib: largest.lazy / 1024,
  css_kib: largest.style / 1024,
  problems: problems.length,
});
