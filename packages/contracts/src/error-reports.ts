import * as z from "zod";
import { contract } from "./contract.ts";
import { done } from "./wire.ts";

/** The maximum number of errors in one message. A browser collects errors for a moment before it reports them. */
export const errorReportsAtOnceMax = 20;

/**
 * A response of 400 to 599 that a browser received (SES-063). Every field comes from a fixed list or is a number of
 * ours, so that no typed text can leak into it.
 */
export const errorReport = z.object({
  /** The id of the call's contract. */
  call: z.string().regex(/^[a-zA-Z]{1,60}$/),
  status: z.int().min(400).max(599),
  /** A code of the error catalogue; the server does not store other codes. */
  code: z
    .string()
    .regex(/^[a-zA-Z_0-9]{1,60}$/)
    .optional(),
  /** The request id of the answer, which finds the call in the log. */
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
