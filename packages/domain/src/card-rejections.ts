/** Reasons for refusing a card sale, in words for the seller (PAY-025). No other table defines them. */
export const cardRejections: Readonly<Record<string, string>> = {
  amount_invalid: "O valor da venda não é aceito para este cartão.",
  card_expired: "O cartão está vencido. Peça outro cartão ao pagador.",
  card_invalid: "O número do cartão é inválido. Peça ao pagador que confira os dados.",
  card_lost: "O cartão foi informado como perdido. Peça outra forma de pagamento.",
  card_pin_invalid: "A senha do cartão está incorreta.",
  card_pin_required: "O cartão exige senha e não pode ser usado em vendas pela internet.",
  card_pin_attempts_exceeded: "A senha foi digitada errada vezes demais e o cartão está bloqueado.",
  card_security_code_invalid: "O código de segurança do cartão está incorreto.",
  card_stolen: "O cartão foi informado como roubado. Peça outra forma de pagamento.",
  payer_institution_not_available: "O banco do pagador está indisponível. Tente de novo em alguns minutos.",
  payer_institution_transaction_error: "O banco do pagador não conseguiu processar a venda. Tente de novo.",
  payer_balance_insufficient: "O pagador não tem saldo suficiente.",
  payer_limit_exceeded: "A venda passa do limite do cartão.",
  processor_transaction_error: "A processadora não conseguiu concluir a venda. Tente de novo.",
  processor_transaction_timeout:
    "A processadora não respondeu a tempo e a venda não foi feita. Tente de novo.",
  suspected_of_fraud: "A venda foi negada por suspeita de fraude.",
  merchant_registration_divergent:
    "O cadastro da sua empresa na adquirente está divergente. Fale com o suporte.",
};
