import {
  authorize,
  changeMe,
  changePassword as changePasswordContract,
  logout,
  readBrand,
  readMe,
  readPasswordLink as readPasswordLinkContract,
  readTwoFactorSecret,
  setTwoFactor,
  spendPasswordLink as spendPasswordLinkContract,
} from "@malote/contracts/session";
import { readValidationTwoFactorSecret, setValidationTwoFactor } from "@malote/contracts/validation";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { brandOf } from "../platform/http/brand.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { brands } from "./brands.ts";
import { changeName } from "./change-name.ts";
import { changePassword } from "./change-password.ts";
import { type Origin, sessionKit } from "./kit.ts";
import { readPasswordLink, spendPasswordLink } from "./password-link.ts";
import { renewToken } from "./renew.ts";
import { endSession } from "./session-store.ts";
import { signInAsMachine, signInWithCode, signInWithPassword } from "./sign-in.ts";
import { makeSecret, toggleTwoFactor } from "./two-factor.ts";
import { findUser } from "./user-store.ts";

export function sessionRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  const kit = sessionKit(parts);
  const originOf = (call: { request: { ip: string }; requestId: string; now: Date }): Origin => ({
    address: call.request.ip,
    requestId: call.requestId,
    now: call.now,
  });

  serveOutside(authorize, (call) => {
    const { body } = call;
    switch (body.grant_type) {
      case "password":
        return signInWithPassword(kit, body, originOf(call));
      case "second_factor":
        return signInWithCode(kit, body, originOf(call));
      case "refresh_token":
        return renewToken(kit, body, originOf(call));
      case "client_credentials":
        return signInAsMachine(kit, body, originOf(call));
    }
  });

  serveOutside(readPasswordLinkContract, (call) => readPasswordLink(kit, call.body.token, originOf(call)));
  serveOutside(spendPasswordLinkContract, (call) => spendPasswordLink(kit, call.body, originOf(call)));

  serve(logout, async (tx, call) => {
    await endSession(tx, call.actor.sessionId, kit.time.now());
    await audit(tx, call, "session.logged_out", call.actor.sessionId);
    return { ok: true as const };
  });

  serveOutside(readBrand, async ({ request }) => {
    const { config } = parts;
    return {
      ...brands[brandOf(config, request)],
      loginUrl: config.loginUrl,
      // A sign-in page of this origin leads back to this origin, whatever name it was opened by.
      appUrl: config.loginUrl.startsWith("/") ? "/" : config.publicUrl,
      statusUrl: config.statusUrl ?? null,
      supportUrl: config.supportUrl ?? null,
      blogUrl: config.blogUrl ?? null,
      privacyUrl: config.privacyUrl ?? null,
      notice: config.notice ? { text: config.notice.text, url: config.notice.url ?? null } : null,
      sandbox: config.sandbox,
    };
  });

  serve(readTwoFactorSecret, (tx, call) =>
    makeSecret(tx, kit, call.actor, brands[brandOf(parts.config, call.request)].name, originOf(call)),
  );

  serveOutside(setTwoFactor, (call) => toggleTwoFactor(kit, call.actor, call.body, originOf(call)));
  // FST-014.
  serve(readValidationTwoFactorSecret, (tx, call) =>
    makeSecret(tx, kit, call.actor, brands[brandOf(parts.config, call.request)].name, originOf(call)),
  );
  serveOutside(setValidationTwoFactor, (call) => toggleTwoFactor(kit, call.actor, call.body, originOf(call)));

  serve(readMe, async (tx, { actor }) => {
    const user = await findUser(tx, actor.id);
    if (!user) throw new AppError("not_authenticated");
    return { id: user.id, name: user.name, email: user.email };
  });

  serve(changeMe, (tx, call) => changeName(tx, kit, call.actor, call.body.name, originOf(call)));

  serveOutside(changePasswordContract, (call) => changePassword(kit, call.actor, call.body, originOf(call)));
}
