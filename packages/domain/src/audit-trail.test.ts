import { describe, expect, it } from "vitest";
import { auditActions, auditChanges, auditFields, auditObjects } from "./audit-trail.ts";

describe("vocabulary of the audit trail", () => {
  it("names every action and field once, in Portuguese, each of a known kind of object", () => {
    const labels = Object.values(auditActions).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    for (const { label, object } of Object.values(auditActions)) {
      expect(label).toMatch(/^[A-ZÀ-Ú][\wÀ-ú\- ]{4,60}$/);
      expect(Object.keys(auditObjects)).toContain(object);
    }
    for (const { label } of Object.values(auditFields)) expect(label).toMatch(/^\S.{3,}$/);
  });
});

describe("changed values", () => {
  it("contain the fields that differ, with null for a missing value", () => {
    expect(auditChanges({ profile: "operator", name: "Rui" }, { profile: "admin", name: "Rui" })).toEqual({
      profile: { from: "operator", to: "admin" },
    });
    expect(auditChanges({}, { applications: ["payments"] })).toEqual({
      applications: { from: null, to: ["payments"] },
    });
    expect(auditChanges({ name: "ERP" }, {})).toEqual({ name: { from: "ERP", to: null } });
    expect(auditChanges({ agency_digit: null }, { agency_digit: "" })).toEqual({});
    expect(auditChanges({ applications: ["payments"] }, { applications: ["payments"] })).toEqual({});
  });

  it("contain no secret, and only the ends of personal data", () => {
    const before = { email: "marcos@aurora.example", account: "1234567", apiAccessToken: "tok_abc" };
    const after = {
      email: "m2@aurora.example",
      account: "7654",
      apiAccessToken: null,
      tax_id: "52998224725",
    };
    expect(auditChanges(before, after)).toEqual({
      email: { from: "m•••@aurora.example", to: "m•••@aurora.example" },
      account: { from: "•••567", to: "•••54" },
      apiAccessToken: { from: "•••", to: null },
      tax_id: { from: null, to: "•••725" },
    });
  });
});
