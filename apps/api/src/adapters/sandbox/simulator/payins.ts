/** Simulator calls for payers, other banks and the Pix system: the events of incoming money. */
import type {
  blockPix,
  endPixBlock,
  payCharge,
  sendTed as sendTedCall,
} from "@malote/contracts/simulator-payins";
import { isTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { AppError } from "../../../platform/app-error.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Call } from "../../../platform/http/serve.ts";
import type { SandboxCharges } from "../charges/index.ts";
import { isReceivedPix, listReceivedPix, readCompanyNames } from "./store.ts";

interface Needs {
  db: DatabaseWithSandbox;
  charges: SandboxCharges;
}

const pixShownMax = 10;
const outsidePayer = { name: "Mariana Teles Prado", document: "52998224725" };

/** Reads the payer from a form; the network fills in missing fields. */
export function payerOf(body: { payer_name?: string | undefined; payer_document?: string | undefined }) {
  const document = body.payer_document?.trim();
  if (document && !isTaxId(document)) throw new AppError("invalid_request", { fields: ["payer_document"] });
  return {
    name: body.payer_name?.trim() || undefined,
    document: document ? normaliseTaxId(document) : undefined,
  };
}

export async function list({ db, charges }: Needs) {
  const [waiting, { names, pix }] = await Promise.all([
    charges.waiting(),
    db.withSystem(async (tx) => ({
      names: await readCompanyNames(tx),
      pix: await listReceivedPix(tx, pixShownMax),
    })),
  ]);
  const shown = waiting.flatMap((charge) => {
    const { id, company_id: companyId, method, amount, charge_data: data } = charge;
    if ((method !== "pix" && method !== "boleto") || !data.expiresAt) return [];
    const company = { id: companyId, name: names.get(companyId) ?? "" };
    return [{ id, company, method, amount, payer_name: data.payer.name, expires_at: data.expiresAt }];
  });
  return { charges: shown, received_pix: pix };
}

export async function pay({ charges }: Needs, { params, body }: Call<typeof payCharge>) {
  if (!(await charges.pay(params.id, payerOf(body)))) throw new AppError("not_found");
  return { ok: true as const };
}

async function requireCompany({ db }: Needs, id: string): Promise<void> {
  if (!(await db.withSystem(readCompanyNames)).has(id)) throw new AppError("not_found");
}

/** Refuses a payin that is not a Pix: a real Pix system blocks only Pix. */
async function requirePix({ db }: Needs, pix: { company_id: string; end_to_end_id: string }): Promise<void> {
  if (!(await db.withSystem((tx) => isReceivedPix(tx, pix)))) throw new AppError("not_found");
}

export async function sendTed(services: Needs, { body }: Call<typeof sendTedCall>) {
  await requireCompany(services, body.company_id);
  const payer = payerOf(body);
  const { arrivesAt } = await services.charges.sendTed({
    companyId: body.company_id,
    value: body.value,
    purpose: body.purpose,
    payer: { name: payer.name ?? outsidePayer.name, document: payer.document ?? outsidePayer.document },
  });
  return { arrives_at: arrivesAt.toISOString() };
}

export async function block(services: Needs, { body }: Call<typeof blockPix>) {
  await requirePix(services, body);
  await services.charges.block({
    companyId: body.company_id,
    endToEndId: body.end_to_end_id,
    reason: "Suspeita de fraude",
  });
  return { ok: true as const };
}

export async function endBlock(services: Needs, { body }: Call<typeof endPixBlock>) {
  await requirePix(services, body);
  await services.charges.endBlock(
    { companyId: body.company_id, endToEndId: body.end_to_end_id },
    body.outcome,
  );
  return { ok: true as const };
}
