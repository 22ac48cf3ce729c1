import type { CompanySettings } from "@malote/contracts/company";
import { withdrawBalance } from "@malote/contracts/statement";
import { mayWithdraw } from "@malote/domain/withdrawal";
import { may, type Session } from "../shell/session.ts";

/** STM-027: by the policy of the call, and by the company's setting for operators. */
export const seesWithdrawal = (session: Session, settings?: CompanySettings): boolean =>
  settings !== undefined &&
  may(withdrawBalance, session) &&
  mayWithdraw({ profile: session.profile, operatorsMayWithdraw: !settings.blockWithdrawForOperator });
