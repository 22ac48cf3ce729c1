/** The environment, read once into one typed object. A wrong value stops the start, and every problem is listed. */

import { resolve } from "node:path";
import { type Base, bases } from "@malote/contracts/contract";
import type { BrandId } from "@malote/domain/brands";
import { placesBelowLimits, readLimitTable } from "@malote/domain/limit-table";
import type { OwnInstitution } from "@malote/domain/own-institution";
import {
  defaultLimits,
  type InstallationLimits,
  type LimitTable,
  raiseHours,
} from "@malote/domain/payment-limits";
import * as z from "zod";
import { type AdapterChoice, adapterVariables, readAdapterChoice } from "../ports/adapter-choice.ts";
import { type BrandTable, brandVariables } from "./brand-settings.ts";
import { type ArmedFailPoint, readFailPoint } from "./fail-points.ts";
import { institutionVariables, readInstitution } from "./institution.ts";

/** Host in a reserved domain, so that no bank can fetch a charge of the sandbox. */
const sandboxPixHost = "pix.cobranca.invalid";

/** Price of a payment in the sandbox, so that a trial shows invoices. */
export const demoPaymentPriceCents = 49;

/** FST-020: default notice. Its date has no year and means the next such day, so that it is never in the past. */
const defaultTwoFactorNotice =
  "A autenticação em 2 fatores precisa estar ativada até 29/07. Com ela, quem descobrir sua senha ainda não consegue entrar.";

const apiNames = Object.keys(bases) as Base[];

/** Returns true for the address of another origin or another path of this one. Calls append their path to it. */
function isApiAddress(text: string): boolean {
  if (/^(\/[\w.-]+)+\/?$/.test(text)) return true;
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && /^[^\s"'<>?#@]+$/.test(text);
}

const environment = z.object({
  PORT: z.coerce
    .number("PORT deve ser um número")
    .int()
    .min(0)
    .max(65_535, "PORT vai de 0 a 65535")
    .default(3000),
  HOST: z.string().default("127.0.0.1"),
  MALOTE_DATA: z.string().min(1, "MALOTE_DATA não pode ser vazio").default(".data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "DATABASE_URL deve começar com postgres://")
    .optional(),
  MALOTE_DIRECT_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "MALOTE_DIRECT_DATABASE_URL deve começar com postgres://")
    .optional(),
  MALOTE_ROLE: z.enum(["all", "web", "worker"], "MALOTE_ROLE deve ser all, web ou worker").default("all"),
  MALOTE_ENV: z
    .enum(["sandbox", "production"], "MALOTE_ENV deve ser sandbox ou production")
    .default("sandbox"),
  MALOTE_LOG: z
    .enum(
      ["debug", "info", "warn", "error", "silent"],
      "MALOTE_LOG deve ser debug, info, warn, error ou silent",
    )
    .default("info"),
  MALOTE_PUBLIC_URL: z.url("MALOTE_PUBLIC_URL deve ser um endereço completo").optional(),
  MALOTE_LOGIN_URL: z.string().default("/entrar"),
  ...brandVariables,
  MALOTE_API_BASES: z
    .string()
    .default("")
    .transform((text, context) => {
      const table: Partial<Record<Base, string>> = {};
      for (const pair of text.split(",").filter(Boolean)) {
        const [, name, address = ""] = /^(\w+)=(.*)$/.exec(pair.trim()) ?? [];
        const base = apiNames.find((known) => known === name);
        if (base && isApiAddress(address)) table[base] = address.replace(/\/+$/, "");
        else
          context.addIssue(
            `MALOTE_API_BASES não entendeu "${pair}": use api=endereço, com ${apiNames.join(", ")} e um endereço completo ou um caminho`,
          );
      }
      return table;
    }),
  MALOTE_TRUST_PROXY: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  MALOTE_SECRET: z.string().min(32, "MALOTE_SECRET precisa de ao menos 32 caracteres").optional(),
  MALOTE_SECOND_SECRET: z
    .string()
    .min(32, "MALOTE_SECOND_SECRET precisa de ao menos 32 caracteres")
    .optional(),
  MALOTE_STATUS_URL: z.url("MALOTE_STATUS_URL deve ser um endereço completo").optional(),
  MALOTE_SUPPORT_URL: z.url("MALOTE_SUPPORT_URL deve ser um endereço completo").optional(),
  MALOTE_SUPPORT_CHAT_URL: z.url("MALOTE_SUPPORT_CHAT_URL deve ser um endereço completo").optional(),
  MALOTE_TWO_FACTOR_NOTICE: z
    .string()
    .trim()
    .max(300, "MALOTE_TWO_FACTOR_NOTICE pode ter até 300 caracteres")
    .default(defaultTwoFactorNotice),
  MALOTE_TOKEN_COOKIE: z
    .string()
    .regex(/^[\w.-]{1,60}$/, "MALOTE_TOKEN_COOKIE deve ser o nome de um cookie, sem espaços")
    .default("malote_token"),
  MALOTE_BLOG_URL: z.url("MALOTE_BLOG_URL deve ser um endereço completo").optional(),
  MALOTE_PRIVACY_URL: z.url("MALOTE_PRIVACY_URL deve ser um endereço completo").optional(),
  MALOTE_NOTICE_TEXT: z
    .string()
    .trim()
    .min(1)
    .max(300, "MALOTE_NOTICE_TEXT pode ter até 300 caracteres")
    .optional(),
  MALOTE_NOTICE_URL: z.url("MALOTE_NOTICE_URL deve ser um endereço completo").optional(),
  MALOTE_ERROR_REPORT_URL: z.url("MALOTE_ERROR_REPORT_URL deve ser um endereço completo").optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "SMTP_URL deve começar com smtp:// ou smtps://")
    .optional(),
  MALOTE_MAIL_FROM: z.string().default("nao-responda@pagamentos.invalid"),
  MALOTE_METRICS_TOKEN: z
    .string()
    .min(16, "MALOTE_METRICS_TOKEN precisa de ao menos 16 caracteres")
    .optional(),
  MALOTE_METRICS_PORT: z.coerce
    .number("MALOTE_METRICS_PORT deve ser um número")
    .int()
    .min(0)
    .max(65_535, "MALOTE_METRICS_PORT vai de 0 a 65535")
    .optional(),
  MALOTE_DRAIN_SECONDS: z.coerce
    .number("MALOTE_DRAIN_SECONDS deve ser um número")
    .min(0, "MALOTE_DRAIN_SECONDS não pode ser negativo")
    .max(60, "MALOTE_DRAIN_SECONDS vai até 60")
    .default(1),
  ...institutionVariables,
  ...adapterVariables,
  MALOTE_PROVIDER_PIX_HOST: z
    .string()
    .regex(
      /^(?=.{4,38}$)([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}(\/[\w-]+)*$/,
      "MALOTE_PROVIDER_PIX_HOST deve ser um nome como pix.exemplo.com.br, com caminho ou sem, de até 38 caracteres",
    )
    .optional(),
  MALOTE_PAYMENT_PRICE: z.coerce
    .number("MALOTE_PAYMENT_PRICE deve ser um número de centavos")
    .int("MALOTE_PAYMENT_PRICE deve ser um número inteiro de centavos")
    .min(0, "MALOTE_PAYMENT_PRICE não pode ser negativo")
    .max(100_000, "MALOTE_PAYMENT_PRICE vai até 100000 centavos")
    .optional(),
  MALOTE_INFRACTION_TERMS: z.string().optional(),
  MALOTE_CARD_FEE: z.coerce
    .number("MALOTE_CARD_FEE deve ser um número de pontos-base")
    .int("MALOTE_CARD_FEE deve ser um número inteiro de pontos-base")
    .min(0, "MALOTE_CARD_FEE não pode ser negativo")
    .max(3_000, "MALOTE_CARD_FEE vai até 3000 pontos-base")
    .default(399),
  MALOTE_LIMITS: z.string().default(""),
  MALOTE_LIMITS_MAX: z.string().default(""),
  MALOTE_LIMIT_RAISE_HOURS: z.coerce
    .number("MALOTE_LIMIT_RAISE_HOURS deve ser um número de horas")
    .int("MALOTE_LIMIT_RAISE_HOURS deve ser um número inteiro de horas")
    .min(raiseHours.min, `MALOTE_LIMIT_RAISE_HOURS começa em ${raiseHours.min} horas`)
    .max(raiseHours.max, `MALOTE_LIMIT_RAISE_HOURS vai até ${raiseHours.max} horas`)
    .default(raiseHours.min),
  MALOTE_FAIL_POINT: z
    .string()
    .transform((text, context) => {
      const armed = readFailPoint(text);
      if (!armed) context.addIssue(`MALOTE_FAIL_POINT não conhece "${text}"`);
      return armed;
    })
    .optional(),
});

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /**
   * Connection to the same database without a pooler, for uses that need a connection of their own: migrations, and the
   * queue's notifications.
   */
  directDatabaseUrl: string | undefined;
  runsWeb: boolean;
  runsWorker: boolean;
  /** True when the sandbox network, its simulator, the demo companies and the mail outbox exist. */
  sandbox: boolean;
  adapters: AdapterChoice;
  logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Address of the product for users; e-mails link to it. */
  publicUrl: string;
  loginUrl: string;
  brands: ReadonlyMap<string, BrandId>;
  /** Name, texts and picture addresses of each brand (SHL-002). */
  brandOptions: BrandTable;
  /** Addresses of APIs that are not at their usual path of this origin (SES-035). */
  apiBases: Partial<Readonly<Record<Base, string>>>;
  trustedProxies: readonly string[];
  /** Secret that signs tokens and encrypts values; created in the data folder when it is not configured. */
  secret: string | undefined;
  /** Second secret, valid while the secret is replaced: it verifies and decrypts, and creates no values. */
  secondSecret: string | undefined;
  statusUrl: string | undefined;
  supportUrl: string;
  /** Address of the support chat; undefined: the support page is opened instead. */
  supportChatUrl: string | undefined;
  blogUrl: string | undefined;
  /** Address of the privacy policy that admins accept. */
  privacyUrl: string;
  /** Notice shown while a user's second factor is off; null: no notice. */
  twoFactorNotice: string | null;
  tokenCookie: string;
  /** Security notice above the top bar; undefined: no notice. */
  notice: { text: string; url: string | undefined } | undefined;
  errorReportUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  metricsToken: string | undefined;
  /** Port on which a worker process serves its health and metrics. */
  metricsPort: number | undefined;
  institution: OwnInstitution;
  /** Host (without a scheme) where payers' banks read a charge by Pix: the start of each location in a QR code. */
  pixHost: string;
  /**
   * Centavos that the operator charges a company for each payment; undefined: payments are free and there are no
   * invoices.
   */
  paymentPriceCents: number | undefined;
  /**
   * Terms that users accept before they see the infractions (MED-004): plain text, with paragraphs separated by an
   * empty line.
   */
  infractionTerms: string | undefined;
  /** Fee of the acquirer on each instalment of a card sale, in hundredths of a percent. */
  cardFeeBasisPoints: number;
  /** Limits of companies' payments, and the hours for which a raise of a limit is pending. */
  installationLimits: InstallationLimits;
  /** Milliseconds after SIGTERM during which calls are still answered while /readyz refuses. */
  drainMs: number;
  /** Point at which this process exits on purpose; for tests only. */
  failPoint: ArmedFailPoint | undefined;
}

/**
 * Reads the limits. Refuses a maximum below the default limit, because every company without limits of its own would
 * exceed it.
 */
function readLimits(
  e: { MALOTE_LIMITS: string; MALOTE_LIMITS_MAX: string; MALOTE_LIMIT_RAISE_HOURS: number },
  problems: string[],
): InstallationLimits {
  const read = (variable: "MALOTE_LIMITS" | "MALOTE_LIMITS_MAX", base: LimitTable) => {
    const { table, unreadable } = readLimitTable(e[variable], base);
    for (const part of unreadable)
      problems.push(`${variable} não entendeu "${part}": use DAILY=centavos ou NIGHTLY.PIX=centavos`);
    return table;
  };
  const limits = read("MALOTE_LIMITS", defaultLimits);
  const maxima = read("MALOTE_LIMITS_MAX", limits);
  for (const place of placesBelowLimits(maxima, limits))
    problems.push(`MALOTE_LIMITS_MAX não pode ser menor que MALOTE_LIMITS em ${place}`);
  return { limits, maxima, raiseHours: e.MALOTE_LIMIT_RAISE_HOURS };
}

/** Error with all problems of the environment, one sentence each. */
export class WrongConfiguration extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Function that returns the text of a file that the environment names; undefined when there is none. */
type ReadText = (path: string) => string | undefined;

/** Function that returns what is wrong with the choice of adapters, one sentence each. */
type ProblemsOfAdapters = (choice: AdapterChoice, isSandbox: boolean) => string[];

/**
 * Reads the configuration. `readText` reads the files that the environment names; commands that show none of them omit
 * it. `problemsOfAdapters` lists wrong adapters with all other problems; without it `createAdapters` reports them.
 */
export function readConfig(
  env: NodeJS.ProcessEnv,
  readText?: ReadText,
  problemsOfAdapters?: ProblemsOfAdapters,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environment.safeParse(given);
  if (!parsed.success) throw new WrongConfiguration(parsed.error.issues.map((problem) => problem.message));
  const e = parsed.data;
  const problems: string[] = [];
  const isSandbox = e.MALOTE_ENV === "sandbox";
  if (e.MALOTE_ENV === "production") {
    if (!e.MALOTE_SECRET) problems.push("MALOTE_SECRET é obrigatório em produção (ao menos 32 caracteres)");
    if (!e.MALOTE_PROVIDER_PIX_HOST) problems.push("MALOTE_PROVIDER_PIX_HOST é obrigatório em produção");
    if (e.MALOTE_FAIL_POINT) {
      problems.push("MALOTE_FAIL_POINT serve apenas aos testes e não existe em produção");
    }
  }
  const adapters = readAdapterChoice(e, isSandbox);
  if (adapters.byPort.mailer === "smtp" && !e.SMTP_URL)
    problems.push("SMTP_URL é obrigatório em produção e com MALOTE_MAILER=smtp");
  problems.push(...(problemsOfAdapters?.(adapters, isSandbox) ?? []));
  if (e.MALOTE_ROLE !== "all" && !e.DATABASE_URL) {
    problems.push(
      "MALOTE_ROLE web ou worker precisa de DATABASE_URL: o banco embutido pertence a um só processo",
    );
  }
  if (e.MALOTE_SECOND_SECRET && e.MALOTE_SECOND_SECRET === e.MALOTE_SECRET)
    problems.push("MALOTE_SECOND_SECRET deve ser outro segredo, não o de MALOTE_SECRET");
  const installationLimits = readLimits(e, problems);
  const institution = readInstitution(e, isSandbox, problems);
  const termsPath = e.MALOTE_INFRACTION_TERMS;
  const infractionTerms = termsPath && readText?.(termsPath);
  if (termsPath && readText && !infractionTerms)
    problems.push(`MALOTE_INFRACTION_TERMS deve ser o caminho de um arquivo de texto: ${termsPath}`);
  if (problems.length > 0) throw new WrongConfiguration(problems);
  return {
    port: e.PORT,
    host: e.HOST,
    dataDir: resolve(e.MALOTE_DATA),
    databaseUrl: e.DATABASE_URL,
    directDatabaseUrl: e.MALOTE_DIRECT_DATABASE_URL ?? e.DATABASE_URL,
    runsWeb: e.MALOTE_ROLE !== "worker",
    runsWorker: e.MALOTE_ROLE !== "web",
    sandbox: isSandbox,
    adapters,
    logLevel: e.MALOTE_LOG,
    publicUrl: (e.MALOTE_PUBLIC_URL ?? `http://localhost:${e.PORT}`).replace(/\/$/, ""),
    loginUrl: e.MALOTE_LOGIN_URL,
    brands: e.MALOTE_BRANDS,
    brandOptions: e.MALOTE_BRAND_OPTIONS,
    apiBases: e.MALOTE_API_BASES,
    trustedProxies: e.MALOTE_TRUST_PROXY,
    secret: e.MALOTE_SECRET,
    secondSecret: e.MALOTE_SECOND_SECRET,
    statusUrl: e.MALOTE_STATUS_URL,
    supportUrl: e.MALOTE_SUPPORT_URL ?? "/suporte",
    supportChatUrl: e.MALOTE_SUPPORT_CHAT_URL,
    blogUrl: e.MALOTE_BLOG_URL,
    privacyUrl: e.MALOTE_PRIVACY_URL ?? "/privacidade",
    twoFactorNotice: e.MALOTE_TWO_FACTOR_NOTICE === "off" ? null : e.MALOTE_TWO_FACTOR_NOTICE,
    tokenCookie: e.MALOTE_TOKEN_COOKIE,
    notice: e.MALOTE_NOTICE_TEXT ? { text: e.MALOTE_NOTICE_TEXT, url: e.MALOTE_NOTICE_URL } : undefined,
    errorReportUrl: e.MALOTE_ERROR_REPORT_URL,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MALOTE_MAIL_FROM,
    metricsToken: e.MALOTE_METRICS_TOKEN,
    metricsPort: e.MALOTE_METRICS_PORT,
    institution,
    pixHost: e.MALOTE_PROVIDER_PIX_HOST ?? sandboxPixHost,
    paymentPriceCents: (e.MALOTE_PAYMENT_PRICE ?? (isSandbox ? demoPaymentPriceCents : 0)) || undefined,
    infractionTerms: infractionTerms || undefined,
    cardFeeBasisPoints: e.MALOTE_CARD_FEE,
    installationLimits,
    drainMs: e.MALOTE_DRAIN_SECONDS * 1_000,
    failPoint: e.MALOTE_FAIL_POINT,
  };
}
