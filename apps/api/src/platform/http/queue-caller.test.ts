import { once } from "node:events";
import { get, request } from "node:http";
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { queueCaller } from "./queue-caller.ts";

const app = fastify();
afterAll(() => app.close());

const actor = { id: "ana" };
const callers: ReturnType<typeof queueCaller>[] = [];
const { promise: cut, resolve: cutNow } = Promise.withResolvers<void>();
app.get("/answered", (_request, reply) => {
  callers.push(queueCaller({ id: "readIt", method: "GET" }, { actor, reply }));
  return "ok";
});
app.get("/cut", async (_request, reply) => {
  const caller = queueCaller({ id: "readIt", method: "GET" }, { actor, reply });
  callers.push(caller);
  cutNow();
  await once(caller.gone as AbortSignal, "abort");
  return "too late";
});
app.post("/changed", (_request, reply) => {
  callers.push(queueCaller({ id: "changeIt", method: "POST" }, { actor, reply }));
  return "ok";
});

it("aborts for a read whose client disconnected before its answer, and for no other call", async () => {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const at = { port: (app.server.address() as AddressInfo).port, host: "127.0.0.1", agent: false };
  const [answered] = await once(get({ ...at, path: "/answered" }), "response");
  answered.resume();
  await once(answered, "close");
  const changing = request({ ...at, path: "/changed", method: "POST" });
  changing.end();
  const [changed] = await once(changing, "response");
  changed.resume();
  await once(changed, "close");
  const left = get({ ...at, path: "/cut" }).on("error", () => undefined);
  await cut;
  left.destroy();
  const gone = callers.at(-1)?.gone as AbortSignal;
  if (!gone.aborted) await once(gone, "abort");
  expect(callers.map(({ gone: signal, ...caller }) => ({ ...caller, gone: signal?.aborted }))).toEqual([
    { kind: "readIt", person: "ana", gone: false },
    { kind: "changeIt", person: "ana", gone: undefined },
    { kind: "readIt", person: "ana", gone: true },
  ]);
});
