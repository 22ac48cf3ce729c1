import {
  changeCompany,
  createCheckpoint,
  listAccountTypes,
  listBanks,
  readBank,
  readBankByCode,
  readBankImage,
  readCheckpoint,
  readCompany as readCompanyContract,
  readDefaultPaymentMethod,
  readLogo,
  readTransferLimits,
  readUserSettings,
  uploadLogo,
} from "@malote/contracts/company";
import { readBlacklist } from "@malote/contracts/transfers";
import {
  changeValidationCompany,
  listValidationBanks,
  readValidationCompany,
  readValidationCompanySettings,
  readValidationUserSettings,
} from "@malote/contracts/validation";
import { accountTypesAt } from "@malote/domain/bank-account";
import { type Bank, findBankByCode, findBankByIspb } from "@malote/domain/banks";
import { defaultTransferMethod } from "@malote/domain/transfer";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { bankImage } from "./bank-image.ts";
import { bankOnWire, banksOnWire } from "./banks.ts";
import { listBlockedTaxIds } from "./blocked-tax-id-store.ts";
import { dataOnWire, receiveLogo, saveData, sendLogo } from "./data.ts";
import { readCompanyData } from "./data-store.ts";
import { limitsInForce } from "./installation-limits.ts";
import { addCheckpoint, hasCheckpoint, readCompany, readTwoFactorState } from "./store.ts";
import { tidyLogos } from "./tidy-logos.ts";
import { firstStepsWork, type StepsElsewhere } from "./work.ts";

const ok = { ok: true } as const;

function known(bank: Bank | undefined): Bank {
  if (!bank) throw new AppError("not_found");
  return bank;
}

function companyRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(readCompanyContract, async (tx) => dataOnWire(await readCompanyData(tx)));
  serve(changeCompany, saveData);
  serve(readValidationCompany, async (tx) => dataOnWire(await readCompanyData(tx)));
  serve(changeValidationCompany, saveData);
  serveOutside(uploadLogo, { queue: "none" }, (call) => receiveLogo(services, call));
  serveOutside(readLogo, { queue: "none" }, ({ actor, reply }) => sendLogo(services, actor.companyId, reply));

  serve(readTransferLimits, async (tx) => limitsInForce((await readCompany(tx)).settings));

  serve(readUserSettings, (tx, { actor }) => readTwoFactorState(tx, actor.id));
  serve(readValidationUserSettings, (tx, { actor }) => readTwoFactorState(tx, actor.id));
  serve(readValidationCompanySettings, async (tx) => {
    const { uses_basic_validation, uses_micro_deposit } = (await readCompany(tx)).settings;
    return { uses_basic_validation, uses_micro_deposit };
  });

  serve(readBankByCode, async (_tx, { params }) => bankOnWire(known(findBankByCode(params.code))));
  serve(readBank, async (_tx, { params }) => bankOnWire(known(findBankByIspb(params.id))));
  serveOutside(readBankImage, { queue: "none" }, async ({ params, reply }) =>
    reply
      .type("image/svg+xml")
      .header("cache-control", "public, max-age=86400")
      .header("content-security-policy", "default-src 'none'; sandbox")
      .send(bankImage(known(findBankByIspb(params.id)))),
  );
  serve(listAccountTypes, async (tx, { params }) => {
    const { code } = known(findBankByIspb(params.id));
    return { data: accountTypesAt(code, (await readCompany(tx)).settings.publicEntityNeedsCaixa) };
  });
  serve(readDefaultPaymentMethod, async (_tx, { query }) => {
    const bank = findBankByCode(query.bankCode);
    if (!bank) throw new AppError("invalid_request", { fields: ["bankCode"] });
    return { payment_method: defaultTransferMethod(bank.ispb) };
  });

  serve(listBanks, async (_tx, { query }) => ({ data: banksOnWire(query) }));
  serve(listValidationBanks, async (_tx, { query }) => ({ data: banksOnWire(query) }));

  serve(readCheckpoint, async (tx, { params, query, actor }) => ({
    exists: await hasCheckpoint(tx, params.id, query.in_company === "true" ? undefined : actor.id),
  }));

  serve(createCheckpoint, async (tx, call) => {
    const { location, metadata = {} } = call.body;
    // FST-005: an admin completes the company's first steps; any other person completes their own part only.
    const forCompany = location !== "HAS_FILLED_FIRST_STEPS" || call.actor.profile === "admin";
    const { id: userId } = call.actor;
    const isNew = await addCheckpoint(tx, { id: location, userId, metadata, now: call.now, forCompany });
    if (isNew) await audit(tx, call, "checkpoint.recorded", location);
    return ok;
  });

  serve(readBlacklist, async (tx) => ({ data: [...(await listBlockedTaxIds(tx))] }));
}

/** The company. First steps in receivers and batches are a parameter, because those features import the company. */
export const companyFeature = (elsewhere: StepsElsewhere): Feature => ({
  routes: companyRoutes,
  tidy: tidyLogos,
  work: [firstStepsWork(elsewhere)],
});
