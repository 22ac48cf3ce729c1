/** Proof of possession: a person enters the code that was sent to the key, or requests another. */
import type { ErrorCode } from "@malote/contracts/errors";
import type * as contracts from "@malote/contracts/pix-keys";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { isCodeExpired, restSeconds, withNewCode } from "./codes.ts";
import { pixKeyOnWire } from "./present.ts";
import { withDirectoryRequest } from "./request.ts";
import { lockPixKey, type PixKeyRow, writePixKey } from "./store.ts";

async function lockValidating(tx: Tx, id: string): Promise<PixKeyRow> {
  const row = await lockPixKey(tx, id);
  if (!row) throw new AppError("not_found");
  if (row.status !== "VALIDATING") throw new AppError("pix_key_changed");
  return row;
}

/** Verifies the code. A wrong code is counted before the refusal, so the count is a transaction of its own. */
export async function verifyPixKey(
  services: Services,
  call: Call<typeof contracts.verifyPixKey>,
): Promise<contracts.PixKeyOnWire> {
  const { params, body, now, actor } = call;
  const outcome = await services.db.withCompany(
    actor.companyId,
    async (tx): Promise<contracts.PixKeyOnWire | ErrorCode> => {
      const row = await lockValidating(tx, params.id);
      const secret = row.code_secret;
      if (secret === null || isCodeExpired(row, now)) return "pix_key_code_over";
      if (services.secrets.decrypt(secret) !== body.code.replaceAll(/\D/g, "")) {
        await writePixKey(tx, { ...row, code_tries: row.code_tries + 1 });
        return "pix_key_code_wrong";
      }
      const proven = { ...row, status: "PENDING", code_secret: null } as const;
      const withRequest = await withDirectoryRequest(tx, services, proven, "register", now);
      await writePixKey(tx, withRequest);
      await audit(tx, call, "pix_key_verified", row.id);
      return pixKeyOnWire(withRequest, await readCompany(tx));
    },
  );
  if (typeof outcome === "string") throw new AppError(outcome);
  return outcome;
}

export async function resendPixKeyCode(
  tx: Tx,
  call: Call<typeof contracts.resendPixKeyCode>,
  services: Services,
): Promise<{ blockedTime: number }> {
  const { params, now } = call;
  const row = await lockValidating(tx, params.id);
  const seconds = restSeconds(row, now);
  if (seconds > 0) throw new AppError("pix_key_code_too_soon", { seconds });
  const sent = await withNewCode(tx, services, row, now);
  await writePixKey(tx, sent);
  await audit(tx, call, "pix_key_code_sent", row.id);
  return { blockedTime: restSeconds(sent, now) };
}
