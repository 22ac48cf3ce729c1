import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { applyBackpressure } from "./backpressure.ts";

const mebibyte = 1024 * 1024;
afterEach(() => vi.unstubAllGlobals());

it("reads a whole large body, and collects garbage after every four megabytes of it", async () => {
  const collect = vi.fn();
  vi.stubGlobal("gc", collect);
  let taken = 0;
  const server = createServer((incoming, answer) => {
    incoming.on("data", (piece: Buffer) => {
      taken += piece.length;
      applyBackpressure(incoming, piece);
    });
    incoming.on("end", () => answer.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sending = request({ port, host: "127.0.0.1", method: "POST" });
  sending.end(Buffer.alloc(17 * mebibyte));
  await once(sending, "response");
  server.close();
  expect(taken).toBe(17 * mebibyte);
  // Pieces of other connections count too, and a collection may take a turn or two.
  expect([3, 4, 5]).toContain(collect.mock.calls.length);
  expect(collect).toHaveBeenCalledWith({ type: "minor" });
});
