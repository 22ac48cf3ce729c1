import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./scripts/steps/chromium.mjs";

const executablePath = findChromium();
const jsonReport = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // One browser and one server share the machine; more of them only make each other slow.
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: jsonReport ? [["list"], ["json", { outputFile: jsonReport }]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    actionTimeout: 15_000,
    locale: "pt-BR",
    timezoneId: "America/Sao_Paulo",
    trace: "retain-on-failure",
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
