/** Refusals about batches, their payments and receivers, and the balance that pays them. */
import type { Refusal } from "./refusal.ts";

export const ofPayouts = {
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
  payment_changed: [
    409,
    "Este pagamento mudou depois que você o viu. Confira os dados na lista e tente de novo.",
  ],
  versions_incomplete: [
    422,
    "A lista não diz como você viu cada pagamento escolhido. Abra as falhas do lote de novo e refaça a escolha.",
  ],
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

  company_blocked: [403, "Sua conta está bloqueada para pagamentos. Fale com o suporte."],
  function_suspended: [
    422,
    'A função "{function}" está suspensa para a sua empresa. Fale com o suporte para voltar a usá-la.',
  ],
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
    "A conta para saque mudou há pouco. Por segurança, os resgates voltam em {until}.{back}",
  ],
  withdrawal_account_missing: [
    422,
    "Sua empresa ainda não tem uma conta para saque. Um administrador pode cadastrá-la em Configurações, Dados bancários.",
  ],
} as const satisfies Record<string, Refusal>;
