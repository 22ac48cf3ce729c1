import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./scripts/steps/chromium.mjs";

const executablePath = findChromium();
const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

const long = ["screens", "resilience", "pay-boletos", "main-job", "keyboard"].map(
  (name) => `${name}.spec.ts`,
);

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Each has a browser and a server of its own; half of a journey is waiting.
  workers: 3,
  // The long ones go first, so that no worker ends on one of them alone.
  projects: [
    { name: "long", testMatch: long },
    { name: "journeys", testIgnore: long },
  ],
  forbidOnly: true,
  // A busy machine takes its time; only what fails waits this long.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: jsonReport ? [["list"], ["json", { outputFile: jsonReport }]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    actionTimeout: 20_000,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    // Keeping every step's page for a failure costs time in every run; whoever looks for one asks with `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // The browser under test talks to our server and to nobody else.
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
