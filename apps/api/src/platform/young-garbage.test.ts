import { expect, it } from "vitest";
import { passesThrough } from "./young-garbage.ts";

it("S5 lets go of the pieces of a large body long before V8 would look for them", () => {
  const pieceBytes = 64 * 1024;
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let sent = 0; sent < 100 * 1024 * 1024; sent += pieceBytes) {
    Buffer.alloc(pieceBytes);
    passesThrough(pieceBytes);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  expect(most).toBeLessThan(24 * 1024 * 1024);
});
