import { depositBalance, readBalance, readStatement, withdrawBalance } from "@malote/contracts/statement";
import { cents } from "@malote/domain/money";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { readDepositData } from "./deposit-data.ts";
import { emailAboutWithdrawals } from "./emails.ts";
import * as statement from "./read.ts";
import { withdraw } from "./withdraw.ts";

export function statementRoutes({ serve }: Serve, services: Pick<Services, "jobs" | "config">): void {
  serve(readStatement, statement.readPage);
  serve(readBalance, statement.readBalance);
  serve(depositBalance, (tx, { body }) => readDepositData(tx, cents(body.value)));
  serve(withdrawBalance, (tx, call) => withdraw(tx, call, services));
}

export const statementFeature: Feature = {
  routes: statementRoutes,
  subscribers: [
    subscriber({ name: "withdrawal-emails", on: ["withdrawal.returned"], handle: emailAboutWithdrawals }),
  ],
};
