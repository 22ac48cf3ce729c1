import * as contracts from "@malote/contracts/pix-keys";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { cancel, claim, confirm } from "./claim.ts";
import { create } from "./create.ts";
import { pixKeyOnWire } from "./present.ts";
import { remove } from "./remove.ts";
import { findPixKey, listPixKeys } from "./store.ts";
import { resend, verify } from "./verify.ts";

export function pixKeyRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listPixKeys, async (tx) => {
    const { name } = await readCompany(tx);
    return { data: (await listPixKeys(tx)).map((row) => pixKeyOnWire(row, name)) };
  });
  serve(contracts.readPixKey, async (tx, { params }) => {
    const row = await findPixKey(tx, params.id);
    if (!row) throw new AppError("not_found");
    return pixKeyOnWire(row, (await readCompany(tx)).name);
  });
  serve(contracts.createPixKey, (tx, call) => create(tx, call, parts));
  // It counts a wrong code, though it refuses.
  serveOutside(contracts.verifyPixKey, (call) => verify(parts, call));
  serve(contracts.resendPixKeyCode, (tx, call) => resend(tx, call, parts));
  serve(contracts.claimPixKey, (tx, call) => claim(tx, call, parts));
  serve(contracts.cancelPixKeyClaim, (tx, call) => cancel(tx, call, parts));
  serve(contracts.confirmPixKeyClaim, (tx, call) => confirm(tx, call, parts));
  serve(contracts.deletePixKey, (tx, call) => remove(tx, call, parts));
}
