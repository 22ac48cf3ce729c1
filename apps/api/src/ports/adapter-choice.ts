/** The adapter of each port, as the environment names it. */
import * as z from "zod";
import type { Ports } from "./ports.ts";

/** Ports that one adapter plays; `connections` are further adapters of `rails`. */
export type PortName = Exclude<keyof Ports, "connections">;

/** Name of the adapter of every simulated service, and the id of its connections. */
export const sandboxAdapter = "sandbox";

export interface AdapterChoice {
  /** Adapter of each port; undefined: none is named. */
  byPort: Readonly<Record<PortName, string | undefined>>;
  /** Adapters of `rails` that carry payments whose route names them. */
  connections: readonly string[];
}

const isName = (text: string) => /^[a-z][a-z\d-]{0,49}$/.test(text);
const nameIn = (variable: string) =>
  z
    .string()
    .refine(isName, `${variable} deve ser o nome de um adaptador: letras minúsculas, números e hífens`)
    .optional();

export const adapterVariables = {
  MALOTE_RAILS: nameIn("MALOTE_RAILS"),
  MALOTE_CONNECTIONS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter(Boolean))
    .refine(
      (names) => names.every(isName),
      "MALOTE_CONNECTIONS deve ter nomes de adaptadores, entre vírgulas",
    ),
  MALOTE_ACCOUNT_CHECK: nameIn("MALOTE_ACCOUNT_CHECK"),
  MALOTE_BOLETO_REGISTER: nameIn("MALOTE_BOLETO_REGISTER"),
  MALOTE_PIX_CODES: nameIn("MALOTE_PIX_CODES"),
  MALOTE_PIX_DIRECTORY: nameIn("MALOTE_PIX_DIRECTORY"),
  MALOTE_CHARGES: nameIn("MALOTE_CHARGES"),
  MALOTE_INFRACTIONS: nameIn("MALOTE_INFRACTIONS"),
  MALOTE_MAILER: nameIn("MALOTE_MAILER"),
  MALOTE_SMS: nameIn("MALOTE_SMS"),
};
type AdapterVariables = z.infer<z.ZodObject<typeof adapterVariables>>;

/** Variable that names the adapter of each port. */
export const variableOfPort = {
  rails: "MALOTE_RAILS",
  accountCheck: "MALOTE_ACCOUNT_CHECK",
  boletoRegister: "MALOTE_BOLETO_REGISTER",
  pixCodes: "MALOTE_PIX_CODES",
  directory: "MALOTE_PIX_DIRECTORY",
  charges: "MALOTE_CHARGES",
  infractions: "MALOTE_INFRACTIONS",
  mailer: "MALOTE_MAILER",
  sms: "MALOTE_SMS",
} as const satisfies Record<PortName, keyof AdapterVariables>;

export const portNames = Object.keys(variableOfPort) as PortName[];

/**
 * Reads the choice. The sandbox plays every port that has no other adapter, and none in production. E-mails leave by
 * SMTP where a server is configured, and always in production.
 */
export function readAdapterChoice(
  e: AdapterVariables & { SMTP_URL?: string | undefined },
  isSandbox: boolean,
): AdapterChoice {
  const usual = isSandbox ? sandboxAdapter : undefined;
  const mailer = e.SMTP_URL || !isSandbox ? "smtp" : usual;
  const named = (port: PortName) => e[variableOfPort[port]] ?? (port === "mailer" ? mailer : usual);
  return {
    byPort: Object.fromEntries(portNames.map((port) => [port, named(port)])) as AdapterChoice["byPort"],
    connections: e.MALOTE_CONNECTIONS,
  };
}
