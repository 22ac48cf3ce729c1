import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/payment-links";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;
const [aurora] = demoCompanies;

beforeAll(async () => {
  app = await buildTestApp();
  [helena, rui, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(() => app.close());
beforeEach(async () => {
  await change("DELETE FROM payment_links");
  await settings({ hasBoletoCharge: true, hasCardCharge: true });
});

const change = (text: string) => app.services.db.pool.query(text);
const settings = (given: Record<string, boolean | string[]>) =>
  setCompany(app.services, aurora?.id ?? "", given);

/** The link accepts only Pix, until tomorrow. */
const good = (changes: object = {}) => ({
  name: "Curso de outubro",
  amount: 150_00,
  expires_at: "2026-08-14T02:59:59.999Z",
  payment_methods: ["pix"],
  ...changes,
});
const create = (body: object, person = helena) => person.call(contracts.createPaymentLink, { body });
const made = async (body: object = {}, person = helena): Promise<contracts.PaymentLink> => {
  const answer = await create(good(body), person);
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  return answer.body;
};
const list = async (query: Record<string, string> = {}, person = helena) =>
  (await person.call(contracts.listPaymentLinks, { query })).body;
const remove = (id: string, person = helena) => person.call(contracts.removePaymentLink, { params: { id } });

describe("permissions", () => {
  it("LNK-001 let analysts, and companies without the permission, see links but not create any", async () => {
    const { id } = await made({}, rui);
    expect((await create(good(), ana)).status).toBe(403);
    expect((await remove(id, ana)).status).toBe(403);
    expect((await list({}, ana)).items).toHaveLength(1);
    await settings({ permissions: ["platform_access"] });
    try {
      expect(await create(good())).toMatchObject({ status: 403, body: { code: "forbidden" } });
      expect((await remove(id)).status).toBe(403);
      expect((await list()).items).toHaveLength(1);
      await settings({ permissions: ["platform_access", "payment_link_generate", "payin_pix"] });
      expect((await create(good())).status).toBe(200);
    } finally {
      await settings({ permissions: ["all"] });
    }
  });

  it("LNK-002 LNK-010 hide the links of another company", async () => {
    const { id } = await made();
    expect(await list({}, marcos)).toEqual({
      items: [],
      metadata: { pagination: { itemsPerPage: 10, totalItems: 0 } },
    });
    expect(await remove(id, marcos)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await list()).items).toHaveLength(1);
  });
});

describe("refuses a link", () => {
  it.each<[string, object, string[]]>([
    ["LNK-013 without a name", { name: "  " }, ["name"]],
    ["LNK-013 with a name of 51 characters", { name: "a".repeat(51) }, ["name"]],
    ["LNK-014 for nothing", { amount: 0 }, ["amount"]],
    ["LNK-014 for half a centavo", { amount: 0.5 }, ["amount"]],
    ["for more than a boleto can say", { amount: 100_000_000_00 }, ["amount"]],
    ["LNK-015 without an end", { expires_at: undefined }, ["expires_at"]],
    ["LNK-015 until no day", { expires_at: "9999-12-31T00:00:00Z" }, ["expires_at"]],
    ["LNK-016 with a description of 101 characters", { description: "a".repeat(101) }, ["description"]],
    ["LNK-017 without a method", { payment_methods: [] }, ["payment_methods"]],
    ["of an unknown method", { payment_methods: ["ted"] }, ["payment_methods.0"]],
    [
      "LNK-019 with due days of four digits",
      { payment_methods: ["boleto"], payment_method_details: { boleto: { due_days: 1000 } } },
      ["payment_method_details.boleto.due_days"],
    ],
  ])("%s", async (_, changes, fields) => {
    expect(await create(good(changes))).toMatchObject({
      status: 400,
      body: { code: "invalid_request", data: { fields } },
    });
    expect((await list()).items).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["LNK-015 over before it begins", { expires_at: "2026-08-12T02:59:59.999Z" }, "payment_link_date_past"],
    ["LNK-019 a boleto due on no day", { payment_methods: ["boleto"] }, "payment_link_due_days_missing"],
    [
      "LNK-020 instalments below one centavo",
      {
        amount: 3,
        payment_methods: ["credit_card"],
        payment_method_details: { credit_card: { max_installments: 4 } },
      },
      "payment_link_installments_over",
    ],
  ])("%s", async (_, changes, code) => {
    expect(await create(good(changes))).toMatchObject({ status: 422, body: { code } });
    expect((await list()).items).toEqual([]);
  });

  it("LNK-018 with a method that its company does not have", async () => {
    await settings({ hasBoletoCharge: false, hasCardCharge: false });
    const boleto = {
      payment_methods: ["pix", "boleto"],
      payment_method_details: { boleto: { due_days: 1 } },
    };
    expect((await create(good(boleto))).body.code).toBe("payment_link_boleto_off");
    expect((await create(good({ payment_methods: ["credit_card"] }))).body.code).toBe(
      "payment_link_card_off",
    );
    expect((await create(good())).status).toBe(200);
  });
});

describe("a new link", () => {
  it("LNK-006 LNK-022 returns all its fields and its address", async () => {
    const link = await made({
      description: " Turma da noite ",
      payment_methods: ["boleto", "credit_card", "pix"],
      payment_method_details: { boleto: { due_days: 999 }, credit_card: { max_installments: 24 } },
    });
    expect(link).toEqual({
      id: expect.any(String),
      name: "Curso de outubro",
      amount: 150_00,
      description: "Turma da noite",
      expires_at: "2026-08-14T02:59:59.999Z",
      created_at: app.clock.now().toISOString(),
      status: "active",
      payment_methods: ["credit_card", "boleto", "pix"],
      payment_method_details: { boleto: { due_days: 999 }, credit_card: { max_installments: 24 } },
      payin_id: null,
      link: expect.stringMatching(/^http:\/\/localhost:3000\/pagar\/[\w-]{22}$/),
    });
    expect((await list()).items).toEqual([link]);
    const other = await made({}, marcos);
    expect(other.link).toMatch(/^http:\/\/horizonte\.localhost:3000\/pagar\//);
    expect(other).toMatchObject({ description: null, payment_method_details: null });
  });

  it("LNK-013 LNK-016 has a name of 50 characters at most, and a description of 100", async () => {
    const [name, description] = ["n".repeat(50), "d".repeat(100)];
    expect(await made({ name, description })).toMatchObject({ name, description });
  });

  it("LNK-022 is valid until the end of its day, whatever the hour", async () => {
    expect((await made({ expires_at: "2026-08-13T15:00:00Z" })).expires_at).toBe("2026-08-14T02:59:59.999Z");
  });

  it("stores no details of methods it does not have, and instalments begin with one", async () => {
    const details = { boleto: { due_days: 3 }, credit_card: { max_installments: 6 } };
    expect((await made({ payment_method_details: details })).payment_method_details).toBeNull();
    expect((await made({ payment_methods: ["credit_card"] })).payment_method_details).toEqual({
      credit_card: { max_installments: 1 },
    });
  });

  it("LNK-022 is created once for a repeated id, also concurrently; with other contents it is refused", async () => {
    const id = randomUUID();
    const whole = {
      id,
      payment_methods: ["boleto", "credit_card"],
      payment_method_details: {
        boleto: {
          due_days: 3,
          fine: { type: "percentage", percent: 2 },
          interest: { type: "percentage_per_month", percent: 1 },
        },
        credit_card: { max_installments: 6 },
      },
    };
    const { boleto, credit_card } = whole.payment_method_details;
    const detailed = (changes: object) => ({
      payment_method_details: { boleto, credit_card, ...changes },
    });
    const [one, two] = await Promise.all([create(good(whole)), create(good(whole))]);
    expect([one.status, one.body]).toEqual([200, two.body]);
    expect((await create(good(whole))).body).toEqual(one.body);
    for (const other of [
      { amount: 151_00 },
      { name: "Outro nome" },
      { description: "Outra descrição" },
      { expires_at: "2026-08-15T02:59:59.999Z" },
      { payment_methods: ["boleto", "credit_card", "pix"] },
      detailed({ boleto: { ...boleto, due_days: 4 } }),
      detailed({ boleto: { ...boleto, fine: { type: "percentage", percent: 1 } } }),
      detailed({ boleto: { ...boleto, interest: { type: "percentage_per_month", percent: 2 } } }),
      detailed({ boleto: { due_days: 3 } }),
      detailed({ credit_card: { max_installments: 7 } }),
    ])
      expect([other, (await create(good({ ...whole, ...other }))).body.code]).toEqual([
        other,
        "idempotency_key_reused",
      ]);
    expect((await list()).metadata.pagination.totalItems).toBe(1);
    // The id alone gives another company nothing.
    expect((await create(good({ id }), marcos)).body.link).not.toBe(one.body.link);
  });
});

describe("the list", () => {
  it("LNK-002 pages from 0, ten at a time, the newest first", async () => {
    for (let made_ = 1; made_ <= 12; made_++) {
      await made({ name: `Link ${made_}` });
      app.clock.advance({ seconds: 1 });
    }
    const names = async (query: Record<string, string>) =>
      (await list(query)).items.map(({ name }: contracts.PaymentLink) => name);
    expect(await names({})).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((nr) => `Link ${nr}`));
    expect(await names({ page: "1" })).toEqual(["Link 2", "Link 1"]);
    expect(await names({ page: "1", page_size: "5" })).toEqual([7, 6, 5, 4, 3].map((nr) => `Link ${nr}`));
    expect(await names({ page: "2", page_size: "5" })).toEqual(["Link 2", "Link 1"]);
    expect((await list({ page: "1", page_size: "5" })).metadata).toEqual({
      pagination: { itemsPerPage: 5, totalItems: 12 },
    });
  });

  it("LNK-007 shows a link as ended on the day after its last", async () => {
    await made();
    const statusAt = async (instant: string) => {
      app.clock.set(instant);
      helena = await app.as("helena@aurora.example");
      return (await list()).items[0].status;
    };
    const start = app.clock.now();
    expect(await statusAt("2026-08-14T02:59:59Z")).toBe("active");
    expect(await statusAt("2026-08-14T03:00:00Z")).toBe("expired");
    app.clock.set(start);
  });
});

describe("deleting", () => {
  it("LNK-002 LNK-010 removes it from the list, once, and records who did it in the trail", async () => {
    const { id } = await made();
    await made({ name: "Outro" });
    const answers = await Promise.all([remove(id), remove(id, rui)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const left = await list();
    expect(left.items.map(({ name }: contracts.PaymentLink) => name)).toEqual(["Outro"]);
    expect(left.metadata.pagination.totalItems).toBe(1);
    const { rows } = await app.services.db.withCompany(aurora?.id ?? "", (tx) =>
      sql`SELECT action FROM audit_entries WHERE subject_id = ${id} ORDER BY id`.execute(tx),
    );
    expect(rows).toEqual([{ action: "payment_link_created" }, { action: "payment_link_removed" }]);
    // A repeated request with its id leaves the link deleted.
    expect((await create(good({ id }))).status).toBe(404);
  });

  it("LNK-022 repeats the link of an id after its last day, and after a method was turned off", async () => {
    const wanted = {
      id: randomUUID(),
      payment_methods: ["boleto"],
      payment_method_details: { boleto: { due_days: 3 } },
    };
    const link = await made(wanted);
    await settings({ hasBoletoCharge: false });
    expect(await made(wanted)).toEqual(link);
    const start = app.clock.now();
    app.clock.set("2026-08-14T03:00:00Z");
    helena = await app.as("helena@aurora.example");
    expect(await made(wanted)).toMatchObject({ id: link.id, link: link.link, status: "expired" });
    app.clock.set(start);
    helena = await app.as("helena@aurora.example");
  });

  it("LNK-009 removes a link that ended unpaid", async () => {
    const { id } = await made();
    const start = app.clock.now();
    app.clock.set("2026-08-14T03:00:00Z");
    helena = await app.as("helena@aurora.example");
    expect((await list()).items[0].status).toBe("expired");
    expect((await remove(id)).status).toBe(200);
    expect((await list()).items).toEqual([]);
    app.clock.set(start);
  });
});
