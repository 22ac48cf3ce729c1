/** Finds a Chromium for the journeys, or installs the system's own where apt has one. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Problem, run } from "./terminal.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** @returns {string | undefined} */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...applications].find(isExecutable);
}

export async function ensureChromium() {
  if (findChromium()) return;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    console.log("Installing Chromium with apt…");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    const update = await run("apt-get", ["update"], { quiet: true, env });
    const install = await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], {
      quiet: true,
      env,
    });
    if (findChromium()) return;
    console.error(update.output + install.output);
  }
  throw new Problem(
    "The journeys need Chromium or Chrome: install one, or set CHROMIUM_PATH to where it is.",
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
