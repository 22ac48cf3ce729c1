import * as z from "zod";
import { contract } from "./contract.ts";
import { done } from "./wire.ts";

/** In one message of a browser: it collects errors for a moment and reports at most these. */
export const errorReportsAtOnceMax = 20;

/**
 * An answer of 400 to 599 that a browser received (SES-063). Every field is from a fixed list or a number of ours, so
 * that no typed text can get in.
 */
export const errorReport = z.object({
  /** Which call, by the id of its contract. */
  call: z.string().regex(/^[a-zA-Z]{1,60}$/),
  status: z.int().min(400).max(599),
  /** A code of the catalogue of errors; another one is not stored. */
  code: z
    .string()
    .regex(/^[a-zA-Z_0-9]{1,60}$/)
    .optional(),
  /** The answer's request id, by which the log finds the call. */
  request_id: z.uuid().optional(),
});
export type ErrorReport = z.infer<typeof errorReport>;

export const reportErrors = contract({
  id: "reportErrors",
  base: "login",
  method: "POST",
  path: "/error_reports",
  summary: "Falhas que um navegador encontrou, para o serviço de erros da instalação",
  policy: { access: "public" },
  body: z.object({ reports: z.array(errorReport).min(1).max(errorReportsAtOnceMax) }),
  response: done,
  bodyBytesMax: 8_192,
});
