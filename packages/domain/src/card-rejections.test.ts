import { expect, it } from "vitest";
import { cardRejections } from "./card-rejections.ts";

/** Words that one message must contain and no other may, so that a text under another's code is noticed. */
it.each([
  ["amount_invalid", /valor da venda não é aceito/],
  ["card_expired", /cartão está vencido/],
  ["card_invalid", /número do cartão é inválido/],
  ["card_lost", /perdido/],
  ["card_pin_attempts_exceeded", /senha.*vezes demais.*bloqueado/],
  ["card_pin_invalid", /senha do cartão está incorreta/],
  ["card_pin_required", /exige senha/],
  ["card_security_code_invalid", /código de segurança/],
  ["card_stolen", /roubado/],
  ["merchant_registration_divergent", /cadastro da sua empresa.*divergente/],
  ["payer_balance_insufficient", /saldo/],
  ["payer_institution_not_available", /banco do pagador está indisponível/],
  ["payer_institution_transaction_error", /banco do pagador não conseguiu/],
  ["payer_limit_exceeded", /limite do cartão/],
  ["processor_transaction_error", /processadora não conseguiu/],
  ["processor_transaction_timeout", /processadora não respondeu a tempo/],
  ["suspected_of_fraud", /suspeita de fraude/],
])("PAY-025 has its own message for %s", (code, says) => {
  const saying = Object.entries(cardRejections).filter(([, message]) => says.test(message));
  expect(saying.map(([found]) => found)).toEqual([code]);
});
