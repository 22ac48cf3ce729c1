import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { authorize } from "@malote/contracts/session";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildToken } from "../testing/token.ts";
import { readSession, readToken, storeToken } from "./session.ts";
import { exchangeToken, keepSession, renewalNeed } from "./session-keeper.ts";

const minute = 60_000;

describe("token", () => {
  it("SES-031 is stored in local storage under one key", () => {
    const token = buildToken();
    storeToken(token);
    expect(Object.entries(localStorage)).toEqual([[tokenStorageKey, token]]);
  });

  it("SES-031 is named by that key in one place of the code", () => {
    const root = join(import.meta.dirname, "../../../..");
    const code = [
      "apps/web/src",
      "apps/api/src",
      "packages/contracts/src",
      "packages/domain/src",
      "bench",
      "e2e",
      "proofs",
    ];
    const naming = code
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
          join(folder, name),
        ),
      )
      .filter(
        (name) =>
          /\.tsx?$/.test(name) && readFileSync(join(root, name), "utf8").includes(`"${tokenStorageKey}"`),
      );
    expect(naming).toEqual(["packages/contracts/src/token-storage.ts"]);
  });

  it("SES-032 names the signed-in person, with accents", () => {
    storeToken(buildToken({ name: "João Araújo" }));
    expect(readSession()).toMatchObject({ name: "João Araújo", profile: "admin", permissions: ["all"] });
  });

  it.each(["", "x", "a.b.c", `a.${btoa("{}")}.c`, `a.${btoa("null")}.c`])(
    "SES-042 %j is no session",
    (token) => {
      storeToken(token);
      expect(readSession()).toBeUndefined();
    },
  );
});

describe("silent renewal", () => {
  it.each([
    { left: 0, idle: 0, need: "ended" },
    { left: 1, idle: 0, need: "renew" },
    { left: 10 * minute, idle: 0, need: "renew" },
    { left: 10 * minute + 1, idle: 0, need: "none" },
    { left: 5 * minute, idle: 15 * minute, need: "renew" },
    { left: 5 * minute, idle: 15 * minute + 1, need: "none" },
  ])("SES-036 with $left ms left and $idle ms without use: $need", ({ left, idle, need }) => {
    const now = 1_000_000_000;
    expect(renewalNeed({ now, expiresAt: now + left, lastUseAt: now - idle })).toBe(need);
  });

  it("SES-036 exchanges the token once, ten minutes before it ends", async () => {
    vi.useFakeTimers();
    const old = buildToken();
    storeToken(old);
    const next = buildToken({
      iat: Math.floor(Date.now() / 1000) + 1200,
      exp: Math.floor(Date.now() / 1000) + 3000,
    });
    fakeServer.on(authorize, () => ({ access_token: next, token_type: "Bearer" as const, expires_in: 1800 }));
    const stop = keepSession();
    await vi.advanceTimersByTimeAsync(19 * minute);
    dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
    expect(fakeServer.calls(authorize)).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(readToken()).toBe(next);
    expect(fakeServer.calls(authorize).map(({ body }) => body)).toEqual([
      { grant_type: "refresh_token", refresh_token: old },
    ]);
    stop();
  });

  it("SES-036 keeps the valid token after a failed exchange and retries", async () => {
    vi.useFakeTimers();
    const old = buildToken({ exp: Math.floor(Date.now() / 1000) + 300 });
    storeToken(old);
    fakeServer.on(authorize, () => refuse("unavailable"));
    dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
    const stop = keepSession();
    await vi.advanceTimersByTimeAsync(2 * minute);
    expect(readToken()).toBe(old);
    expect(fakeServer.calls(authorize).length).toBeGreaterThan(1);
    stop();
  });

  it("SES-036 never exchanges the same token in two tabs: each waits for the lock", async () => {
    let held: Promise<unknown> = Promise.resolve();
    const locks = {
      request: (_name: string, work: () => Promise<void>) => {
        const turn = held.then(work);
        held = turn.catch(() => undefined);
        return turn;
      },
    };
    const own = Object.getOwnPropertyDescriptor(navigator, "locks");
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    storeToken(buildToken());
    let made = 0;
    fakeServer.on(authorize, () => ({
      access_token: buildToken({ jti: `0198f000-0000-7000-8000-00000000010${made++}` }),
      token_type: "Bearer" as const,
      expires_in: 1800,
    }));
    await Promise.all([exchangeToken(), exchangeToken()]);
    const sent = fakeServer
      .calls(authorize)
      .map(({ body }) => (body as { refresh_token: string }).refresh_token);
    expect(new Set(sent).size).toBe(2);
    if (own) Object.defineProperty(navigator, "locks", own);
    else Reflect.deleteProperty(navigator, "locks");
  });
});
