/** The institution of an installation, as the environment names it: its ISPB, code and name, or none of them. */
import { isNameOf, listedByCode, listedByIspb } from "@malote/domain/banks";
import { inventedInstitution, type OwnInstitution } from "@malote/domain/own-institution";
import * as z from "zod";

export const institutionVariables = {
  MALOTE_ISPB: z
    .string()
    .regex(/^\d{8}$/, "MALOTE_ISPB deve ter 8 dígitos, com os zeros do começo")
    .optional(),
  MALOTE_BANK_CODE: z
    .string()
    .regex(/^(?!000)\d{3}$/, "MALOTE_BANK_CODE deve ter 3 dígitos, com os zeros do começo")
    .optional(),
  // The name appears in pages, PDF files and OFX files, so characters with a meaning there are refused.
  MALOTE_INSTITUTION_NAME: z
    .string()
    .trim()
    .regex(
      /^[\p{L}\d][\p{L}\d .,()/-]{2,59}$/u,
      "MALOTE_INSTITUTION_NAME deve ter de 3 a 60 letras, números, espaços e . , ( ) / -",
    )
    .optional(),
};
type InstitutionVariables = z.infer<z.ZodObject<typeof institutionVariables>>;

/**
 * Reads the institution and compares it with the public list, because the code or ISPB of another institution would
 * turn money sent to that one into internal transfers. The fictitious institution is not in the list and uses another
 * one's code, so it is valid only in the sandbox.
 */
export function readInstitution(
  e: InstitutionVariables,
  isSandbox: boolean,
  problems: string[],
): OwnInstitution {
  const { MALOTE_ISPB: ispb, MALOTE_BANK_CODE: code, MALOTE_INSTITUTION_NAME: name } = e;
  if (!ispb && !code && !name && isSandbox) return inventedInstitution;
  if (!ispb || !code || !name) {
    problems.push(
      isSandbox
        ? "MALOTE_ISPB, MALOTE_BANK_CODE e MALOTE_INSTITUTION_NAME dizem juntas qual é a instituição: informe as três ou nenhuma"
        : "MALOTE_ISPB, MALOTE_BANK_CODE e MALOTE_INSTITUTION_NAME são obrigatórias em produção",
    );
    return inventedInstitution;
  }
  const isInvented = ispb === inventedInstitution.ispb && code === inventedInstitution.code;
  if (isInvented && isSandbox) return { ispb, code, name };
  if (ispb === inventedInstitution.ispb)
    problems.push(
      isSandbox
        ? `MALOTE_ISPB ${ispb} é o da instituição inventada da sandbox, de código ${inventedInstitution.code}: informe o da sua instituição`
        : `MALOTE_ISPB ${ispb} é o da instituição inventada da sandbox: informe o da sua instituição`,
    );
  const ofIspb = listedByIspb(ispb);
  const ofCode = listedByCode(code);
  if (ofIspb && !isNameOf(name, ispb))
    problems.push(
      `MALOTE_ISPB ${ispb} é de ${ofIspb.name}, e não de ${name}: corrija o ISPB, ou o nome em MALOTE_INSTITUTION_NAME`,
    );
  if (ofIspb?.code && ofIspb.code !== code)
    problems.push(`MALOTE_BANK_CODE deve ser ${ofIspb.code}, o código de ${ofIspb.name}, e não ${code}`);
  else if (ofCode && ofCode.ispb !== ispb)
    problems.push(
      `MALOTE_BANK_CODE ${code} é de ${ofCode.name}, com o ISPB ${ofCode.ispb}: informe o código da sua instituição`,
    );
  return { ispb, code, name };
}
