import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** One address-bar world each; an entry appears here on the day its page exists. */
const entries = ["app", "login", "checkout", "simulator"].filter((name) => existsSync(`${root}${name}.html`));

/** Text in the final typeface at the first paint: the font is asked for together with the script, not after the CSS. */
function preloadTextFont(): Plugin {
  return {
    name: "preload-text-font",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((file) => file.includes("inter-latin-wght-normal"));
        if (!font) return [];
        const attrs = { rel: "preload", as: "font", type: "font/woff2", href: `/${font}`, crossorigin: "" };
        return [{ tag: "link", injectTo: "head", attrs }];
      },
    },
  };
}

/** What app.html opens as soon as it was painted. It is fetched together with the page, after what paints it. */
const desk = "/src/entries/desk.tsx";

function fetchDeskWithPage(): Plugin {
  return {
    name: "fetch-desk-with-page",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, filename }) {
        if (!filename.endsWith("app.html")) return [];
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const needed = new Set(chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith(desk)));
        for (const { imports } of needed) {
          for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk);
        }
        const missing = (file: string) => !html.includes(file);
        const scripts = [...needed].map(({ fileName }) => fileName).filter(missing);
        const styles = new Set(
          [...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]),
        );
        return [
          ...[...styles].filter(missing).map((file) => headLink("stylesheet", file)),
          ...scripts.map((file) => headLink("modulepreload", file, { fetchpriority: "low" })),
        ];
      },
    },
  };
}

const headLink = (rel: string, file: string, more: Record<string, string> = {}) => ({
  tag: "link",
  injectTo: "head" as const,
  attrs: { rel, href: `/${file}`, crossorigin: "", ...more },
});

/** Only what the contracts import: a screen that wants zod for a form of its own gets the real one. */
function leaveSchemasToTheServer(): Plugin {
  return {
    name: "leave-schemas-to-the-server",
    enforce: "pre",
    apply: "build",
    resolveId(source, importer) {
      const byContract = importer?.replaceAll("\\", "/").includes("/packages/contracts/");
      return source === "zod" && byContract ? `${root}src/shell/no-schemas.ts` : null;
    },
  };
}

/** The server hands these out as they are: packed once, as tightly as can be, instead of at every answer or not at all. */
function packAssets(): Plugin {
  return {
    name: "pack-assets",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/^assets\/.+\.(js|css)$/.test(file.fileName)) continue;
        const text = Buffer.from(file.type === "chunk" ? file.code : file.source);
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
        writeFileSync(join(dir, `${file.fileName}.br`), brotliCompressSync(text, { params: size }));
        writeFileSync(
          join(dir, `${file.fileName}.gz`),
          gzipSync(text, { level: constants.Z_BEST_COMPRESSION }),
        );
      }
    },
  };
}

export default defineConfig({
  root,
  plugins: [react(), leaveSchemasToTheServer(), preloadTextFont(), fetchDeskWithPage(), packAssets()],
  // The server replaces the placeholder with a fresh value in every answer, so the policy needs no unsafe-inline.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    target: "es2022",
    // Fonts and drawings stay files: data: addresses would need a wider content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        // Rules, contracts and the door of a feature do nothing when they are merely loaded, so what a screen does not use is left out.
        moduleSideEffects: (id) =>
          !/[\\/]packages[\\/](domain|contracts)[\\/]|@brazilian-utils|[\\/]src[\\/][\w-]+[\\/]index\.ts$/.test(
            id,
          ),
        manualPureFunctions: ["contract", "z"],
      },
      output: {
        codeSplitting: {
          // Telephones pay for every file with a trip to the server: a few whole ones, by who needs them.
          groups: [
            // The page's first script needs nothing but the way to ask for the others, and the look of the opening.
            { name: "loader", test: /vite[\\/]preload-helper|[\\/]src[\\/]styles[\\/]/, priority: 4 },
            {
              name: "base",
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-query|query-core))[\\/]/,
              priority: 3,
            },
            {
              name: "router",
              test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|store|react-store)[\\/]/,
              priority: 2,
            },
            { name: "widgets", test: /[\\/]src[\\/]ui[\\/]/, priority: 1 },
          ],
        },
      },
      input: Object.fromEntries(entries.map((name) => [name, `${root}${name}.html`])),
    },
  },
});
