/**
 * The catalogue of refusals (SES-061, SES-066, SES-068): code → HTTP status and Portuguese sentence.
 * The only table of its kind. `{name}` in a sentence is filled from the error's data.
 */
export const errors = {
  invalid_request: [400, "Confira os dados enviados: {fields}."],
  not_authenticated: [401, "Sua sessão expirou. Entre novamente para continuar."],
  wrong_credentials: [401, "E-mail ou senha incorretos. Confira e tente de novo."],
  second_factor_wrong: [
    401,
    "Código incorreto ou já usado. Abra o aplicativo autenticador e digite o código atual.",
  ],
  second_factor_expired: [401, "O tempo para digitar o código acabou. Entre novamente com e-mail e senha."],
  forbidden: [
    403,
    "Você não tem permissão para fazer isso. Solicite ao administrador a alteração do seu perfil.",
  ],
  second_factor_required: [403, "Ative a autenticação em 2 fatores para continuar."],
  not_found: [404, "Não encontramos o que você procura. Ele pode ter sido excluído."],
  too_many_tries: [429, "Muitas tentativas seguidas. Aguarde {minutes} minutos e tente de novo."],
  too_many_requests: [429, "Muitas chamadas em pouco tempo. Aguarde alguns segundos e tente de novo."],
  payload_too_large: [413, "O conteúdo enviado é grande demais. O limite é {limit}."],
  unsupported_media_type: [415, "Este formato não é aceito aqui."],
  not_acceptable_key: [
    400,
    "Envie o cabeçalho Idempotency-Key com um identificador único de até 64 caracteres.",
  ],
  idempotency_key_reused: [
    422,
    "Esta operação já foi enviada com outros dados. Recarregue a página e tente de novo.",
  ],
  idempotency_in_progress: [409, "Esta operação ainda está em andamento. Aguarde um instante."],
  unavailable: [503, "Estamos nos recuperando de uma falha. Tente de novo em alguns segundos."],
  internal: [500, "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso."],

  batch_not_draft: [409, "Este lote já não é um rascunho. Atualize a página para ver a situação atual."],
  batch_not_waiting_approval: [
    409,
    "Este lote não está aguardando aprovação. Atualize a página para ver a situação atual.",
  ],
  batch_not_editable: [
    409,
    "Este lote já não pode voltar para edição. Atualize a página para ver a situação atual.",
  ],
  batch_not_removable: [
    409,
    "Este lote já não pode ser excluído. Atualize a página para ver a situação atual.",
  ],
  batch_changed: [409, "O lote foi alterado por outra pessoa. Atualize a página antes de continuar."],
  revision_missing: [
    422,
    "Informe a revisão do lote que você conferiu: a aprovação vale só para esse conteúdo.",
  ],
  batch_empty: [422, "Adicione ao menos um pagamento antes de continuar."],
  batch_has_errors: [422, "Corrija os {count} pagamentos com erro antes de continuar."],
  batch_has_failed_transfers: [422, "Exclua ou corrija os pagamentos com falha antes de fechar o lote."],
  batch_has_expired_dates: [
    422,
    "Há {count} pagamentos com data vencida. Escolha uma nova data antes de continuar.",
  ],
  batch_over_limit: [422, "Um lote aceita até {max} pagamentos."],
  approver_is_creator: [422, "Sua empresa exige que outra pessoa aprove o lote."],
  approval_content_changed: [
    409,
    "O lote mudou depois de enviado para aprovação. Peça que ele seja enviado de novo.",
  ],
  contract_not_accepted: [422, "Sua empresa ainda não aceitou o contrato. Fale com o administrador."],
  batch_wrong_type: [422, "Este lote é de outro tipo de pagamento."],

  billet_duplicated: [422, "Este boleto já foi cadastrado."],
  billet_not_found: [404, "Este boleto não está no lote. Atualize a página para ver a situação atual."],
  billet_invalid: [422, "Boleto inválido"],
  billet_value_fixed: [
    422,
    "O valor reservado para este boleto não pode mudar. Use um código do mesmo valor, ou devolva ao saldo e pague em outro lote.",
  ],
  billet_not_cancellable: [
    409,
    "Este boleto não pode mais ser cancelado: só até o dia anterior ao do pagamento. Atualize a página para ver a situação atual.",
  ],

  transfer_not_editable: [
    409,
    "Este pagamento já não pode ser alterado. Atualize a página para ver a situação atual.",
  ],
  transfer_not_failed: [
    409,
    "Este pagamento já não está com falha. Atualize a página para ver a situação atual.",
  ],
  transfer_invalid: [422, "Transferência inválida"],
  transfer_value_fixed: [422, "O valor e a data não podem mudar depois que o pagamento foi enviado."],
  blocked_tax_id: [422, "CPF ou CNPJ bloqueado"],

  receiver_invalid: [422, "Há dados inválidos no recebedor. Confira os campos em destaque."],
  receiver_exists: [
    409,
    "Você já tem um recebedor com esta chave Pix ou conta. Abra-o na lista para alterar.",
  ],

  receipts_none: [422, "Nenhum comprovante disponível."],
  receipts_at_once: [
    429,
    "Já há {max} pedidos de comprovantes em preparo. Aguarde o e-mail de um deles e peça de novo.",
  ],
  receipt_missing: [
    404,
    "Este pagamento não tem comprovante: ele existe quando o dinheiro chega ao recebedor.",
  ],
  receipts_not_ready: [404, "Os comprovantes ainda estão sendo preparados. Aguarde o e-mail."],
  receipts_expired: [404, "Estes comprovantes não estão mais disponíveis. Peça de novo."],

  invoice_paid: [409, "Esta fatura já está paga."],
  invoice_not_overdue: [422, "Esta fatura ainda não venceu."],
  invoice_uncounted: [
    404,
    "Os pagamentos desta fatura não estão guardados aqui. Peça o relatório dela ao suporte.",
  ],

  credentials_too_many: [422, "Sua empresa já tem {max} credenciais. Revogue uma que não usa mais."],

  company_blocked: [403, "Sua conta está bloqueada para pagamentos. Fale com o suporte."],
  insufficient_balance: [422, "Saldo insuficiente."],
  withdrawal_account_missing: [
    422,
    "Sua empresa ainda não tem uma conta para saque. Um administrador pode cadastrá-la em Primeiros passos.",
  ],

  sheet_wrong_ending: [422, "O arquivo precisa ser uma planilha terminada em .xlsx ou .csv."],
  sheet_empty: [422, "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho."],
  sheet_too_large: [413, "O arquivo é grande demais. O limite é de {limit}."],
  sheet_upload_failed: [400, "Ocorreu um problema no upload da planilha."],
  upload_quota_hour: [
    429,
    "Sua empresa enviou arquivos demais na última hora. Aguarde {minutes} minutos e envie de novo.",
  ],
  uploads_at_once: [
    429,
    "Já há {max} arquivos sendo enviados ao mesmo tempo. Aguarde um deles terminar e envie de novo.",
  ],
  upload_quota_kept: [
    422,
    "Os arquivos guardados da sua empresa passaram de {limit}. Exclua lotes que não usa mais ou fale com o suporte.",
  ],
  sheet_already_used: [409, "Esta planilha já virou um lote."],
  sheet_import_failed: [
    422,
    "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
  ],
  sheet_cancelled: [409, "A importação desta planilha foi cancelada. Envie o arquivo de novo."],

  period_too_long: [400, "Período selecionado deve ser menor que 1 ano."],
  period_too_short: [400, "Período selecionado deve ser maior que 1 dia."],

  first_steps_missing: [422, "Conclua os primeiros passos antes de continuar."],
  name_incomplete: [422, "O nome deve ter no mínimo 2 palavras"],
  password_wrong: [422, "A senha atual está incorreta."],
  password_weak: [
    422,
    "A nova senha precisa de ao menos 8 caracteres, com letra minúscula, maiúscula, número e caractere especial.",
  ],
  password_link_invalid: [
    422,
    "Este link já foi usado, venceu ou foi trocado por um mais novo. Peça outro ao administrador da sua empresa.",
  ],
  password_repeated: [422, "A nova senha precisa ser diferente da atual."],
  second_factor_invalid: [
    422,
    "Código incorreto ou já usado. Digite o código atual do aplicativo autenticador.",
  ],
  second_factor_already_on: [409, "A autenticação em 2 fatores já está ativada."],
  second_factor_already_off: [409, "A autenticação em 2 fatores já está desativada."],
  second_factor_enforced: [422, "Sua empresa exige a autenticação em 2 fatores."],
  company_phone_invalid: [422, "Digite o telefone com DDD, como (11) 98765-4321."],
  logo_wrong_kind: [422, "A logo precisa ser um arquivo PNG ou JPEG. Salve a imagem em um desses formatos."],
  logo_too_large: [413, "A logo pode ter no máximo {limit}. Reduza a imagem e envie de novo."],
  logo_too_low: [422, "A logo precisa ter ao menos {pixels} pixels de altura."],
  logo_too_many_pixels: [422, "A logo pode ter no máximo {pixels} pixels de largura e de altura."],
  logo_upload_failed: [400, "Não foi possível receber a logo. Envie o arquivo de novo."],
  user_email_invalid: [422, "Digite um e-mail válido, como nome@empresa.com.br."],
  // Whose it is, another company's or this one's, is said to nobody.
  user_email_taken: [409, "Este e-mail já está em uso. Confira o endereço ou use outro."],
  user_own_record: [
    422,
    "Você não pode alterar nem excluir o seu próprio usuário. Peça a outro administrador.",
  ],
  user_beyond_yours: [
    422,
    "Você só pode dar e alterar acessos aos produtos que você usa. Peça a um administrador que use os outros.",
  ],
  bank_unknown: [404, "Banco não encontrado. Confira o código."],
} as const satisfies Record<string, readonly [status: number, text: string]>;

export type ErrorCode = keyof typeof errors;

export type ErrorData = Record<string, unknown>;

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  errorCode: ErrorCode;
  data: ErrorData | null;
  requestId: string;
}

export const statusOf = (code: ErrorCode): number => errors[code][0];

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errors, code);
}

/** The Portuguese sentence of a code, with its data filled in; an unknown code gives the generic sentence (SES-066). */
export function errorText(code: unknown, data?: ErrorData | null): string {
  if (!isErrorCode(code)) return errors.internal[1];
  return errors[code][1].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = data?.[name];
    return Array.isArray(value) ? value.join(", ") : String(value ?? "");
  });
}
