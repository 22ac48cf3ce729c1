/** E-mails about received money, contested Pix, and the company's Pix keys. */
import { formatMoment } from "@malote/domain/calendar";
import { type SituationType, situationNames } from "@malote/domain/infraction";
import type { ClaimKind } from "@malote/domain/own-pix-key";
import { formatPixKey, type PixKeyType } from "@malote/domain/pix-key";
import { brl, type Email } from "./email.ts";

interface KeySnapshot {
  keyType: PixKeyType;
  key: string;
}

const keyText = ({ keyType, key }: KeySnapshot) => formatPixKey(keyType, key);

export const receivedEmails = {
  /**
   * Reports a double payment, which the company would not look for: two people paid the same charge or one paid twice.
   */
  payinDoubled: (payin: {
    id: string;
    amount: number;
    canGoBack: boolean;
    payer: string | null;
    charge: string | null;
  }): Email => ({
    subject: `Pagamento em dobro de ${brl(payin.amount)}`,
    paragraphs: [
      "Chegou mais um pagamento de uma cobrança que já estava paga. Os dois valores são da sua empresa até que um deles seja devolvido.",
      payin.canGoBack
        ? "Abra o recebimento para devolver o valor a quem pagou."
        : "Um boleto não tem devolução automática: combine com quem pagou e envie o valor por transferência.",
    ],
    facts: [
      { label: "Valor", value: brl(payin.amount) },
      ...(payin.payer ? [{ label: "Pagador", value: payin.payer }] : []),
      ...(payin.charge ? [{ label: "Cobrança", value: payin.charge }] : []),
    ],
    button: {
      label: "Ver o recebimento",
      page: `/recebimentos/recebiveis?recebimento=${payin.id}`,
    },
  }),

  /** Reports an infraction at once to those who decide about money, because the deadline is only four days. */
  infractionReported: (infraction: {
    id: string;
    amount: number;
    payer: string;
    situation: SituationType;
    answerDueAt: Date;
  }): Email => ({
    subject: `Responda até ${formatMoment(infraction.answerDueAt)}: contestação de um Pix de ${brl(infraction.amount)}`,
    paragraphs: [
      "Quem pagou diz que este Pix foi fraude. Sua empresa tem até o prazo para aprovar a devolução ou defender a venda. Sem resposta, o valor volta automaticamente ao pagador.",
    ],
    facts: [
      { label: "Valor", value: brl(infraction.amount) },
      { label: "Pagador", value: infraction.payer },
      { label: "Tipo", value: situationNames[infraction.situation] },
      { label: "Prazo", value: formatMoment(infraction.answerDueAt) },
    ],
    button: { label: "Ver a infração", page: `/contestacoes/infracoes/${infraction.id}` },
  }),

  /** Reports a claim of a key. The banner reaches only users who sign in, and in its seven days there may be none. */
  pixKeyClaimed: (requested: KeySnapshot & { id: string; claim: ClaimKind; answerUntil: Date }): Email => ({
    subject: `Pediram a chave Pix ${keyText(requested)} da sua empresa`,
    paragraphs: [
      requested.claim === "CLAIM"
        ? "Outra pessoa diz que esta chave é dela e pediu o registro. Confira e responda: sem resposta até o prazo, a chave sai da sua empresa."
        : "Outra instituição pediu para levar esta chave para lá, em nome da sua empresa. Confira e responda: sem resposta até o prazo, a chave continua aqui.",
    ],
    facts: [
      { label: "Chave Pix", value: keyText(requested) },
      { label: "Pedido", value: requested.claim === "CLAIM" ? "Reivindicação" : "Portabilidade" },
      { label: "Responder até", value: formatMoment(requested.answerUntil) },
    ],
    button: {
      label: "Responder ao pedido",
      page: `/pagamentos/configuracoes/dados-bancarios?chave=${requested.id}`,
    },
  }),

  pixKeyLost: (lost: KeySnapshot): Email => ({
    subject: `A chave Pix ${keyText(lost)} saiu da sua empresa`,
    paragraphs: [
      "Ninguém respondeu ao pedido de reivindicação em 7 dias, e pela regra do Pix a chave passou a quem a pediu. Avise quem paga a sua empresa por esta chave.",
    ],
    facts: [{ label: "Chave Pix", value: keyText(lost) }],
  }),

  /** Notifies all admins when a key is deleted or released, because payers use it to reach the company. */
  pixKeyGivenUp: (given: KeySnapshot & { by: string; how: "delete" | "release" }): Email => ({
    subject: `A chave Pix ${keyText(given)} vai sair da sua empresa`,
    paragraphs: [
      `${given.by} ${given.how === "delete" ? "excluiu esta chave" : "liberou esta chave para quem a pediu"}. Quem paga a sua empresa por ela precisa de outra.`,
      "Se ninguém da empresa pediu isso, troque as senhas e fale com o suporte.",
    ],
    facts: [{ label: "Chave Pix", value: keyText(given) }],
  }),

  /** Sends the code to the e-mail that is the key; its owner may be any person. */
  pixKeyCode: ({ company, code, minutes }: { company: string; code: string; minutes: number }): Email => ({
    subject: "Seu código para cadastrar a chave Pix",
    greeting: "Olá!",
    paragraphs: [
      `${company} está cadastrando este e-mail como chave Pix. Para confirmar, digite o código na tela do cadastro.`,
      `Ele vale por ${minutes} minutos. Se você não conhece o pedido, ignore esta mensagem e não passe o código a ninguém.`,
    ],
    facts: [{ label: "Código", value: code }],
  }),
};
