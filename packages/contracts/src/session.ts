import { type BrandId, brandIds } from "@malote/domain/brands";
import * as z from "zod";
import { contract } from "./contract.ts";
import { anyPerson, applications, profiles } from "./policy.ts";
import { done, id } from "./wire.ts";

/** Lifetime in minutes of a browser token or a machine token (ruling D7, DEV-011). */
export const tokenMinutes = 30;
/** Hours after which a session requires the password again, whatever its activity. */
export const sessionHours = 12;
/** Seconds in which an already exchanged token may be exchanged once more, for tabs that renew at the same moment. */
export const renewalGraceSeconds = 10;

/** Days for which a browser may be remembered after a second-factor code (decision 0058). */
export const rememberedDays = 7;

export const application = z.object({ id: z.enum(applications), name: z.string() });

/** Claims of a token (SES-032). Times are seconds from 1970, as in every JWT. */
export const tokenContent = z.object({
  sub: id,
  sid: id,
  jti: id,
  kind: z.enum(["user", "machine"]),
  name: z.string(),
  email: z.string(),
  company: z.object({
    id,
    name: z.string(),
    cpfCnpj: z.string(),
    acceptedContract: z.boolean(),
  }),
  profile: z.enum(profiles),
  application,
  allowed_applications: z.array(application),
  feature_flags: z.array(z.string()),
  permissions: z.array(z.string()),
  two_factor: z.object({ enabled: z.boolean(), enforced: z.boolean() }),
  iat: z.int(),
  exp: z.int(),
});
export type TokenContent = z.infer<typeof tokenContent>;

const grantedToken = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int(),
});

/** The password was correct and the account has a second factor: the caller repeats with the challenge and a code. */
const secondFactorNeeded = z.object({ second_factor: z.object({ challenge: z.string() }) });

/** Six digits of the authenticator, or a recovery code, which works once. */
const factorCode = z.string().regex(/^(\d{6}|[a-z2-7]{4}(-?[a-z2-7]{4}){3})$/i);

export const authorize = contract({
  id: "authorize",
  base: "login",
  method: "POST",
  path: "/authorize",
  summary: "Obter, renovar ou trocar um token de acesso",
  policy: { access: "public" },
  body: z.discriminatedUnion("grant_type", [
    z.object({
      grant_type: z.literal("password"),
      email: z.string().max(255),
      password: z.string().max(255),
    }),
    z.object({
      grant_type: z.literal("second_factor"),
      challenge: z.string().max(2000),
      code: factorCode,
      /** True when the browser needs no code for some days; ignored with a recovery code. */
      remember: z.boolean().optional(),
    }),
    z.object({
      grant_type: z.literal("refresh_token"),
      refresh_token: z.string().max(8000),
      scope: z.enum(applications).optional(),
    }),
    z.object({
      grant_type: z.literal("client_credentials"),
      client_id: z.string().max(100),
      client_secret: z.string().max(200),
    }),
  ]),
  response: z.union([grantedToken, secondFactorNeeded]),
});

export const logout = contract({
  id: "logout",
  base: "login",
  method: "POST",
  path: "/logout",
  summary: "Encerrar a sessão em todos os dispositivos que usam este acesso",
  policy: { ...anyPerson, withoutTwoFactor: true, withoutPlatformAccess: true },
  response: done,
});

export const readBrand = contract({
  id: "readBrand",
  base: "login",
  method: "GET",
  path: "/brand",
  summary: "Marca da origem e endereços públicos",
  policy: { access: "public" },
  response: z.object({
    /** Omitted from the API's reference: readers of one brand must not find the other's name (SHL-003). */
    id: z.custom<BrandId>((id) => brandIds.some((known) => known === id)).meta({ type: "string" }),
    assetsPath: z.string(),
    name: z.string(),
    showStatusMenu: z.boolean(),
    loginUrl: z.string(),
    appUrl: z.string(),
    statusUrl: z.string().nullable(),
    supportUrl: z.string().nullable(),
    /** The address of the support chat, where the installation has one (SHL-040). */
    supportChatUrl: z.string().nullable(),
    blogUrl: z.string().nullable(),
    privacyUrl: z.string().nullable(),
    /** The text shown while the second factor is off (FST-020); null: none. */
    twoFactorNotice: z.string().nullable(),
    /** The cookie in which a sign-in site may put the token (SES-025). */
    tokenCookie: z.string(),
    notice: z.object({ text: z.string(), url: z.string().nullable() }).nullable(),
    /** True when the installation sends browser errors to a reporting service (SES-063). */
    reportsErrors: z.boolean(),
    sandbox: z.boolean(),
  }),
});
export type Brand = z.infer<typeof readBrand.response>;

export const readTwoFactorSecret = contract({
  id: "readTwoFactorSecret",
  base: "payments",
  method: "POST",
  path: "/app/settings/twoFactor/secret",
  summary: "Gerar o segredo da autenticação em 2 fatores",
  policy: { ...anyPerson, withoutTwoFactor: true },
  /** `qrcode` is the otpauth address, which the screen draws. `secret` is for manual entry. */
  response: z.object({ qrcode: z.string(), secret: z.string() }),
});

export const setTwoFactor = contract({
  id: "setTwoFactor",
  base: "payments",
  method: "POST",
  path: "/app/settings/twoFactor",
  summary: "Ativar ou desativar a autenticação em 2 fatores",
  policy: { ...anyPerson, withoutTwoFactor: true },
  /** Turning it off also accepts a recovery code, because a person without the phone has no other code. */
  body: z.discriminatedUnion("action", [
    z.object({ action: z.literal("enable"), code: z.string().regex(/^\d{6}$/) }),
    z.object({ action: z.literal("disable"), code: factorCode }),
  ]),
  /** Only the answer that turns it on contains the recovery codes. */
  response: z.object({ new_token: z.string(), recovery_codes: z.array(z.string()).optional() }),
});

export const readMe = contract({
  id: "readMe",
  base: "payments",
  method: "GET",
  path: "/user/me",
  summary: "Dados do usuário",
  policy: { ...anyPerson, withoutTwoFactor: true },
  response: z.object({ id, name: z.string(), email: z.string() }),
});

/** Changes the caller's name (ACC-007). The token contains the name, so the answer has a new token. */
export const changeMe = contract({
  id: "changeMe",
  base: "payments",
  method: "PUT",
  path: "/user/me",
  summary: "Alterar o nome do usuário",
  policy: anyPerson,
  body: z.object({ name: z.string().trim().min(1).max(120) }),
  response: z.object({ new_token: z.string() }),
});

export const changePassword = contract({
  id: "changePassword",
  base: "payments",
  method: "PUT",
  path: "/user/password",
  summary: "Trocar a senha",
  policy: { ...anyPerson, withoutTwoFactor: true },
  body: z.object({
    oldPassword: z.string().max(255),
    newPassword: z.string().max(255),
    /**
     * True when the change also ends the credentials that this person made, because a thief of the password may have
     * made one.
     */
    endCredentials: z.boolean().optional(),
  }),
  response: z.object({ new_token: z.string() }),
});

/** Minutes for which a proof of identity is valid before an account change requires it again. */
export const confirmedMinutes = 5;

export const confirmIdentity = contract({
  id: "confirmIdentity",
  base: "payments",
  method: "POST",
  path: "/user/me/confirm",
  summary: "Confirmar a senha, e o código de quem tem 2 fatores, antes de uma mudança sensível",
  policy: { ...anyPerson, withoutTwoFactor: true },
  body: z.object({ password: z.string().max(255), code: factorCode.optional() }),
  response: done,
});

export const readRecoveryCodes = contract({
  id: "readRecoveryCodes",
  base: "payments",
  method: "GET",
  path: "/user/me/recoveryCodes",
  summary: "Quantos códigos de recuperação ainda valem",
  policy: anyPerson,
  response: z.object({ left: z.int() }),
});

export const makeRecoveryCodes = contract({
  id: "makeRecoveryCodes",
  base: "payments",
  method: "POST",
  path: "/user/me/recoveryCodes",
  summary: "Gerar dez códigos de recuperação, que só aparecem nesta resposta; os anteriores deixam de valer",
  policy: anyPerson,
  response: z.object({ recovery_codes: z.array(z.string()) }),
});

/** Sends a password link. The answer does not reveal whether the address is known. */
export const forgotPassword = contract({
  id: "forgotPassword",
  base: "login",
  method: "POST",
  path: "/forgotPassword",
  summary: "Pedir por e-mail um link para criar outra senha",
  policy: { access: "public" },
  body: z.object({ email: z.string().max(255) }),
  response: done,
});

/** Hours for which a self-requested link is valid. */
export const forgottenPasswordHours = 1;

/** Hours for which a link to choose a password is valid. */
export const passwordLinkHours = 72;

const passwordLink = { token: z.string().max(200) };

/** Reads whose password a link is for. The token goes in the body, because too many places log addresses. */
export const readPasswordLink = contract({
  id: "readPasswordLink",
  base: "login",
  method: "POST",
  path: "/passwordLink",
  summary: "Dizer de quem é um link para criar a senha",
  policy: { access: "public" },
  body: z.object(passwordLink),
  response: z.object({ name: z.string(), email: z.string() }),
});

export const spendPasswordLink = contract({
  id: "spendPasswordLink",
  base: "login",
  method: "PUT",
  path: "/passwordLink",
  summary: "Criar a senha com um link, que vale uma única vez",
  policy: { access: "public" },
  body: z.object({ ...passwordLink, newPassword: z.string().max(255) }),
  response: z.object({ email: z.string() }),
});
