/** Structured logs with personal data and secrets masked where they would appear. */
import pino from "pino";

/** Long runs of digits are documents, accounts and keys; only their ends are kept, enough to compare two lines. */
const numberPattern = /(?<![0-9a-f-])(\d{3})\d{5,}(\d{2})(?![0-9a-f-])/gi;
const emailPattern = /([a-z0-9])[a-z0-9._%+-]*@([a-z0-9])[a-z0-9.-]*/gi;
const tokenPattern = /\b(token|password|senha|secret|code)=[^&\s"]+/gi;

export function maskPersonalData(text: string): string {
  return text
    .replace(tokenPattern, "$1=***")
    .replace(emailPattern, "$1***@$2***")
    .replace(numberPattern, "$1***$2");
}

export function createLog(level: string) {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: [
        "*.password",
        "*.token",
        "*.secret",
        "*.authorization",
        "req.headers.authorization",
        "req.headers.cookie",
      ],
      censor: "***",
    },
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
  });
}

export type Log = ReturnType<typeof createLog>;
