/** Company settings, the withdrawal account and the accounts that receive money. */
import {
  changeCompanySettings,
  listPaymentAccounts,
  readCompanyBankAccount,
  readCompanySettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import type { BodyOf } from "@malote/contracts/contract";
import { auditChanges } from "@malote/domain/audit-trail";
import { isNamedOperator, strictest } from "@malote/domain/controls";
import { isEmail, normaliseEmail } from "@malote/domain/email";
import {
  changeSettings,
  findBankAccount,
  lockCompany,
  readCompany,
  type StoredSettings,
} from "../company/index.ts";
import { readPolicyInForce, requireAged } from "../controls/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { listPixKeys } from "../pix-keys/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { requireIdentityConfirmed } from "../session/index.ts";
import { emailAboutSettings } from "./emails.ts";
import { paymentAccountsOf, providerAccountOf } from "./payment-accounts.ts";
import { saveWithdrawalAccount } from "./withdrawal-account.ts";

/** Returns the settings in the call, each validated. */
function changedSettings(body: BodyOf<typeof changeCompanySettings>): Partial<StoredSettings> {
  const { accept_contacerta_suggestions: accepts, reply_to_email: replyTo, emails_payees: emails } = body;
  if (replyTo !== undefined && !isEmail(replyTo)) throw new AppError("reply_to_invalid");
  return {
    ...(accepts !== undefined && { acceptContaCertaSuggestions: accepts }),
    ...(emails !== undefined && { emailsPayees: emails }),
    ...(replyTo !== undefined && { replyToEmail: normaliseEmail(replyTo) }),
  };
}

/** Returns the settings that an admin can change. */
const settingsOf = ({ acceptContaCertaSuggestions, emailsPayees, replyToEmail }: StoredSettings) => ({
  acceptContaCertaSuggestions,
  emailsPayees,
  replyToEmail,
});

export function settingsRoutes({ serve }: Serve, services: Services): void {
  serve(readCompanySettings, async (tx, { actor, now }) => {
    const { settings: stored } = await readCompany(tx);
    // The controls in force replace the initial settings.
    const controls = await readPolicyInForce(tx, now, stored);
    const { requiresTwoFactor: _, requiresOtherApprover: __, ...others } = stored;
    const settings = {
      ...others,
      blockWithdrawForOperator: !controls.operatorsMayWithdraw,
      operatorsMayCorrect: controls.operatorsMayCorrect,
      operatorsMayGiveBack: controls.operatorsMayGiveBack,
      asksForApprovals: strictest(controls) > 0,
      approvesBatches: isNamedOperator(actor, controls),
    };
    // Users who may only read the settings do not see the key of the company's systems.
    return { ...settings, apiAccessToken: actor.profile === "admin" ? settings.apiAccessToken : null };
  });

  serve(changeCompanySettings, async (tx, call) => {
    const changed = changedSettings(call.body);
    await lockCompany(tx);
    const { settings } = await readCompany(tx);
    const { replyToEmail } = changed;
    const isRedirected = replyToEmail !== undefined && replyToEmail !== settings.replyToEmail;
    // The answers of payees go there, so neither a stolen token nor an invented person may change it.
    if (isRedirected) {
      await requireIdentityConfirmed(tx, services, call.actor);
      await requireAged(tx, call.actor.id, call.now);
    }
    await changeSettings(tx, changed);
    await audit(tx, call, "company.settings_changed", tx.companyId, {
      changes: auditChanges(settingsOf(settings), settingsOf({ ...settings, ...changed })),
    });
    if (isRedirected && replyToEmail)
      await emit(tx, emissionOf(call), {
        type: "company.reply_to_changed",
        objectId: tx.companyId,
        payload: {
          admins: await listAdminIds(tx),
          by: call.actor.name,
          from: settings.replyToEmail ?? null,
          to: replyToEmail,
        },
      });
    call.reply.type("text/plain; charset=utf-8");
    return "Configurações salvas com sucesso!";
  });

  serve(listPaymentAccounts, async (tx) => ({
    data: paymentAccountsOf(await readCompany(tx), await listPixKeys(tx)),
  }));

  serve(readCompanyBankAccount, async (tx, { query }) =>
    query.accountSource === "PIX"
      ? providerAccountOf(await readCompany(tx))
      : ((await findBankAccount(tx)) ?? null),
  );

  serve(saveCompanyBankAccount, (tx, call) => saveWithdrawalAccount(tx, services, call));
}

export const settingsFeature: Feature = {
  routes: settingsRoutes,
  subscribers: [
    subscriber({
      name: "settings-emails",
      on: ["company.reply_to_changed", "company.withdrawal_account_saved"],
      handle: emailAboutSettings,
    }),
  ],
};
