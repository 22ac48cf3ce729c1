import { expect, it } from "vitest";
import { ClientGone, fairSemaphore, type QueuedCaller } from "./fair-semaphore.ts";

/** Work that ends on request and reports its start. */
function bench(rules: Parameters<typeof fairSemaphore>[0]) {
  let clock = 0;
  const oneOfThem = fairSemaphore({ now: () => clock, ...rules });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const makeCall = (company: string, name: string, kind?: string, caller: Omit<QueuedCaller, "kind"> = {}) =>
    oneOfThem(
      company,
      () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(name, resolve);
        return promise;
      },
      { ...(kind !== undefined && { kind }), ...caller },
    );
  /** Every call that may begin has begun by now. */
  const settled = async () => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  /** Requests the call while no other runs; it answers after this many milliseconds. */
  const takes = async (company: string, kind: string, ms: number) => {
    const answered = makeCall(company, `${kind} of ${ms}`, kind);
    await settled();
    clock += ms;
    await end(`${kind} of ${ms}`);
    await answered;
    begun.pop();
  };
  return { oneOfThem, begun, makeCall, end, settled, takes };
}
const rules = { perCompany: 2, overall: 3, waitingMax: 3 };

it("runs a few of a company at a time, and others' beside them", async () => {
  const { begun, makeCall, end, settled } = bench(rules);
  const all = ["a1", "a2", "a3"].map((name) => makeCall("a", name));
  all.push(makeCall("b", "b1"));
  await settled();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  for (const name of begun) await end(name);
  await Promise.all(all);
});

it("lets the companies take turns if all places are occupied", async () => {
  const { begun, makeCall, end, settled } = bench({ perCompany: 2, overall: 2, waitingMax: 10 });
  const all = ["a1", "a2", "a3", "a4"].map((name) => makeCall("a", name));
  all.push(makeCall("b", "b1"), makeCall("c", "c1"));
  await settled();
  expect(begun).toEqual(["a1", "a2"]);
  await end("a1");
  await end("a2");
  expect(begun.slice(2).sort()).toEqual(["b1", "c1"]);
  for (const name of ["b1", "c1", "a3", "a4"]) await end(name);
  await Promise.all(all);
  expect(begun).toHaveLength(6);
});

it("lets the people of a company take turns", async () => {
  const { begun, makeCall, end, settled } = bench({ perCompany: 1, overall: 8, waitingMax: 10 });
  const all = ["a1", "a2", "a3"].map((name) => makeCall("a", name, undefined, { person: "ana" }));
  all.push(...["r1", "r2"].map((name) => makeCall("a", name, undefined, { person: "rui" })));
  await settled();
  for (const name of ["a1", "r1", "a2", "r2", "a3"]) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(["a1", "r1", "a2", "r2", "a3"]);
});

it("refuses excess calls of one company, and none of another", async () => {
  const { oneOfThem, begun, makeCall, end } = bench(rules);
  const all = ["a1", "a2", "a3", "a4", "a5"].map((name) => makeCall("a", name));
  await expect(oneOfThem("a", async () => undefined)).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await oneOfThem("b", async () => "served")).toBe("served");
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);
  expect(await oneOfThem("a", async () => "room again")).toBe("room again");
});

it("continues after a failure", async () => {
  const oneOfThem = fairSemaphore({ perCompany: 1, overall: 1, waitingMax: 10 });
  const ends = await Promise.allSettled([
    oneOfThem("a", () => Promise.reject(new Error("fails"))),
    oneOfThem("a", async () => "goes on"),
    oneOfThem("b", async () => "and so does the neighbour"),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
});

const withLong = { perCompany: 3, overall: 8, waitingMax: 10, long: { perCompany: 1, fromMs: 100 } };

it("runs one long call of a company at a time, and lets its short ones and other companies overtake", async () => {
  const { begun, makeCall, end, settled, takes } = bench(withLong);
  await takes("a", "search", 300);
  await takes("a", "balance", 5);
  await takes("b", "search", 300);
  const all = ["s1", "s2"].map((name) => makeCall("a", name, "search"));
  all.push(
    ...["b1", "b2", "b3"].map((name) => makeCall("a", name, "balance")),
    makeCall("b", "other", "search"),
  );
  await settled();
  expect(begun).toEqual(["s1", "b1", "b2", "other"]);
  await end("b1");
  expect(begun.slice(4)).toEqual(["b3"]);
  await end("s1");
  expect(begun.slice(5)).toEqual(["s2"]);
  for (const name of begun) await end(name);
  await Promise.all(all);
});

it("counts a call without a known duration as long until it is answered", async () => {
  const { begun, makeCall, end, settled } = bench(withLong);
  const all = ["a1", "a2", "a3", "a4"].map((name) => makeCall("a", name, "balance"));
  await settled();
  expect(begun).toEqual(["a1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "a2", "a3", "a4"]);
  for (const name of begun) await end(name);
  await Promise.all(all);
});

it("does not treat a long call as short because of a few short ones", async () => {
  const { begun, makeCall, end, settled, takes } = bench(withLong);
  const together = async () => {
    const from = begun.length;
    const all = ["a1", "a2", "a3"].map((name) => makeCall("a", name, "search"));
    await settled();
    const count = begun.length - from;
    for (const name of ["a1", "a2", "a3"]) await end(name);
    await Promise.all(all);
    return count;
  };
  await takes("a", "search", 300);
  for (let times = 0; times < 5; times++) await takes("a", "search", 5);
  expect(await together()).toBe(1);
  for (let times = 0; times < 10; times++) await takes("a", "search", 5);
  expect(await together()).toBe(3);
  await takes("a", "search", 300);
  expect(await together()).toBe(1);
});

it("never begins a waiting call whose client disconnected, and gives its place to the next one", async () => {
  const { begun, makeCall, end, settled } = bench(rules);
  const running = [makeCall("a", "a1"), makeCall("a", "a2")];
  const client = new AbortController();
  const left = makeCall("a", "left", undefined, { gone: client.signal });
  const waiting = [makeCall("a", "a3"), makeCall("a", "a4")];
  await expect(makeCall("a", "one too many")).rejects.toThrow();
  client.abort();
  await expect(left).rejects.toThrow(ClientGone);
  await expect(makeCall("a", "gone before", undefined, { gone: client.signal })).rejects.toThrow(ClientGone);
  waiting.push(makeCall("a", "a5"));
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) await end(name);
  await Promise.all([...running, ...waiting]);
  await settled();
  expect(begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);
});

it("completes a call whose client disconnects after it began", async () => {
  const { makeCall, end, settled } = bench(rules);
  const client = new AbortController();
  const call = makeCall("a", "a1", undefined, { gone: client.signal });
  await settled();
  client.abort();
  await end("a1");
  await expect(call).resolves.toBeUndefined();
});

it("leaves places to the colleagues when one person has used up theirs", async () => {
  const { makeCall, end } = bench({ ...rules, waitingPerPersonMax: 2 });
  const by = (person: string, name: string) => makeCall("a", name, undefined, { person });
  const calls = [by("ana", "1"), by("ana", "2"), by("ana", "3"), by("ana", "4")];
  await expect(by("ana", "5")).rejects.toThrow();
  calls.push(by("rui", "6"));
  for (const name of ["1", "2", "3", "4", "6"]) await end(name);
  await Promise.all(calls);
});
