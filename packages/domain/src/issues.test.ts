import { describe, expect, it } from "vitest";
import {
  type IssueCode,
  issueFormText,
  issueSentence,
  issueSheetText,
  issueText,
  severityOf,
} from "./issues.ts";

describe("words of an issue", () => {
  it.each<[string, IssueCode, string]>([
    ["TRF-023", "pix_key_cpf_invalid", "CPF inválido"],
    ["TRF-023", "pix_key_cnpj_invalid", "CNPJ inválido"],
    ["TRF-023", "pix_key_email_invalid", "E-mail inválido"],
    ["TRF-023", "pix_key_phone_invalid", "Telefone inválido"],
    ["TRF-023", "pix_key_invalid", "Chave PIX inválida"],
    ["TRF-028", "bank_missing", "Conta bancária inválida"],
    ["TRF-029", "email_invalid", "E-mail inválido"],
    ["TRF-030", "tax_id_blocked", "CPF ou CNPJ bloqueado"],
    ["TRF-032", "pix_key_validation_invalid", "O CPF/CNPJ para validação deve ser válido"],
    ["TRF-033", "transfer_invalid", "Transferência inválida"],
    ["TRF-034", "public_entity_invalid", "Entidade pública inválida"],
    ["TRF-041", "pix_description_too_long", "Tamanho máximo do campo é 140 caracteres"],
    ["TRF-042", "pix_description_unsafe", "Descrição Pix não permite código html inseguro"],
    ["TRF-043", "pix_description_characters", "Descrição Pix contém caracteres inválidos"],
    ["TRF-044", "payment_date_invalid", "Data de pagamento inválida"],
    ["TRF-044", "payment_date_expired", "Data de pagamento inválida"],
    ["TRF-044", "payment_date_too_far", "Data de pagamento inválida"],
  ])("%s on a card: %s", (_requirement, code, text) => {
    expect(issueText({ code })).toBe(text);
    expect(severityOf({ code })).toBe("error");
  });

  it("TRF-037 names the maximum", () => {
    expect(issueText({ code: "value_above_max", data: { max: 1_000_000_00 } })).toBe(
      "O valor máximo é R$ 1.000.000,00",
    );
  });

  it.each<[string, IssueCode, string]>([
    ["TRF-024", "pix_key_cpf_invalid", "A chave Pix deve ser válida"],
    ["TRF-024", "pix_key_cnpj_invalid", "A chave Pix deve ser válida"],
    ["TRF-024", "pix_key_email_invalid", "A chave Pix deve ser válida"],
    ["TRF-024", "pix_key_phone_invalid", "A chave Pix deve ser válida"],
    ["TRF-024", "pix_key_invalid", "A chave Pix deve ser válida"],
    ["TRF-028", "name_invalid", "O nome deve ter no mínimo 3 letras"],
    ["TRF-030", "tax_id_blocked", "CPF ou CNPJ bloqueado"],
  ])("%s under a field: %s", (_requirement, code, text) => {
    expect(issueFormText({ code })).toBe(text);
  });

  it.each<[IssueCode, string]>([
    ["pix_key_cpf_invalid", "CPF inválido"],
    ["pix_key_cnpj_invalid", "CNPJ inválido"],
    ["pix_key_email_invalid", "E-mail inválido"],
    ["pix_key_phone_invalid", "Telefone inválido"],
    ["pix_key_invalid", "Chave PIX inválida"],
  ])("TRF-024 the list of a card names %s by its type: %s", (code, text) => {
    expect(issueSentence({ code }, true)).toBe(`${text}: A chave Pix deve ser válida`);
  });

  it("TRF-031 shows 'Dados incorretos' for an unknown mistake", () => {
    const newer = { code: "a_rule_of_tomorrow" as IssueCode };
    expect(issueFormText(newer)).toBe("Dados incorretos");
    expect(issueText(newer)).toBe("Dados incorretos");
    expect(severityOf(newer)).toBe("error");
  });

  it.each<[string, IssueCode, string]>([
    ["IMP-015", "pix_description_too_long", "A mensagem Pix deve ter no máximo 140 caracteres por transação"],
    ["IMP-026", "pix_key_cpf_invalid", "CPF inválido"],
    ["IMP-026", "bank_missing", "Conta bancária inválida (Informe o banco)"],
  ])("%s in a sheet: %s", (_requirement, code, text) => {
    expect(issueSheetText({ code }, false)).toBe(text);
  });

  it("IMP-026 TRF-028 does not mention an account for a payment by key in a sheet", () => {
    expect(issueSheetText({ code: "tax_id_invalid" }, true)).toBe("O CPF/CNPJ deve ser válido");
    expect(issueSheetText({ code: "tax_id_invalid" }, false)).toBe(
      "Conta bancária inválida (O CPF/CNPJ deve ser válido)",
    );
    expect(issueSheetText({ code: "payment_date_expired" }, true)).toBe(
      "Data de pagamento inválida (A data do agendamento já passou)",
    );
  });
});
