import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { readAgain, readChanges } from "./follow-changes.ts";

function serveParts(...parts: string[]): void {
  const bytes = parts.map((part) => new TextEncoder().encode(part));
  vi.stubGlobal("fetch", async () => new Response(new Blob(bytes).stream()));
}

describe("stream of changes", () => {
  it("is read message by message, and returns when to reconnect", async () => {
    serveParts(
      'retry: 30000\n\n:\n\nevent: change\ndata: {"top',
      'ics":["batch","payin"]}\n\n',
      "event: change\ndata: {",
    );
    const seen: unknown[] = [];
    expect(await readChanges((topics) => seen.push(topics), new AbortController().signal)).toBe(30_000);
    expect(seen).toEqual([["batch", "payin"]]);
  });

  it("invalidates lists, the balance and the head of an open batch, and never its rows", () => {
    const client = new QueryClient();
    const keys = [
      ["batches", "list", { month: "2026-08" }],
      ["batches", "one", "id", "batch"],
      ["batches", "one", "id", "issues"],
      ["balance"],
      ["notifications"],
      ["payins", "list"],
    ];
    for (const key of keys) client.setQueryData(key, {});
    readAgain(client, ["batch"]);
    const stale = keys.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => key.join("/"));
    expect(stale).toEqual([
      "batches/list/[object Object]",
      "batches/one/id/batch",
      "balance",
      "notifications",
    ]);
  });
});
