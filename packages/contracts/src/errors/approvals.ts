/** Refusals of approvals and of the company's controls. */
import type { Refusal } from "./refusal.ts";

export const ofApprovals = {
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
  approval_amount_exceeded: [
    409,
    "Agora seriam devolvidos {now}, mais que os {asked} deste pedido. Recuse ou cancele o pedido e peça de novo.",
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
    "O que você conferiu mudou. Atualize a página e confira de novo; se isto voltar, peça que seja enviado outra vez.",
  ],
} as const satisfies Record<string, Refusal>;
