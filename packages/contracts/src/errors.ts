/**
 * The catalogue of refusals (SES-061, SES-066, SES-068): code → HTTP status and Portuguese sentence.
 * The only table of its kind. `{name}` in a sentence is filled from the error's data, and
 * `{name:one|many}` with the word that fits its number, which stands for `#`.
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
  too_many_lookups: [
    429,
    "Você já fez muitas consultas. Aguarde {minutes} minutos e tente de novo; os pagamentos podem ser salvos sem a consulta.",
  ],
  read_too_slow: [
    503,
    "Esta consulta demorou demais e foi interrompida. Tente de novo com um período menor ou uma busca mais precisa.",
  ],
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
  idempotency_key_of_another: [
    422,
    "Este Idempotency-Key já foi usado por outra pessoa ou credencial da sua empresa. Envie a operação com um identificador novo.",
  ],
  idempotency_in_progress: [409, "Esta operação ainda está em andamento. Aguarde um instante."],
  unavailable: [503, "Estamos nos recuperando de uma falha. Tente de novo em alguns segundos."],
  no_space: [
    503,
    "Estamos sem espaço para guardar dados neste momento, e nada foi gravado. Tente de novo em alguns minutos.",
  ],
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
  batch_keeps_name: [
    409,
    "O nome não muda enquanto o lote aguarda aprovação ou é fechado. Para mudá-lo, volte o lote para edição.",
  ],
  batch_not_removable: [
    409,
    "Este lote já não pode ser excluído. Atualize a página para ver a situação atual.",
  ],
  batch_not_cancellable: [
    409,
    "Este lote não pode mais ser cancelado: só enquanto todos os pagamentos estão agendados. Atualize a página para ver a situação atual.",
  ],
  batch_not_finished: [
    409,
    "Só um lote finalizado pode ser conciliado. Atualize a página para ver a situação atual.",
  ],
  batch_changed: [409, "O lote foi alterado por outra pessoa. Atualize a página antes de continuar."],
  revision_missing: [
    422,
    "Informe a revisão do lote que você conferiu: a aprovação vale só para esse conteúdo.",
  ],
  batch_empty: [422, "Adicione ao menos um pagamento antes de continuar."],
  batch_has_errors: [422, "Corrija {count:o pagamento|os # pagamentos} com erro antes de continuar."],
  batch_has_failed_transfers: [422, "Exclua ou corrija os pagamentos com falha antes de fechar o lote."],
  batch_has_expired_dates: [
    422,
    "Há {count:1 pagamento|# pagamentos} com data vencida. Escolha uma nova data antes de continuar.",
  ],
  batch_over_limit: [422, "Um lote aceita até {max} pagamentos."],
  approver_is_creator: [422, "Sua empresa exige que outra pessoa aprove o lote."],
  approver_not_a_person: [403, "Uma credencial não aprova. Peça a uma pessoa que entre e aprove."],
  correction_admins_only: [
    403,
    "Na sua empresa, só administradores corrigem pagamentos com falha. Peça a um deles.",
  ],
  refund_admins_only: [
    403,
    "Na sua empresa, só administradores devolvem pagamentos com falha ao saldo. Peça a um deles.",
  ],
  approver_too_new: [
    403,
    "Seu acesso ou sua autenticação mudou há pouco. Você pode aprovar a partir de {until}; até lá, peça a outra pessoa.",
  ],
  approved_already: [409, "Você já aprovou. Falta a aprovação de outra pessoa."],
  approvals_missing: [
    422,
    "Este lote precisa da aprovação de {count} pessoas além de quem o preparou. Envie-o para aprovação.",
  ],
  approvers_too_few: [
    422,
    "Sua empresa não tem pessoas que possam aprovar isto: {count:é necessária 1|são necessárias #} além de quem pede. Peça a um administrador que inclua aprovadores ou mude os controles.",
  ],
  approval_request_open: [
    409,
    "Já há um pedido igual aguardando aprovação. Abra as aprovações para acompanhar ou cancelar.",
  ],
  payment_awaits_approval: [
    409,
    "Este pagamento já está em um pedido aguardando aprovação: acompanhe, decida ou cancele o pedido em Aprovações.",
  ],
  approval_requests_too_many: [
    409,
    "Você já tem {max} pedidos aguardando aprovação ou feitos na última hora, contando os das credenciais que você criou. Espere que sejam decididos e que a hora passe, e peça de novo.",
  ],
  approval_request_decided: [
    409,
    "Este pedido já foi decidido. Atualize a página para ver a situação atual.",
  ],
  approval_request_obsolete: [
    409,
    "Nenhum pagamento deste pedido continua com falha, e o pedido foi encerrado. Atualize a página para ver a situação atual.",
  ],
  approval_request_expired: [409, "Este pedido venceu sem aprovação. Peça de novo."],
  step_up_required: [403, "Este valor pede o código do seu aplicativo autenticador."],
  step_up_factor_missing: [
    403,
    "Este valor pede o código do autenticador, e a sua autenticação em 2 fatores está desativada. Ative-a em Minha conta, Segurança.",
  ],
  controls_bands: [
    422,
    "Confira as faixas: a primeira começa em R$ 0,00, cada uma começa acima da anterior e não pede menos aprovadores.",
  ],
  controls_hours: [422, "A espera pode ter no máximo 168 horas."],
  controls_operator_gone: [
    422,
    "Um dos operadores escolhidos já não é operador de pagamentos. Atualize a página e escolha de novo.",
  ],
  controls_without_factor: [
    422,
    "Para pedir o código do autenticador, {count:1 pessoa que aprova precisa|# pessoas que aprovam precisam} ter a autenticação em 2 fatores ativada.",
  ],
  controls_without_others: [
    422,
    "Com estes controles, só você poderia aprovar, e ninguém aprova o que preparou.{waiting} Inclua outro administrador de pagamentos ou escolha um operador que aprova.",
  ],
  controls_changed: [
    409,
    "Os controles mudaram desde que você abriu a página. Atualize-a e faça a mudança de novo.",
  ],
  approval_content_changed: [
    409,
    "O lote mudou depois de enviado para aprovação. Peça que ele seja enviado de novo.",
  ],
  checks_not_confirmed: [
    422,
    "Confira e marque antes de continuar: {titles}. Se o lote mudou, as marcas que o envolvem são pedidas de novo.",
  ],
  checks_changed: [
    409,
    "O que havia para conferir mudou. Atualize a página, confira de novo e marque o que viu.",
  ],
  confirmation_of_another: [
    403,
    "Uma credencial só confirma o que ela, ou quem a criou, preparou, e nunca no lugar de quem aprova. Peça a uma pessoa com acesso que confira o lote na tela.",
  ],
  contract_not_accepted: [422, "Sua empresa ainda não aceitou o contrato. Fale com o administrador."],
  batch_wrong_type: [422, "Este lote é de outro tipo de pagamento."],
  fix_needs_receiver: [
    422,
    "Este dado pertence a um recebedor e não pode ser o mesmo para todos. Corrija recebedor por recebedor.",
  ],
  fix_needs_billet: [
    422,
    "Em boletos, só a data do pagamento ou a descrição pode ser a mesma para todos. Informe uma delas, ou abra cada boleto.",
  ],
  fix_needs_rows: [422, "Marque os pagamentos que recebem o valor sugerido."],

  billet_duplicated: [422, "Este boleto já foi cadastrado."],
  payments_not_of_batch: [
    404,
    "Um dos pagamentos não está neste lote. Atualize a página para ver a situação atual e escolha de novo.",
  ],
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
  receipts_too_many: [
    422,
    "Há mais de {max} comprovantes nesta busca. Escolha um período menor ou filtre a busca.",
  ],
  receipts_at_once: [
    429,
    "Já há {max} pedidos de comprovantes em preparo. Aguarde o e-mail de um deles e peça de novo.",
  ],
  receipt_missing: [
    404,
    "Este pagamento não tem comprovante: ele existe quando o dinheiro chega ao recebedor.",
  ],
  bank_receipt_missing: [
    404,
    "O banco ainda não enviou o comprovante deste pagamento. Tente de novo mais tarde ou baixe o nosso comprovante.",
  ],
  bank_receipt_unavailable: [
    503,
    "Não conseguimos buscar o comprovante no banco agora. Tente de novo em alguns minutos ou baixe o nosso comprovante.",
  ],
  receipts_not_ready: [404, "Os comprovantes ainda estão sendo preparados. Aguarde o e-mail."],
  receipts_expired: [404, "Estes comprovantes não estão mais disponíveis. Peça de novo."],

  reports_at_once: [429, "Já há {max} relatórios em preparo. Aguarde o e-mail de um deles e peça de novo."],
  sheets_at_once: [
    429,
    "Sua empresa já está baixando {max} planilhas. Espere o fim de uma delas e baixe de novo.",
  ],
  sheets_asked_too_many: [
    429,
    "Sua empresa já pediu {max} planilhas como esta em 24 horas. Baixe uma das que já pediu ou peça de novo amanhã.",
  ],
  sheets_asked_in_an_hour: [
    429,
    "Você já pediu {max} planilhas na última hora. Baixe uma das que já pediu ou espere para pedir outra.",
  ],
  report_not_ready: [404, "O relatório ainda está sendo preparado. Aguarde o e-mail."],
  report_expired: [404, "Este relatório não está mais disponível. Peça de novo."],
  payout_report_range: [422, "O intervalo de datas não pode ser maior que {days} dias."],
  statement_report_range: [422, "O período do extrato não pode ser maior que {days} dias."],
  statement_pdf_too_long: [
    422,
    "Este período tem mais de {max} lançamentos. Baixe o extrato em XLS, CSV ou OFX, ou escolha um período menor.",
  ],

  invoice_paid: [409, "Esta fatura já está paga."],
  invoice_not_overdue: [422, "Esta fatura ainda não venceu."],
  invoice_uncounted: [
    404,
    "Os pagamentos desta fatura não estão guardados aqui. Peça o relatório dela ao suporte.",
  ],

  payment_link_date_past: [422, "A data de expiração já passou. Escolha hoje ou um dia depois."],
  payment_link_boleto_off: [
    422,
    "Sua empresa ainda não recebe por boleto. Escolha outro método ou fale com o suporte.",
  ],
  payment_link_card_off: [
    422,
    "Sua empresa ainda não recebe por cartão de crédito. Escolha outro método ou fale com o suporte.",
  ],
  payment_link_due_days_missing: [422, "Data de expiração do boleto é obrigatório"],
  payment_link_rate_invalid: [
    422,
    "Juros e multa do boleto têm um valor fixo ou um percentual, conforme o tipo. Confira e tente de novo.",
  ],
  payment_link_installments_over: [422, "Este valor pode ser parcelado em até {max} vezes."],
  payment_link_paid: [409, "O link não pode ser excluído pois já foi recebido"],

  checkout_not_found: [
    404,
    "Este link de pagamento não existe ou foi cancelado. Confira o endereço ou peça outro a quem o enviou.",
  ],
  checkout_paid: [409, "Este link já foi pago."],
  checkout_being_paid: [
    409,
    "Um pagamento deste link com cartão está em andamento. Aguarde um minuto e tente de novo.",
  ],
  checkout_expired: [409, "Este link de pagamento venceu. Peça outro a quem o enviou."],
  checkout_method_off: [422, "Este link não aceita essa forma de pagamento. Escolha outra."],
  checkout_card_changed: [
    409,
    "A tentativa anterior ficou sem resposta e foi cancelada. Nada foi cobrado: confira os dados e pague de novo.",
  ],
  checkout_invalid: [422, "Confira estes dados e tente de novo: {fields}."],
  payin_not_refundable: [
    409,
    "Este recebimento não pode ser devolvido. Atualize a página para ver a situação atual.",
  ],
  refund_window_over: [409, "Tempo para devolução excedido"],
  refund_above_refundable: [
    422,
    "O valor passa do que ainda pode ser devolvido. Atualize a página para ver quanto resta.",
  ],
  refund_only_in_full: [422, "Este recebimento só pode ser devolvido por inteiro."],

  pix_key_phone_invalid: [422, "Número de celular inválido"],
  pix_key_email_invalid: [422, "E-mail inválido"],
  pix_keys_too_many: [
    422,
    "Sua empresa já tem {max} chaves Pix, o máximo permitido. Exclua uma que não usa mais.",
  ],
  pix_key_exists: [409, "Esta chave já está na lista da sua empresa. Abra-a para ver a situação."],
  pix_key_changed: [409, "A situação desta chave mudou. Confira como ela está agora."],
  pix_key_busy: [
    409,
    "Ainda estamos concluindo o último pedido sobre esta chave. Aguarde alguns segundos e tente de novo.",
  ],
  pix_key_code_wrong: [422, "Código incorreto. Confira a mensagem que enviamos e digite de novo."],
  pix_key_code_over: [422, "Este código venceu ou foi errado muitas vezes. Peça um novo código."],
  pix_key_codes_too_many: [
    429,
    "Já enviamos muitos códigos para esta chave. Tente de novo amanhã ou use outra chave.",
  ],
  pix_key_code_too_soon: [429, "Aguarde {seconds} segundos para pedir outro código."],
  pix_key_other_owner: [
    422,
    "Esta chave está em nome de outra pessoa, e este tipo de chave não pode ser reivindicado. Exclua-a e use outra chave.",
  ],
  pix_key_refused: [
    422,
    "O diretório do Pix não aceitou esta chave. Exclua-a e tente de novo, ou use outra chave.",
  ],
  pix_key_claim_open: [
    409,
    "Já há um pedido em andamento sobre esta chave. Tente de novo quando ele terminar.",
  ],
  pix_key_not_movable: [422, "Este tipo de chave não aceita esse pedido."],

  validation_invalid: [422, "Há dados inválidos. Confira os campos em destaque."],
  validation_type_unused: [
    422,
    "Sua empresa não usa este tipo de validação. Escolha outro ou fale com o suporte.",
  ],
  micro_deposit_without_balance: [
    422,
    "O microdepósito de R$ 0,01 sai do saldo da sua empresa, que não é suficiente. Envie saldo e tente de novo.",
  ],
  pix_code_invalid: [422, "Este código Pix não pode ser pago. Copie o código inteiro e cole de novo."],
  too_many_codes: [422, "Envie no máximo {max} códigos Pix de cobrança por vez."],
  lookup_key_invalid: [422, "Esta chave Pix não é válida. Confira o tipo e a chave, e consulte de novo."],
  pix_directory_silent: [
    422,
    "Não foi possível consultar a chave Pix agora. Aguarde um instante e tente de novo.",
  ],

  credentials_too_many: [422, "Sua empresa já tem {max} credenciais. Revogue uma que não usa mais."],

  company_blocked: [403, "Sua conta está bloqueada para pagamentos. Fale com o suporte."],
  insufficient_balance: [422, "Saldo insuficiente."],
  withdrawal_account_not_yours: [
    422,
    "A conta para saque precisa ser da sua empresa: o titular deve ter o CNPJ {taxId}.",
  ],
  withdrawal_account_name: [
    422,
    "O nome do titular não parece o da sua empresa, {name}. Confira o nome como está no banco.",
  ],
  withdrawals_frozen: [
    422,
    "A conta para saque mudou há pouco. Por segurança, os resgates voltam em {until}.",
  ],
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
  sheet_already_used: [
    409,
    "O lote desta planilha já foi alterado. Para ler outras colunas, envie o arquivo de novo.",
  ],
  sheet_columns_twice: [422, "Duas colunas foram escolhidas para o mesmo dado. Deixe só uma delas."],
  sheet_import_failed: [
    422,
    "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
  ],
  sheet_cancelled: [409, "A importação desta planilha foi cancelada. Envie o arquivo de novo."],

  infraction_answered: [
    409,
    "Esta infração já foi respondida ou cancelada. Atualize a página para ver a situação atual.",
  ],
  infraction_contested: [409, "Infração já contestada via e-mail"],
  infraction_overdue: [409, "O prazo desta infração terminou, e o valor volta automaticamente ao pagador."],
  infractions_not_pending: [
    409,
    "Não é mais possível aprovar {count} das infrações escolhidas. Atualize a lista e escolha de novo; nenhuma foi aprovada.",
  ],
  analysis_missing: [422, "Escolha entre aprovar e reprovar a infração."],
  defence_too_short: [422, "A descrição da análise deve ter pelo menos 10 caracteres."],
  defence_too_long: [422, "A descrição da análise deve ter no máximo 2000 caracteres."],
  attachment_wrong_kind: [422, "Somente arquivos PDF, ZIP, RAR, PNG ou JPEG são permitidos"],
  attachment_too_large: [413, "O arquivo deve ter no máximo 15 MB"],
  attachment_too_many: [422, "Não é possível adicionar mais de um arquivo"],
  attachment_upload_failed: [400, "Não foi possível receber a defesa. Confira o arquivo e envie de novo."],
  attachment_missing: [404, "Esta infração não tem anexo."],
  attachment_link_over: [404, "Este endereço do anexo não vale mais. Abra a infração para baixá-lo de novo."],
  infraction_exports_at_once: [
    429,
    "Já há {max} exportações em preparo. Aguarde o e-mail de uma delas e peça de novo.",
  ],
  infraction_export_not_ready: [404, "A exportação ainda está sendo preparada. Aguarde o e-mail."],
  infraction_export_expired: [404, "Esta exportação não está mais disponível. Peça de novo."],

  period_too_long: [400, "Período selecionado deve ser menor que 1 ano."],
  period_too_short: [400, "Período selecionado deve ser maior que 1 dia."],

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
  // Somebody's of this company. That another company has them is sent to the person alone.
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
  return errors[code][1].replace(
    /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g,
    (_, name: string, one?: string, many?: string) => {
      const value = data?.[name];
      if (one !== undefined && many !== undefined)
        return value === 1 ? one : many.replace("#", String(value ?? ""));
      return Array.isArray(value) ? value.join(", ") : String(value ?? "");
    },
  );
}
