/** Refusals about people and their access, the company, its limits and invoices. */
import type { Refusal } from "./refusal.ts";

export const ofCompany = {
  name_incomplete: [422, "O nome deve ter no mínimo 2 palavras"],
  password_wrong: [422, "A senha atual está incorreta."],
  password_weak: [
    422,
    "A nova senha precisa de ao menos 8 caracteres, com letra minúscula, maiúscula, número e caractere especial.",
  ],
  password_link_invalid: [
    422,
    "Este link já foi usado, venceu ou foi trocado por um mais novo. Peça outro em Esqueci a senha, na página de entrada.",
  ],
  password_repeated: [422, "A nova senha precisa ser diferente da atual."],
  second_factor_invalid: [
    422,
    "Código incorreto ou já usado. Digite o código atual do aplicativo autenticador.",
  ],
  second_factor_needed: [
    422,
    "Digite também o código do aplicativo autenticador, ou um código de recuperação.",
  ],
  identity_unconfirmed: [403, "Confirme sua senha para continuar."],
  admin_too_new: [
    403,
    "Seu acesso, sua senha ou sua autenticação em 2 fatores mudou há pouco. A partir de {until} você pode fazer isto; até lá, peça a um administrador com acesso há mais tempo.",
  ],
  second_factor_already_on: [409, "A autenticação em 2 fatores já está ativada."],
  second_factor_already_off: [409, "A autenticação em 2 fatores já está desativada."],
  second_factor_enforced: [422, "Sua empresa exige a autenticação em 2 fatores."],
  company_phone_invalid: [422, "Digite o telefone com DDD, como (11) 98765-4321."],
  reply_to_invalid: [422, "E-mail inválido"],
  logo_wrong_kind: [422, "A logo precisa ser um arquivo PNG ou JPEG. Salve a imagem em um desses formatos."],
  logo_too_large: [413, "A logo pode ter no máximo {limit}. Reduza a imagem e envie de novo."],
  logo_too_low: [422, "A logo precisa ter ao menos {pixels} pixels de altura."],
  logo_too_many_pixels: [422, "A logo pode ter no máximo {pixels} pixels de largura e de altura."],
  logo_upload_failed: [400, "Não foi possível receber a logo. Envie o arquivo de novo."],
  user_email_invalid: [422, "Digite um e-mail válido, como nome@empresa.com.br."],
  // The address belongs to another person of this company. Only an e-mail to the address reveals that another company
  // uses it.
  user_email_taken: [409, "Este e-mail já está em uso. Confira o endereço ou use outro."],
  users_too_many: [
    422,
    "Sua empresa já tem {max} usuários, o máximo permitido. Exclua quem não usa mais a conta.",
  ],
  password_letters_too_many: [
    429,
    "Sua empresa já enviou {max} convites e links de senha na última hora. Aguarde e tente de novo.",
  ],
  user_own_record: [
    422,
    "Você não pode alterar nem excluir o seu próprio usuário. Peça a outro administrador.",
  ],
  user_beyond_yours: [
    422,
    "Você só pode dar e alterar acessos aos produtos que você usa. Peça a um administrador que use os outros.",
  ],
  payment_over_limit: [
    422,
    "Passa do {name}: {when} ele é de {limit} e restam {left}, e aqui são {value}. Ele se renova em {renews}. Escolha outra data, pague uma parte ou peça um limite maior em Minha empresa, Meus limites.",
  ],
  payment_over_maximum: [
    422,
    "O valor máximo de um pagamento por {method} é {max}. Envie em partes ou peça um limite maior em Minha empresa, Meus limites.",
  ],
  limit_unchanged: [422, "Este já é o limite. Digite outro valor."],
  limit_above_maximum: [422, "O limite pode ir até {max}. Digite um valor menor ou fale com o suporte."],
  limit_raise_over: [409, "Este aumento já não espera. Atualize a página para ver os limites atuais."],
  bank_unknown: [404, "Banco não encontrado. Confira o código."],

  credentials_too_many: [422, "Sua empresa já tem {max} credenciais. Revogue uma que não usa mais."],

  invoice_paid: [409, "Esta fatura já está paga."],
  invoice_not_overdue: [422, "Esta fatura ainda não venceu."],
  invoice_uncounted: [
    404,
    "Os pagamentos desta fatura não estão guardados aqui. Peça o relatório dela ao suporte.",
  ],
} as const satisfies Record<string, Refusal>;
