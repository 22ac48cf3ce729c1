/** Adds the demo companies to a new database. A second start is a no-op. */
import { type Destination, normaliseDestination } from "@malote/domain/transfer";
import { checkData, errorsOfKey, normaliseDataToValidate } from "@malote/domain/validation";
import { sql } from "kysely";
import { firstSettings } from "../../../company/index.ts";
import { addCheckpoint, saveBankAccount } from "../../../company/store.ts";
import { openPasswords } from "../../../platform/auth/passwords.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { AnyTx, DatabaseWithSandbox, Tx } from "../../../platform/db/database.ts";
import { insertReceiver } from "../../../receivers/store.ts";
import { hashOfSecret } from "../../../session/index.ts";
import { insertValidation } from "../../../validation/store.ts";
import { insertEntry } from "../directory/index.ts";
import { type DemoCompany, demoBlockedTaxIds, demoCompanies, demoPassword } from "./demo-data.ts";
import { addInvoices } from "./demo-invoices.ts";
import { addLinks } from "./demo-links.ts";
import { addPayins } from "./demo-payins.ts";

export { demoCompanies, demoPassword, demoUsers } from "./demo-data.ts";

/**
 * Seeds the demo companies. `hashPassword` hashes their shared password; tests, which sign in a thousand times, pass a
 * cheap hash.
 */
export async function seedDemo(
  db: DatabaseWithSandbox,
  clock: Clock,
  hashPassword: (password: string) => Promise<string> = openPasswords().hash,
): Promise<void> {
  const { rows } = await db.withSystem((tx) =>
    sql<{
      id: string;
    }>`SELECT company_id AS id FROM companies WHERE company_id = ANY(${demoCompanies.map((c) => c.id)})`.execute(
      tx,
    ),
  );
  const present = new Set(rows.map((row) => row.id));
  const missing = demoCompanies.filter((company) => !present.has(company.id));
  if (missing.length === 0) return;

  // All users share one hash, because hashing is slow on purpose.
  const passwordHash = await hashPassword(demoPassword);
  const now = clock.now();
  await db.withSystem(async (tx) => {
    for (const { taxId, reason } of demoBlockedTaxIds) {
      await sql`INSERT INTO blocked_tax_ids (tax_id, reason) VALUES (${taxId}, ${reason}) ON CONFLICT DO NOTHING`.execute(
        tx,
      );
    }
  });
  for (const company of missing) {
    await db.withCompany(company.id, (tx) => addCompany(tx, company, passwordHash, now));
    await db.withSandbox((tx) => insertKeys(tx, company, now));
  }
}

async function addCompany(tx: Tx, company: DemoCompany, passwordHash: string, now: Date): Promise<void> {
  const settings = {
    ...firstSettings,
    uses_micro_deposit: company.usesMicroDeposit,
    hasCardCharge: company.sellsByCard,
    replyToEmail: company.users[0]?.email ?? null,
  };
  const inserted = await sql`
    INSERT INTO companies (company_id, name, tax_id, brand, account_agency, account_number, account_digit, settings,
      feature_flags, address, created_at)
    VALUES (${company.id}, ${company.name}, ${company.taxId}, ${company.brand}, ${company.agency}, ${company.account},
            ${company.accountDigit}, ${JSON.stringify(settings)}::jsonb,
            ${company.sellsByCard ? ["card-charge"] : []}, ${JSON.stringify(company.address)}::jsonb, ${now})
    ON CONFLICT DO NOTHING RETURNING company_id
  `.execute(tx);
  // Another process of this installation already added the company.
  if (inserted.rows.length === 0) return;

  for (const user of company.users) {
    await sql`
      INSERT INTO users (company_id, id, name, email, password_hash, profile, applications, created_at)
      VALUES (${company.id}, ${user.id}, ${user.name}, ${user.email}, ${passwordHash}, ${user.profile},
              ${["payments", "validation"]}, ${now})
    `.execute(tx);
    await addSignInName(tx, user.email, "user", user.id);
  }
  const { credential } = company;
  await sql`
    INSERT INTO api_credentials (company_id, id, client_id, secret_hash, profile, name, created_at)
    VALUES (${company.id}, ${credential.id}, ${credential.clientId}, ${hashOfSecret(credential.clientSecret)}, 'admin',
            ${credential.name}, ${now})
  `.execute(tx);
  await addSignInName(tx, credential.clientId, "credential", credential.id);
  for (const key of company.pixKeys) {
    await sql`
      INSERT INTO pix_keys (company_id, id, key_type, key, status, created_at, ownership_date, updated_at)
      VALUES (${company.id}, ${key.id}, ${key.type}, ${key.key}, 'REGISTERED', ${now}, ${now}, ${now})
    `.execute(tx);
  }
  await addInvoices(tx, company.invoices, now);
  await addLinks(tx, company.links, now);
  await sql`SELECT open_ledger(${company.id})`.execute(tx);
  if (company.hasFilledFirstSteps) await fillFirstSteps(tx, company, now);
  // Demo users get the guided tour from the start; users who are invited later are asked first (SHL-041).
  for (const { id, profile } of company.users) {
    const mark = { id: "HAS_ACCEPTED_PRIVACY_POLICY", userId: id, metadata: {}, now };
    if (profile === "admin") await addCheckpoint(tx, mark);
  }
  await addReceivers(tx, company, now);
  await addValidations(tx, company, now);
  if (company.sellsByCard) await addPayins(tx, now);
}

/** Registers the keys in the sandbox's directory, so that they can be claimed and deleted. */
async function insertKeys(tx: AnyTx, { id, name, taxId, pixKeys }: DemoCompany, now: Date): Promise<void> {
  for (const { type, key } of pixKeys) {
    const entry = { key, key_type: type, company_id: id, owner_name: name, owner_tax_id: taxId };
    await insertEntry(tx, entry, now);
  }
}

const nowhere: Destination = {
  name: null,
  taxId: null,
  email: null,
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: null,
  pixKey: null,
};

async function addReceivers(tx: Tx, { receivers }: DemoCompany, now: Date): Promise<void> {
  for (const { id, to, status, reason } of receivers) {
    await insertReceiver(tx, id, normaliseDestination({ ...nowhere, ...to }), now);
    await sql`
      UPDATE receivers SET status = ${status}, status_description = ${reason ?? null}
      WHERE company_id = ${tx.companyId} AND id = ${id}
    `.execute(tx);
  }
}

/** Adds validations that the product's own rules check, so that the demo shows no impossible result. */
async function addValidations(tx: Tx, { validations, users }: DemoCompany, now: Date): Promise<void> {
  const [by] = users;
  if (!by) throw new Error("the demo company has no user for its validations");
  for (const { id, minutesAgo, data: given, key } of validations) {
    const { email: _, ...noData } = nowhere;
    const data = normaliseDataToValidate({ ...noData, pixKeyValidation: null, ...given });
    const errors = [
      ...checkData(data, { blocked: () => false, publicEntityNeedsCaixa: true }),
      ...(key ? errorsOfKey(key) : []),
    ];
    await insertValidation(tx, {
      ...data,
      id,
      type: "BASIC",
      source: "APP",
      valid: errors.length === 0,
      errors,
      transferId: null,
      createdBy: by.id,
      createdByName: by.name,
      now: new Date(now.getTime() - minutesAgo * 60_000),
    });
  }
}

async function fillFirstSteps(tx: Tx, company: DemoCompany, now: Date): Promise<void> {
  const [admin] = company.users;
  if (!admin) throw new Error(`the demo company ${company.name} has no admin`);
  await saveBankAccount(tx, {
    bank_id: "60701190",
    agency: "1234",
    agency_digit: null,
    account_type: "CONTA_CORRENTE",
    account: "56789",
    account_digit: "7",
    name: company.name,
    cpfCnpj: company.taxId,
  });
  await addCheckpoint(tx, { id: "HAS_FILLED_FIRST_STEPS", userId: admin.id, metadata: {}, now });
}

async function addSignInName(
  tx: Tx,
  name: string,
  kind: "user" | "credential",
  subjectId: string,
): Promise<void> {
  await sql`
    INSERT INTO sign_in_names (name, kind, company_id, subject_id) VALUES (${name}, ${kind}, ${tx.companyId}, ${subjectId})
  `.execute(tx);
}
