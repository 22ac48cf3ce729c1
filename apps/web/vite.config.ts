import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rollup } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));

/** One address prefix each; an entry is added together with its page. */
const entries = ["app", "login", "checkout", "simulator"].filter((name) => existsSync(`${root}${name}.html`));

/** Requests the font together with the script, not after the CSS, so that the first paint has the final typeface. */
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

/** Entry that app.html opens as soon as it is painted. It is fetched together with the page, after what paints it. */
const desk = "/src/entries/desk.tsx";

function fetchDeskWithPage(): Plugin {
  return {
    name: "fetch-desk-with-page",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {}, filename }) {
        if (!filename.endsWith("app.html")) return [];
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const opener = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(desk));
        const needed = opener ? withImports(opener, chunks) : [];
        const missing = (file: string) => !html.includes(file);
        const scripts = needed.map(({ fileName }) => fileName).filter(missing);
        const styles = new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
        return [
          ...[...styles].filter(missing).map((file) => headLink("stylesheet", file)),
          ...scripts.map((file) => headLink("modulepreload", file, { fetchpriority: "low" })),
        ];
      },
    },
  };
}

/** Orders a chunk after its imports, so that the styles of a screen follow those of its widgets, and win. */
function withImports(
  chunk: Rollup.OutputChunk,
  chunks: Rollup.OutputChunk[],
  found = new Set<Rollup.OutputChunk>(),
) {
  if (found.has(chunk)) return [];
  found.add(chunk);
  const imported = chunks.filter(({ fileName }) => chunk.imports.includes(fileName));
  const before: Rollup.OutputChunk[] = imported.flatMap((one) => withImports(one, chunks, found));
  return [...before, chunk];
}

const headLink = (rel: string, file: string, more: Record<string, string> = {}) => ({
  tag: "link",
  injectTo: "head" as const,
  attrs: { rel, href: `/${file}`, crossorigin: "", ...more },
});

/** Replaces zod only for the contracts: a screen that imports zod for a form gets the real one. */
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

/** Parts of a contract that the screens do not need: its schemas would load most of the domain. */
const onlyForTheServer = new Set(["summary", "params", "query", "body", "response", "bodyBytesMax"]);

function leaveShapesToTheServer(): Plugin {
  return {
    name: "leave-shapes-to-the-server",
    enforce: "post",
    apply: "build",
    transform: {
      filter: { id: /[\\/]packages[\\/]contracts[\\/]src[\\/]/ },
      handler(code) {
        const cuts = contractsOf(this.parse(code)).flatMap(({ properties }) =>
          properties.flatMap((property, index) => {
            if (property.type !== "Property" || property.key.type !== "Identifier") return [];
            if (!onlyForTheServer.has(property.key.name)) return [];
            return [{ from: property.start, to: properties[index + 1]?.start ?? property.end }];
          }),
        );
        let kept = code;
        for (const { from, to } of cuts.sort((a, b) => b.from - a.from)) {
          kept = kept.slice(0, from) + kept.slice(to);
        }
        return { code: kept, map: null };
      },
    },
  };
}

type Program = ReturnType<Rollup.PluginContext["parse"]>;

/** Matches the object of every `export const someCall = contract({ … })`. */
function contractsOf({ body }: Program) {
  return body.flatMap((statement) => {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration") return [];
    return declared.declarations.flatMap(({ init }) => {
      if (init?.type !== "CallExpression") return [];
      const [definition] = init.arguments;
      const isContract = init.callee.type === "Identifier" && init.callee.name === "contract";
      return isContract && definition?.type === "ObjectExpression" ? [definition] : [];
    });
  });
}

/**
 * Compresses each file once at the highest level; the server then sends it as it is, instead of compressing every
 * answer.
 */
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

/**
 * Widgets of the frame, of the first list and of any modal. The others serve forms, tables and dialogs, which no first
 * paint shows. The listed rules are used by both groups: in the other one, the first paint would fetch it at once.
 */
const firstWidgets = new RegExp(
  `[\\\\/]domain[\\\\/]src[\\\\/](fold-text|money|tax-id)\\.|[\\\\/]src[\\\\/]ui[\\\\/](${[
    "awaits-approval|brand-mark|button|checkbox|chip|choice-chip|confirm-dialog|count-badge|cursor-pager|dialog|empty-state|error-state|filter-bar|focus|focused-heading|format|full-screen-modal|layers",
    "loading-state|menu|modal-layer|money-text|month-picker|notice|page-header|pagination|popover|save-file|search-field",
    "selection-bar|status-pill|text-field|theme|toasts|use-debounced|use-selection",
  ].join("|")})\\.`,
);

export default defineConfig({
  root,
  plugins: [
    react(),
    leaveSchemasToTheServer(),
    leaveShapesToTheServer(),
    preloadTextFont(),
    fetchDeskWithPage(),
    packAssets(),
  ],
  // The server replaces the placeholder with a fresh value in every answer, so the policy needs no
  // unsafe-inline.
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
        // Rules, contracts and the index of a feature have no side effects on load, so that unused parts are
        // left out.
        moduleSideEffects: (id) =>
          !/[\\/]packages[\\/](domain|contracts)[\\/]|@brazilian-utils|[\\/]src[\\/][\w-]+[\\/](index|parts)\.ts$/.test(
            id,
          ),
        manualPureFunctions: ["contract", "z"],
      },
      output: {
        codeSplitting: {
          // Phones pay for every file with a round trip to the server, so there are few chunks, grouped by
          // who needs them.
          groups: [
            // The page's first script needs only the loader of the others, and the styles of the opening
            // page.
            { name: "loader", test: /vite[\\/]preload-helper|[\\/]src[\\/]styles[\\/]/, priority: 5 },
            // Loaded once a page is drawn.
            { name: "follow-anchor", test: /@floating-ui[\\/]|[\\/]ui[\\/]follow-anchor\./, priority: 5 },
            {
              name: "base",
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-query|query-core))[\\/]/,
              priority: 4,
            },
            {
              name: "router",
              test: /node_modules[\\/]@tanstack[\\/](react-router|router-core|history|store|react-store)[\\/]/,
              priority: 3,
            },
            { name: "widgets", test: firstWidgets, priority: 2 },
            { name: "more-widgets", test: /[\\/]src[\\/]ui[\\/]/, priority: 1 },
          ],
        },
      },
      input: Object.fromEntries(entries.map((name) => [name, `${root}${name}.html`])),
    },
  },
});
