import { expect, it } from "vitest";
import { databaseBefore } from "../testing/migration-kit.ts";

it("0137 records the start of the history, and not that of another subscriber", async () => {
  const old = await databaseBefore("0137");
  try {
    await old.query(
      "INSERT INTO event_subscribers (name, since) VALUES ('object-history', 0), ('payee-emails', 0)",
    );
    await old.query(
      "UPDATE migrations SET applied_at = '2026-03-01T12:00:00Z' WHERE name = '0133_object_history.sql'",
    );
    await old.upTo("0137");
    expect(await old.query("SELECT name, since_at FROM event_subscribers ORDER BY name")).toEqual([
      { name: "object-history", since_at: new Date("2026-03-01T12:00:00Z") },
      { name: "payee-emails", since_at: null },
    ]);
  } finally {
    await old.close();
  }
});
