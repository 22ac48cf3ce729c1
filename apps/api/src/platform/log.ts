/** Structured logs that mask personal data and secrets. */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { workFields } from "./work.ts";

/**
 * Long runs of digits are documents, accounts and keys; only the first and last two digits stay, enough to compare two
 * lines.
 */
const numberPattern = /(?<![0-9a-f-])(\d{2})\d{4,}(\d{2})(?![0-9a-f-])/gi;
const emailPattern = /([a-z0-9])[a-z0-9._%+-]*@([a-z0-9])[a-z0-9.-]*/gi;
const tokenPattern = /\b(token|password|senha|secret|code)=[^&\s"]+/gi;

/** Formatted CPF, CNPJ (including alphanumeric ones) and telephone numbers. */
const documentPattern =
  /\b(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})\b/gi;
const telephonePattern = /\+55[\s(]*\d{2}[\s)]*9?\d{4}[\s-]?\d{4}\b/g;
const signedTokenPattern = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Card number in printed groups; without spaces it matches as a long run of digits. */
const cardPattern = /(?<![\w-])(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}|3[47]\d{2}[ -]\d{6}[ -]\d{5})(?![\w-])/g;

export function maskPersonalData(text: string): string {
  return text
    .replace(signedTokenPattern, "***")
    .replace(cardPattern, "***")
    .replace(documentPattern, "***")
    .replace(telephonePattern, "+55***")
    .replace(tokenPattern, "$1=***")
    .replace(emailPattern, "$1***@$2***")
    .replace(numberPattern, "$1***$2");
}

const secretName = /password|senha|secret|token|authorization|cookie|security_?code|^card$/i;
const depthMax = 4;

/** Masks the fields of a log line: personal data in texts, and every field with the name of a secret. */
function masked(value: unknown, name = "", depth = 0): unknown {
  if (secretName.test(name)) return "***";
  // The caller chose this id to find its call and got it back in the answer.
  if (name === "requestId") return value;
  if (typeof value === "string") return maskPersonalData(value);
  // Errors have a serializer of their own.
  if (typeof value !== "object" || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth >= depthMax) return "…";
  if (Array.isArray(value)) return value.map((one) => masked(one, name, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, key, depth + 1)]));
}

/**
 * Returns the fields of the current work for a line. Adds the request id only where the logger has none, because a
 * request's logger names it even outside the work's context.
 */
function fieldsBeside(logger: Logger) {
  const { requestId, ...others } = workFields();
  const bound = (logger as unknown as Record<symbol, string>)[pino.symbols.chindingsSym] ?? "";
  return requestId === undefined || bound.includes('"requestId":') ? others : { requestId, ...others };
}

export function createLog(level: string, destination?: DestinationStream) {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: (_line, _level, logger) => fieldsBeside(logger),
    formatters: { log: (line) => masked(line) as Record<string, unknown> },
    hooks: {
      logMethod(args, method) {
        const masked = args.map((part) => (typeof part === "string" ? maskPersonalData(part) : part));
        method.apply(this, masked as Parameters<typeof method>);
      },
    },
    serializers: {
      err: (error: Error & { code?: string }) => ({
        type: error.name,
        code: error.code,
        message: maskPersonalData(error.message),
        stack: maskPersonalData(error.stack ?? ""),
      }),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

export type Log = ReturnType<typeof createLog>;
