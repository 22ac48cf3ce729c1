/** People who manage keys: those who may enter their page. */
import { suits } from "../shell/guards.ts";
import { accessOf } from "../shell/routes.ts";
import type { Session } from "../shell/session.ts";

export const maySeeKeyPage = (session: Session | undefined): session is Session =>
  session?.application?.id === "payments" && suits(accessOf("PaymentsBankAccountsPage"), session);
