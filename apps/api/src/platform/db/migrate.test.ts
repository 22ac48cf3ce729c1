import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databaseBefore, type OldDatabase } from "../../testing/migration-kit.ts";
import { checksumOf } from "./migrate.ts";

let database: OldDatabase;
beforeEach(async () => {
  database = await databaseBefore("0003");
}, 30_000);
afterEach(() => database.close());

const checksums = () =>
  database.query<{ name: string; checksum: string | null }>(
    "SELECT name, checksum FROM migrations ORDER BY name",
  );

describe("migrate", () => {
  it("stores the checksums of applied files, and accepts the same files again", async () => {
    const before = await checksums();
    expect(before.map(({ checksum }) => checksum)).toEqual(
      before.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)),
    );
    await database.upTo("0002");
    expect(await checksums()).toEqual(before);
  });

  it("refuses a file that was changed after it was applied, and applies nothing more", async () => {
    await database.query("UPDATE migrations SET checksum = 'another' WHERE name LIKE '0002%'");
    await expect(database.upTo("0004")).rejects.toThrow(
      /migration 0002_\w+\.sql was changed after it was applied/,
    );
    expect(await checksums()).toHaveLength(2);
  });

  it("accepts the present files for migrations that were applied before checksums existed", async () => {
    const before = await checksums();
    await database.query("UPDATE migrations SET checksum = NULL");
    await database.upTo("0002");
    expect(await checksums()).toEqual(before);
  });
});

describe("checksumOf", () => {
  it("covers statements and not their comments or line breaks", () => {
    const [one, other] = ["CREATE TABLE a (b int);\n", "-- Why.\nCREATE TABLE a\n  (b int);"];
    expect(checksumOf(other)).toBe(checksumOf(one));
    expect(checksumOf("CREATE TABLE a (b bigint);")).not.toBe(checksumOf(one));
  });
});
