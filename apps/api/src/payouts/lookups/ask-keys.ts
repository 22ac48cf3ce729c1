/** Holder of a Pix key, looked up before paying, once for a company, and stored with its requester. */

import type { KeyHolder as WireHolder } from "@malote/contracts/key-holder";
import type { lookUpPixKey } from "@malote/contracts/lookups";
import { findBankByIspb } from "@malote/domain/banks";
import { doubtedKeyFreshMs, keyFreshMs } from "@malote/domain/freshness";
import { normalisePixKey, type PixKeyType, pixKeyProblem } from "@malote/domain/pix-key";
import { isObfuscatedTaxId, maskTaxId, meansTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { bankOnWire } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import {
  type AnsweredKey,
  consumeQueries,
  type KeyLookup,
  type KeyToAsk,
  type Requester,
  readKeyLookups,
  saveKeyLookups,
  settleQueries,
} from "./store.ts";

const askedAtOnce = 5;

function isFresh(known: KeyLookup | undefined, asked: KeyToAsk, now: Date): boolean {
  if (!known) return false;
  const age = now.getTime() - known.asked_at.getTime();
  const doubts = known.outcome === "found" && asked.taxId !== null && asked.taxId !== known.holder_tax_id;
  return age >= 0 && age < (doubts ? doubtedKeyFreshMs : keyFreshMs[known.outcome]);
}

export type Needs = Pick<Services, "db" | "clock" | "accountCheck" | "log">;

/**
 * Looks up the keys without a fresh answer, as far as the directory's rate limit allows, and returns all that is known
 * afterwards. Calls the directory between transactions: queries that leave some to others take more than a found key
 * costs, so they go in several rounds, each with what the answers of the earlier ones gave back.
 */
export async function askAboutKeys(
  services: Needs,
  companyId: string,
  requester: Requester,
  wanted: readonly KeyToAsk[],
  spare = 0,
): Promise<{ known: Map<string, KeyLookup>; limited: boolean }> {
  const distinct = [...new Map(wanted.map((one) => [one.key, one])).values()];
  const keys = distinct.map(({ key }) => key);
  let { known, left, granted } = await services.db.withCompany(companyId, async (tx) => {
    const now = services.clock.now();
    const known = await readKeyLookups(tx, keys);
    const left = distinct.filter((one) => !isFresh(known.get(one.key), one, now));
    return { known, left, ...(await consumeQueries(tx, left.length, spare, now)) };
  });
  while (granted > 0) {
    const answers = await fetchHolders(services, left.slice(0, granted));
    left = left.slice(granted);
    ({ known, granted } = await services.db.withCompany(companyId, async (tx) => {
      const now = services.clock.now();
      await saveKeyLookups(tx, answers, requester, now);
      const notFound = answers.filter(({ holder }) => holder?.found === false).length;
      await settleQueries(tx, { asked: answers.length, notFound }, spare);
      const next = await consumeQueries(tx, left.length, spare, now);
      return { known: await readKeyLookups(tx, keys), ...next };
    }));
  }
  return { known, limited: left.length > 0 };
}

async function fetchHolders(
  { accountCheck, log }: Pick<Services, "accountCheck" | "log">,
  keys: readonly KeyToAsk[],
): Promise<AnsweredKey[]> {
  const answers: AnsweredKey[] = [];
  for (let start = 0; start < keys.length; start += askedAtOnce) {
    const asked = keys.slice(start, start + askedAtOnce);
    answers.push(
      ...(await Promise.all(
        asked.map(async (one) => ({
          asked: one,
          holder: await accountCheck
            .findHolder({ type: one.type as PixKeyType, key: one.key }, one)
            .catch((error: unknown) => {
              log.warn({ err: error }, "the Pix directory did not answer");
              return undefined;
            }),
        })),
      )),
    );
  }
  return answers;
}

export async function lookUpKey(services: Needs, call: Call<typeof lookUpPixKey>): Promise<WireHolder> {
  const { body, actor } = call;
  const { type, key } = normalisePixKey({ type: body.pix_key_type, key: body.pix_key });
  const problem = pixKeyProblem(type, key);
  if (problem) throw new AppError("lookup_key_invalid", { errors: [{ code: problem, field: "pix_key" }] });
  const given = normaliseTaxId(body.cpf_cnpj ?? "") || null;
  const taxId = given && !isObfuscatedTaxId(given) ? given : null;
  const asked = { type, key, name: body.name?.trim() || null, taxId };
  const requester = { id: actor.id, name: actor.name };
  const { known, limited } = await askAboutKeys(services, actor.companyId, requester, [asked]);
  const found = known.get(key);
  await services.db.withCompany(actor.companyId, (tx) =>
    audit(tx, call, "pix_key_looked_up", undefined, { key_type: type, outcome: found?.outcome ?? "limited" }),
  );
  return found && !(found.outcome === "silent" && limited)
    ? holderOnWire(found, given)
    : { ...unknownHolder, status: limited ? "limited" : "unavailable" };
}

const unknownHolder = {
  name: null,
  cpf_cnpj: null,
  bank: null,
  is_salary_account: false,
  differs: null,
  asked_at: null,
  asked_by: null,
};

/** Returns the stored holder of a key without asking the directory. */
export async function findKnownHolder(
  tx: Tx,
  key: string,
  document: string | null,
): Promise<WireHolder | undefined> {
  const row = (await readKeyLookups(tx, [key])).get(key);
  return row && holderOnWire(row, document);
}

/** Returns a holder in its wire shape. `document` is the payer's document of the receiver, whole or masked. */
function holderOnWire(row: KeyLookup, document: string | null): WireHolder {
  const bank = row.holder_bank_ispb === null ? undefined : findBankByIspb(row.holder_bank_ispb);
  return {
    status: row.outcome === "silent" ? "unavailable" : row.outcome,
    name: row.holder_name,
    cpf_cnpj: row.holder_tax_id && maskTaxId(row.holder_tax_id),
    bank: bank ? bankOnWire(bank) : null,
    is_salary_account: row.is_salary_account,
    differs:
      document === null || row.holder_tax_id === null ? null : !meansTaxId(document, row.holder_tax_id),
    asked_at: row.asked_at.toISOString(),
    asked_by: row.asked_by_name,
  };
}
