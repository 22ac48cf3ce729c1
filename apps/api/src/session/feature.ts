import {
  authorize,
  changeMe,
  changePassword as changePasswordContract,
  confirmIdentity as confirmIdentityContract,
  forgotPassword as forgotPasswordContract,
  logout,
  makeRecoveryCodes,
  readBrand,
  readMe,
  readPasswordLink as readPasswordLinkContract,
  readRecoveryCodes,
  readTwoFactorSecret,
  setTwoFactor,
  spendPasswordLink as spendPasswordLinkContract,
} from "@malote/contracts/session";
import { readValidationTwoFactorSecret, setValidationTwoFactor } from "@malote/contracts/validation";
import { type BrandId, brandNames } from "@malote/domain/brands";
import type { FastifyRequest } from "fastify";
import { findUserSecrets } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Config } from "../platform/config.ts";
import type { Feature } from "../platform/feature.ts";
import { brandOf } from "../platform/http/brand.ts";
import type { Call, Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { changeName } from "./change-name.ts";
import { changePassword } from "./change-password.ts";
import { confirmIdentity } from "./confirm.ts";
import { deviceOf, rememberedOf, setDeviceCookie, setRememberedCookie } from "./device.ts";
import { forgotPassword } from "./forgot-password.ts";
import { type Origin, sessionKit } from "./kit.ts";
import { readPasswordLink, spendPasswordLink } from "./password-link.ts";
import { renewToken } from "./renew.ts";
import { deleteOldSessions, endSession } from "./session-store.ts";
import { signInAsMachine, signInWithCode, signInWithPassword } from "./sign-in.ts";
import { makeSecret, readRecoveryCodesLeft, renewRecoveryCodes, toggleTwoFactor } from "./two-factor.ts";

type AuthorizeBody = Call<typeof authorize>["body"];

/** Returns the configuration of a brand: its name and the installation's options (SHL-002). */
const brandConfiguration = ({ brandOptions }: Pick<Config, "brandOptions">, id: BrandId) => ({
  id,
  name: brandNames[id],
  ...brandOptions[id],
});

export function sessionRoutes({ serve, serveOutside }: Serve, services: Services): void {
  const kit = sessionKit(services);
  const originOf = (call: { request: FastifyRequest; requestId: string; now: Date }): Origin => ({
    address: call.request.ip,
    device: deviceOf(call.request).device,
    remembered: rememberedOf(call.request),
    requestId: call.requestId,
    now: call.now,
  });

  function grantToken(body: AuthorizeBody, origin: Origin) {
    switch (body.grant_type) {
      case "password":
        return signInWithPassword(kit, body, origin);
      case "second_factor":
        return signInWithCode(kit, body, origin);
      case "refresh_token":
        return renewToken(kit, body, origin);
      case "client_credentials":
        return signInAsMachine(kit, body, origin);
    }
  }

  serveOutside(authorize, { queue: "none" }, async (call) => {
    const { body, request, reply } = call;
    const { device, isNew } = deviceOf(request);
    const given = await grantToken(body, { ...originOf(call), device });
    const { remembered, ...answer } = { remembered: undefined, ...given };
    const isPerson = body.grant_type === "password" || body.grant_type === "second_factor";
    if (isNew && isPerson && "access_token" in answer) setDeviceCookie(request, reply, device);
    if (remembered) setRememberedCookie(request, reply, remembered);
    return answer;
  });

  serveOutside(readPasswordLinkContract, { queue: "none" }, (call) =>
    readPasswordLink(kit, call.body.token, originOf(call)),
  );
  serveOutside(spendPasswordLinkContract, { queue: "none" }, (call) =>
    spendPasswordLink(kit, call.body, originOf(call)),
  );

  serve(logout, async (tx, call) => {
    await endSession(tx, call.actor.sessionId, kit.time.now());
    await audit(tx, call, "session.logged_out", call.actor.sessionId);
    return { ok: true as const };
  });

  serveOutside(readBrand, { queue: "none" }, async ({ request }) => {
    const { config } = services;
    return {
      ...brandConfiguration(config, brandOf(config, request)),
      loginUrl: config.loginUrl,
      // A sign-in page of this origin returns to this origin, on any host name.
      appUrl: config.loginUrl.startsWith("/") ? "/" : config.publicUrl,
      statusUrl: config.statusUrl ?? null,
      supportUrl: config.supportUrl,
      supportChatUrl: config.supportChatUrl ?? null,
      blogUrl: config.blogUrl ?? null,
      privacyUrl: config.privacyUrl,
      twoFactorNotice: config.twoFactorNotice,
      tokenCookie: config.tokenCookie,
      notice: config.notice ? { text: config.notice.text, url: config.notice.url ?? null } : null,
      reportsErrors: config.errorReportUrl !== undefined,
      sandbox: config.sandbox,
    };
  });

  serve(readTwoFactorSecret, (tx, call) =>
    makeSecret(tx, kit, call.actor, brandNames[brandOf(services.config, call.request)], originOf(call)),
  );

  // These check a password or a code in several transactions: in the queue of the company, one person's many calls take
  // no connection that another company needs.
  serveOutside(setTwoFactor, { queue: "company" }, (call) =>
    toggleTwoFactor(kit, call.actor, call.body, originOf(call)),
  );
  // FST-014: the validation host has its own path.
  serve(readValidationTwoFactorSecret, (tx, call) =>
    makeSecret(tx, kit, call.actor, brandNames[brandOf(services.config, call.request)], originOf(call)),
  );
  serveOutside(setValidationTwoFactor, { queue: "company" }, (call) =>
    toggleTwoFactor(kit, call.actor, call.body, originOf(call)),
  );

  serveOutside(confirmIdentityContract, { queue: "company" }, (call) =>
    confirmIdentity(kit, call.actor, call.body, originOf(call)),
  );
  serve(readRecoveryCodes, (tx, call) => readRecoveryCodesLeft(tx, call.actor));
  serve(makeRecoveryCodes, (tx, call) => renewRecoveryCodes(tx, kit, call.actor, originOf(call)));
  serveOutside(forgotPasswordContract, { queue: "none" }, (call) =>
    forgotPassword(kit, call.body.email, originOf(call)),
  );

  serve(readMe, async (tx, { actor }) => {
    const user = await findUserSecrets(tx, actor.id);
    if (!user) throw new AppError("not_authenticated");
    return { id: user.id, name: user.name, email: user.email };
  });

  serve(changeMe, (tx, call) => changeName(tx, kit, call.actor, call.body.name, originOf(call)));

  serveOutside(changePasswordContract, { queue: "company" }, (call) =>
    changePassword(kit, call.actor, call.body, originOf(call)),
  );
}

export const sessionFeature: Feature = { routes: sessionRoutes, tidy: deleteOldSessions };
