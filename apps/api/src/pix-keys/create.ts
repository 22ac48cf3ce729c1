/**
 * Adds a key: of a kind that the company may have, not in its list yet, and proven by a code when one can be sent to
 * it.
 */
import type * as contracts from "@malote/contracts/pix-keys";
import { pixKeysMax } from "@malote/domain/limits";
import { needsCode } from "@malote/domain/own-pix-key";
import { normalisePixKey, pixKeyProblem } from "@malote/domain/pix-key";
import { type Company, lockCompany, readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { withNewCode } from "./codes.ts";
import { pixKeyOnWire } from "./present.ts";
import { withDirectoryRequest } from "./request.ts";
import { findPixKey, insertPixKey, listPixKeys, type PixKeyRow } from "./store.ts";

export async function createPixKey(
  tx: Tx,
  call: Call<typeof contracts.createPixKey>,
  services: Services,
): Promise<contracts.PixKeyOnWire> {
  const { body, now } = call;
  const company = await readCompany(tx);
  await lockCompany(tx);
  const id = body.id ?? uuidv7(now.getTime());
  // A repeated id returns the key that it made first: a repeated call adds no second key.
  const before = await findPixKey(tx, id);
  if (before) {
    if (!isSame(before, body, company)) throw new AppError("idempotency_key_reused");
    return pixKeyOnWire(before, company);
  }

  const key = keyFrom(body, company);
  const others = await listPixKeys(tx);
  if (key !== null && others.some((other) => other.key === key)) throw new AppError("pix_key_exists");
  if (others.length >= pixKeysMax) throw new AppError("pix_keys_too_many", { max: pixKeysMax });

  const row: PixKeyRow = {
    id,
    key_type: body.key_type,
    key,
    status: needsCode(body.key_type) ? "VALIDATING" : "PENDING",
    ownership_date: null,
    updated_at: now,
    error_code: null,
    code_secret: null,
    code_sent_at: null,
    code_tries: 0,
    code_sends: 0,
    code_day: null,
    code_day_sends: 0,
    claim_id: null,
    ask: null,
    ask_id: null,
    asked_at: null,
  };
  const added =
    row.status === "VALIDATING"
      ? await withNewCode(tx, services, row, now)
      : await withDirectoryRequest(tx, services, row, "register", now);
  await insertPixKey(tx, added);
  await audit(tx, call, "pix_key_created", id, { key_type: row.key_type, key });
  return pixKeyOnWire(added, company);
}

/** Returns the key in the directory's format; null for a random key, which the directory makes. */
function keyFrom(
  { key_type, key = "" }: Call<typeof contracts.createPixKey>["body"],
  company: Company,
): string | null {
  if (key_type === "CHAVE_ALEATORIA") return null;
  // PIX-023: no other CNPJ can be registered, whatever the call contains.
  if (key_type === "CNPJ") return company.taxId;
  if (pixKeyProblem(key_type, key))
    throw new AppError(key_type === "EMAIL" ? "pix_key_email_invalid" : "pix_key_phone_invalid");
  return normalisePixKey({ type: key_type, key }).key;
}

/** Compares a repeated call with the key. Ignores the value of a random key, which the directory made. */
function isSame(
  before: PixKeyRow,
  body: Call<typeof contracts.createPixKey>["body"],
  company: Company,
): boolean {
  if (before.key_type !== body.key_type) return false;
  return body.key_type === "CHAVE_ALEATORIA" || before.key === keyFrom(body, company);
}
