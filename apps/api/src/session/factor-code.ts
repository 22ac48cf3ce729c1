import { spendStep } from "../identities/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { stepOf } from "./one-time-code.ts";
import { countRecoveryCodes, isRecoveryCode, spendRecoveryCode } from "./recovery-code-store.ts";

interface FactorOwner {
  id: string;
  name: string;
  email: string;
  twoFactorSecret: string | null;
}

/** Uses up the authenticator's current code or a recovery code; each works once. Returns false for any other code. */
export async function spendFactorCode(
  tx: Tx,
  kit: SessionKit,
  user: FactorOwner,
  code: string,
  origin: Origin,
): Promise<boolean> {
  const now = kit.time.now();
  if (!isRecoveryCode(code)) {
    if (user.twoFactorSecret === null) return false;
    const step = stepOf(kit.secrets.decrypt(user.twoFactorSecret), code, now);
    return step !== undefined && (await spendStep(tx, user.id, step));
  }
  if (!(await spendRecoveryCode(tx, user.id, code, now))) return false;
  const left = await countRecoveryCodes(tx, user.id);
  await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "two_factor.recovery_code_used", user.id, {
    left,
  });
  await emit(tx, emissionOf(origin), {
    type: "user.recovery_code_used",
    objectId: user.id,
    payload: { left },
  });
  return true;
}
