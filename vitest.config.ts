import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Files that leave nothing behind share what was loaded; what a test of one leaves to the next, a test of the same would. */
const shared = { environment: "node", isolate: false };

/**
 * One project per layer, so `vitest run --project domain` stays a matter of milliseconds and only the projects
 * that need a database or a browser-like document pay for one.
 */
export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: { name: "domain", root: "packages/domain", include: ["src/**/*.test.ts"], ...shared },
      },
      {
        test: { name: "contracts", root: "packages/contracts", include: ["src/**/*.test.ts"], ...shared },
      },
      {
        test: {
          name: "sheets",
          root: "packages/sheet-reader",
          include: ["src/**/*.test.ts"],
          // Some build a million rows.
          testTimeout: 60_000,
          ...shared,
        },
      },
      {
        test: {
          name: "api",
          root: "apps/api",
          include: ["src/**/*.test.ts"],
          environment: "node",
          globalSetup: [here("apps/api/src/platform/db/test-server.ts")],
          // Processes, not threads: each owns a database of its own and may start worker threads itself.
          setupFiles: [here("apps/api/src/testing/after-each-file.ts")],
          pool: "forks",
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The launcher's tests start, kill and adopt servers of their own.
        test: {
          name: "postgres",
          root: "packages/local-postgres",
          include: ["src/**/*.test.ts"],
          environment: "node",
          pool: "forks",
          testTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: "web",
          root: "apps/web",
          include: ["src/**/*.test.{ts,tsx}"],
          environment: "happy-dom",
          // A document, timers and modules of its own for every file: what a page still does after its test would reach the next one's.
          isolate: true,
          setupFiles: [here("apps/web/src/testing/setup.ts")],
          // Room for a few waits of `testing/setup.ts` that each come late on a busy machine.
          testTimeout: 60_000,
          // What a page loads when it is opened is read here once, before the first test.
          hookTimeout: 60_000,
        },
      },
      {
        // The quality goals: `npm run prove` runs them, with `-- --short` for seconds; `npm test` leaves them out.
        test: {
          name: "proofs",
          root: "proofs",
          include: ["**/*.test.ts"],
          environment: "node",
          globalSetup: [here("apps/api/src/platform/db/test-server.ts")],
          setupFiles: [here("apps/api/src/testing/after-each-file.ts")],
          pool: "forks",
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: "scripts", root: "scripts", include: ["**/*.test.ts"], environment: "node" },
      },
    ],
  },
});
