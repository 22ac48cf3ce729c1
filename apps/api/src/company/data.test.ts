import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import {
  changeCompany,
  readCompany,
  readLogo,
  readTransferLimits,
  uploadLogo,
} from "@malote/contracts/company";
import { changeValidationCompany, readValidationCompany } from "@malote/contracts/validation";
import { logoBytesMax } from "@malote/domain/logo";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";
import { multipart, multipartType, type Part } from "../testing/import-kit.ts";
import { tidyLogos } from "./tidy-logos.ts";

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
let app: TestApp;
let people: DemoPeople;
beforeAll(async () => {
  app = await buildTestApp();
  people = await signInDemoPeople(app);
});
afterAll(() => app.close());

/** A valid picture of one colour without checksums, because no test draws it. */
function png(width: number, height: number, filler = 0): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return Buffer.concat([length, Buffer.from(name), content, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.alloc(filler, "a")),
    chunk("IDAT", deflateSync(Buffer.alloc(100))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
const send = (person: Person, content: Buffer | string, fileName = "logo.png", parts?: Part[]) =>
  person.post(
    "/api/payments/app/company/logo",
    multipart(
      parts ?? [
        { name: "fileName", content: fileName },
        { name: "file", fileName, content },
      ],
    ),
    multipartType,
  );
const storedFiles = (companyId = aurora.id): string[] => {
  const folder = join(app.services.config.dataDir, "logos", companyId);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const entries = (action: string) =>
  app.services.db.withCompany(aurora.id, async (tx) => {
    const { rows } = await sql<{ actor_name: string; detail: object }>`
      SELECT actor_name, detail FROM audit_entries WHERE action = ${action} ORDER BY id
    `.execute(tx);
    return rows;
  });

describe("company data", () => {
  it.each(["rui", "ana"] as const)("COM-002 refuses %s, who is not an admin", async (name) => {
    for (const answer of [
      await people[name].call(readCompany),
      await people[name].call(changeCompany, { body: { phone: null } }),
      await send(people[name], png(100, 60)),
      await people[name].call(readLogo),
      await people[name].call(readTransferLimits),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("COM-007 reads name, CNPJ, phone and logo", async () => {
    expect((await people.helena.call(readCompany)).body).toEqual({
      name: aurora.name,
      cpfCnpj: aurora.taxId,
      phone: null,
      address: aurora.address,
      logo: null,
      status: "active",
    });
  });

  it.each(["123", "(10) 98765-4321", "+44 20 7946 0958", "telefone"])(
    "refuses the phone '%s'",
    async (phone) => {
      const answer = await people.helena.call(changeCompany, { body: { phone } });
      expect(answer).toMatchObject({ status: 422, body: { code: "company_phone_invalid" } });
      expect((await people.helena.call(readCompany)).body.phone).toBeNull();
    },
  );

  it("COM-007 saves the phone for this company alone, and records the former one", async () => {
    const save = (phone: string | null) => people.helena.call(changeCompany, { body: { phone } });
    expect(await save("(48) 3241-7788")).toMatchObject({
      status: 200,
      body: { name: aurora.name, phone: "4832417788" },
    });
    // An unchanged value writes no audit entry.
    await save("+55 48 3241 7788");
    expect((await people.helena.call(readCompany)).body.phone).toBe("4832417788");
    expect((await people.marcos.call(readCompany)).body).toMatchObject({ name: horizonte.name, phone: null });
    expect((await save("  ")).body.phone).toBeNull();
    expect(await entries("company.data_changed")).toEqual([
      { actor_name: "Helena Prado", detail: { changes: { phone: { from: null, to: "•••788" } } } },
      { actor_name: "Helena Prado", detail: { changes: { phone: { from: "•••788", to: null } } } },
    ]);
  });

  it("COM-007 saves a complete address or none, and records the former one", async () => {
    const save = (address: unknown) => people.helena.call(changeCompany, { body: { phone: null, address } });
    const there = { ...aurora.address, city: "Blumenau", complement: null };
    expect((await save({ ...there, postal_code: "8801" })).body.code).toBe("invalid_request");
    expect((await save({ ...there, street: " " })).body.code).toBe("invalid_request");
    expect((await save(there)).body.address).toEqual(there);
    // An omitted field keeps its value.
    await people.helena.call(changeCompany, { body: { phone: null } });
    expect((await people.helena.call(readCompany)).body.address).toEqual(there);
    expect((await people.marcos.call(readCompany)).body.address).toEqual(horizonte.address);
    expect((await save(null)).body.address).toBeNull();
    const noted = await entries("company.data_changed");
    expect(noted.slice(-2).map(({ detail }) => detail)).toEqual([
      { changes: { address: { from: aurora.address, to: there } } },
      { changes: { address: { from: there, to: null } } },
    ]);
    await save(aurora.address);
  });

  it("COM-002 COM-008 is read and saved in the validation application too, by admins, with the phone as digits", async () => {
    const inValidation = await app.as("helena@aurora.example", "validation");
    const save = (phone: string | null, by = inValidation) =>
      by.call(changeValidationCompany, { body: { phone } });
    expect(await save("4832417788")).toMatchObject({ status: 200, body: { phone: "4832417788" } });
    expect((await inValidation.call(readValidationCompany)).body).toMatchObject({
      cpfCnpj: aurora.taxId,
      phone: "4832417788",
    });
    expect((await save("(48) 3241-7788")).body.code).toBe("invalid_request");
    expect((await save("123")).body.code).toBe("company_phone_invalid");
    expect((await save(null, people.helena)).status).toBe(403);
    for (const email of ["rui@aurora.example", "ana@aurora.example"]) {
      const other = await app.as(email, "validation");
      expect((await save(null, other)).status).toBe(403);
      expect((await other.call(readValidationCompany)).status).toBe(403);
    }
    expect((await save(null)).body.phone).toBeNull();
  });
});

describe("the logo", () => {
  it("is absent before its upload", async () => {
    expect(await people.helena.call(readLogo)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("COM-006 is uploaded in the payments application", async () => {
    const validating = await app.as("helena@aurora.example", "validation");
    expect((await validating.call(readCompany)).status).toBe(200);
    expect(await send(validating, png(100, 60))).toMatchObject({ status: 403 });
  });

  it.each([
    ["47 pixels of height", png(300, 47), "logo.png", 422, "logo_too_low", "48 pixels"],
    ["more than 4,000 pixels", png(60_000, 60_000), "logo.png", 422, "logo_too_many_pixels", "4.000 pixels"],
    [
      "a picture of another kind",
      "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "logo.png",
      422,
      "logo_wrong_kind",
      "PNG ou JPEG",
    ],
    [
      "a page that calls itself a picture",
      "<script>alert(1)</script>",
      "logo.jpg",
      422,
      "logo_wrong_kind",
      "PNG ou JPEG",
    ],
    [
      "a page behind a picture",
      Buffer.concat([png(99, 99), Buffer.from("<html>")]),
      "logo.png",
      422,
      "logo_wrong_kind",
      "PNG ou JPEG",
    ],
    ["nothing", "", "logo.png", 422, "logo_wrong_kind", "PNG ou JPEG"],
    [
      "a byte more than 1 MiB",
      png(100, 100, logoBytesMax - png(100, 100).length + 1),
      "logo.png",
      413,
      "logo_too_large",
      "1 MB",
    ],
    ["far more than 1 MiB", Buffer.alloc(3_000_000), "logo.png", 413, "logo_too_large", "1 MB"],
  ])(
    "COM-010 refuses %s, with its limit, and stores no file",
    async (_, content, name, status, code, words) => {
      const answer = await send(people.helena, content, name);
      expect(answer).toMatchObject({ status, body: { code } });
      expect(answer.body.message).toContain(words);
      expect(storedFiles()).toEqual([]);
      expect((await people.helena.call(readCompany)).body.logo).toBeNull();
    },
  );

  it("refuses two files, no file, and a body that is not a form", async () => {
    const file = { name: "file", fileName: "a.png", content: png(100, 60) };
    for (const parts of [[file, file], [{ name: "fileName", content: "a.png" }]])
      expect(await send(people.helena, "", "", parts)).toMatchObject({
        status: 400,
        body: { code: "logo_upload_failed" },
      });
    const json = await people.helena.call(uploadLogo, { body: { file: "a" } });
    expect(json).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
    expect(storedFiles()).toEqual([]);
  });

  it("COM-009 COM-010 is stored by its bytes, whatever its name, and returned only as a picture", async () => {
    const picture = png(200, 48);
    const answer = await send(people.helena, picture, "../../etc/pagina.html");
    expect(answer).toMatchObject({ status: 200, body: { name: aurora.name } });
    expect(answer.body.logo).toMatch(/^\/app\/company\/logo\?v=[0-9a-f]{16}$/);
    expect((await people.helena.call(readCompany)).body.logo).toBe(answer.body.logo);
    const { rawPayload, headers } = await app.server.inject({
      url: "/api/payments/app/company/logo",
      headers: { authorization: `Bearer ${people.helena.token}` },
    });
    expect(rawPayload.equals(picture)).toBe(true);
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-disposition": `inline; filename="logo.png"; filename*=UTF-8''logo.png`,
    });
    expect(await entries("company.logo_changed")).toEqual([
      { actor_name: "Helena Prado", detail: { type: "image/png", width: 200, height: 48 } },
    ]);
  });

  it("belongs to its company", async () => {
    expect((await people.marcos.call(readLogo)).status).toBe(404);
    expect((await people.marcos.call(readCompany)).body.logo).toBeNull();
  });

  it("COM-010 may have exactly 1 MiB; a new one replaces the old one, also on the disk", async () => {
    const before = (await people.helena.call(readCompany)).body.logo;
    const answer = await send(people.helena, png(100, 100, logoBytesMax - png(100, 100).length));
    expect(answer.status).toBe(200);
    expect(answer.body.logo).not.toBe(before);
    expect(storedFiles()).toHaveLength(1);
  });

  it("COM-010 may be a JPEG, and is returned as one", async () => {
    // Its frame header declares 120 by 100 pixels.
    const jpeg = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 100, 0, 120, 1, 1, 0x11, 0, 0xff, 0xd9];
    expect((await send(people.helena, Buffer.from(jpeg), "marca.png")).status).toBe(200);
    const { rawPayload, headers } = await app.server.inject({
      url: "/api/payments/app/company/logo",
      headers: { authorization: `Bearer ${people.helena.token}` },
    });
    expect([...rawPayload]).toEqual(jpeg);
    expect(headers).toMatchObject({
      "content-type": "image/jpeg",
      "content-disposition": `inline; filename="logo.jpg"; filename*=UTF-8''logo.jpg`,
    });
  });

  it("is one of several concurrent uploads, with its file", async () => {
    const answers = await Promise.all([90, 91].map((height) => send(people.helena, png(120, height))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(storedFiles()).toHaveLength(1);
    expect((await people.helena.call(readLogo)).status).toBe(200);
  });

  it("is saved even if the old one cannot be removed", async () => {
    const old = storedFiles()[0] ?? "";
    const remove = vi.spyOn(app.services.files, "remove").mockRejectedValueOnce(new Error("disk"));
    expect((await send(people.helena, png(120, 92))).status).toBe(200);
    remove.mockRestore();
    const { statusCode } = await app.server.inject({
      url: "/api/payments/app/company/logo",
      headers: { authorization: `Bearer ${people.helena.token}` },
    });
    expect(statusCode).toBe(200);
    expect(storedFiles()).toHaveLength(2);
    rmSync(join(app.services.config.dataDir, "logos", aurora.id, old));
  });

  it("leaves no unused file: the clean-up deletes one that no company names after a day", async () => {
    const [kept] = storedFiles();
    const folder = join(app.services.config.dataDir, "logos", aurora.id);
    const old = new Date(Date.now() - 25 * 3_600_000);
    for (const name of ["killed.part", "replaced", "fresh"]) writeFileSync(join(folder, name), "x");
    for (const name of ["killed.part", "replaced", kept ?? ""]) utimesSync(join(folder, name), old, old);
    await tidyLogos(app.services);
    expect(storedFiles().sort()).toEqual([kept, "fresh"].sort());
  });
});

describe("the limits", () => {
  it("COM-035 SES-074 show by period and type the amounts that a payment is checked against", async () => {
    const limit = (cents: number) => ({ PIX: cents, TEV: cents, TED: cents, BILLET: cents });
    expect((await people.helena.call(readTransferLimits)).body).toEqual({
      TRANSACTION: limit(250_000_00),
      DAILY: limit(1_000_000_000_00),
      NIGHTLY: limit(200_000_000_00),
      WEEKEND: limit(500_000_000_00),
    });
    // COM-003: an admin of the other application may read it too.
    const validating = await app.as("helena@aurora.example", "validation");
    expect((await validating.call(readTransferLimits)).body.TRANSACTION).toEqual(limit(250_000_00));
    await app.services.db.withCompany(horizonte.id, (tx) =>
      sql`
        UPDATE companies SET settings = jsonb_set(settings, '{accountLimits}', '{"PIX": 500000, "TED": 70000}')
        WHERE company_id = ${horizonte.id}
      `.execute(tx),
    );
    expect((await people.marcos.call(readTransferLimits)).body.TRANSACTION).toEqual({
      PIX: 500_000,
      TED: 70_000,
      TEV: 500_000,
      BILLET: 500_000,
    });
  });
});
