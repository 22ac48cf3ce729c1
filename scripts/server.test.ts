import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serverFlags } from "./steps/server.mjs";
import { root } from "./steps/terminal.mjs";

it("starts the same way in a container", () => {
  const [, command = ""] = /^CMD (.*)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
  expect(JSON.parse(command)).toEqual(["node", ...serverFlags, "apps/api/src/start.js"]);
});
