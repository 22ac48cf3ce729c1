/** Company data that an admin reads and saves (COM-005 to COM-010). */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { CompanyData, changeCompany, uploadLogo } from "@malote/contracts/company";
import type { changeValidationCompany } from "@malote/contracts/validation";
import { auditChanges } from "@malote/domain/audit-trail";
import { checkLogo, type Logo, logoBytesMax, logoHeightMin, logoSideMax } from "@malote/domain/logo";
import { parsePhone } from "@malote/domain/phone";
import type { FastifyReply } from "fastify";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { drainBody } from "../platform/http/drain-body.ts";
import { declaresTooLarge, receiveFile } from "../platform/http/receive-file.ts";
import { sendUntrustedFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { changeAddress, changeLogo, changePhone, readCompanyData, type StoredData } from "./data-store.ts";
import { runWithinUploadLimit } from "./uploads-at-once.ts";

export const dataOnWire = ({ name, taxId, phone, address, logo, blocked }: StoredData): CompanyData => ({
  name,
  cpfCnpj: taxId,
  phone,
  address,
  // The version comes from the key, so that a new picture has a new path and caches never show the old one.
  logo: logo && `/app/company/logo?v=${createHash("sha256").update(logo.key).digest("hex").slice(0, 16)}`,
  status: blocked ? "blocked" : "active",
});

export async function saveData(
  tx: Tx,
  call: Call<typeof changeCompany | typeof changeValidationCompany>,
): Promise<CompanyData> {
  const given = call.body.phone?.trim() || null;
  const phone = given && parsePhone(given);
  if (phone === undefined) throw new AppError("company_phone_invalid");
  const before = await readCompanyData(tx);
  if (phone !== before.phone) {
    await changePhone(tx, phone);
    await audit(tx, call, "company.data_changed", tx.companyId, {
      changes: auditChanges({ phone: before.phone }, { phone }),
    });
  }
  const { address = before.address } = "address" in call.body ? call.body : {};
  if (JSON.stringify(address) !== JSON.stringify(before.address)) {
    await changeAddress(tx, address);
    await audit(tx, call, "company.data_changed", tx.companyId, {
      changes: auditChanges({ address: before.address }, { address }),
    });
  }
  return dataOnWire({ ...before, phone, address });
}

const broken = () => new AppError("logo_upload_failed");
const tooLarge = () => new AppError("logo_too_large", { limit: "1 MB" });

export async function receiveLogo(services: Services, call: Call<typeof uploadLogo>): Promise<CompanyData> {
  const { request, reply, actor } = call;
  try {
    if (!request.isMultipart()) throw new AppError("unsupported_media_type");
    if (declaresTooLarge(request, logoBytesMax)) throw tooLarge();
    return await runWithinUploadLimit(actor.companyId, () => receive(services, call));
  } catch (error) {
    drainBody(request, reply);
    throw error;
  }
}

/**
 * Stores an uploaded logo. The file is written before the company's row names it, and the old file is removed after no
 * row names it.
 */
async function receive(services: Services, call: Call<typeof uploadLogo>): Promise<CompanyData> {
  const { files, log } = services;
  const key = `logos/${call.actor.companyId}/${uuidv7(call.now.getTime())}`;
  const { before, now } = await store(services, call, key).catch(async (error) => {
    // Remove the file: without a row it could never be read.
    await files.remove(key);
    throw error;
  });
  // The change is complete even when removing the old file fails; hourly housekeeping removes it.
  if (before) await files.remove(before.key).catch((err) => log.warn({ err }, "cannot remove an old logo"));
  return dataOnWire(now);
}

async function store({ db, files }: Services, call: Call<typeof uploadLogo>, key: string) {
  const { companyId } = call.actor;
  await receiveFile(call.request, {
    bytesMax: logoBytesMax,
    tooLarge,
    broken,
    put: (content) => files.put(key, content),
  });
  const { type, width, height } = requireLogo(await readFile(files.pathOf(key)));
  return db.withCompany(companyId, async (tx) => {
    const before = await changeLogo(tx, { key, type });
    await audit(tx, call, "company.logo_changed", companyId, { type, width, height });
    return { before, now: await readCompanyData(tx) };
  });
}

function requireLogo(bytes: Uint8Array): Logo {
  const found = checkLogo(bytes);
  if ("logo" in found) return found.logo;
  switch (found.refused) {
    case "logo_too_large":
      throw tooLarge();
    case "logo_too_low":
      throw new AppError(found.refused, { pixels: logoHeightMin });
    case "logo_too_many_pixels":
      throw new AppError(found.refused, { pixels: logoSideMax.toLocaleString("pt-BR") });
    case "logo_wrong_kind":
      throw new AppError(found.refused);
  }
}

export async function sendLogo({ db, files }: Services, companyId: string, reply: FastifyReply) {
  const { logo } = await db.readCompany(companyId, readCompanyData);
  if (!logo) throw new AppError("not_found");
  const name = `logo.${logo.type === "image/png" ? "png" : "jpg"}`;
  return sendUntrustedFile(reply, { name, type: logo.type, content: files.read(logo.key) }, "inline");
}
