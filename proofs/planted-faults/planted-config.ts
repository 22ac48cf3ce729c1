/** Vitest configuration for a planted fault: one worker, and one database server for all the faults. */
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: join(import.meta.dirname, "../.."),
    include: ["{apps/api,packages,proofs}/**/*.test.ts"],
    environment: "node",
    globalSetup: [join(import.meta.dirname, "planted-server.ts")],
    pool: "forks",
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
