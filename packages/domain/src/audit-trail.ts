/**
 * Vocabulary of the audit trail, in the words an admin reads: actions, objects and changed fields. No other table
 * defines them: an action or a field without an entry here does not compile where it is written.
 */

/** Objects of an entry. */
export const auditObjects = {
  batch: "Lote",
  payment: "Pagamento",
  billet: "Boleto",
  sheet: "Planilha",
  receiver: "Recebedor",
  payin: "Recebimento",
  payment_link: "Link de pagamento",
  infraction: "Infração",
  pix_key: "Chave Pix",
  validation: "Validação",
  lookup: "Consulta",
  user: "Usuário",
  session: "Acesso",
  credential: "Credencial de API",
  company: "Empresa",
  limit: "Limite",
  approval: "Pedido de aprovação",
  invoice: "Fatura",
  file: "Arquivo",
  call: "Chamada",
} as const;
export type AuditObject = keyof typeof auditObjects;

interface Words {
  label: string;
  object: AuditObject;
}

export const auditActions = {
  batch_created: { label: "Lote criado", object: "batch" },
  batch_renamed: { label: "Lote renomeado", object: "batch" },
  batch_saved: { label: "Pagamentos do lote salvos", object: "batch" },
  batch_removed: { label: "Lote excluído", object: "batch" },
  batch_sent_to_approval: { label: "Lote enviado para aprovação", object: "batch" },
  batch_approval_given: { label: "Aprovação do lote registrada", object: "batch" },
  batch_approved: { label: "Lote aprovado e fechado", object: "batch" },
  batch_closed: { label: "Lote fechado", object: "batch" },
  batch_reproved: { label: "Lote reprovado", object: "batch" },
  batch_reopened: { label: "Lote reaberto para edição", object: "batch" },
  batch_sent_back: { label: "Lote devolvido para aprovação", object: "batch" },
  batch_cancelled: { label: "Lote agendado cancelado", object: "batch" },
  batch_reconciled: { label: "Lote marcado como conciliado", object: "batch" },
  batch_unreconciled: { label: "Lote desmarcado como conciliado", object: "batch" },
  checks_confirmed: { label: "Alertas do lote confirmados", object: "batch" },
  issues_fixed: { label: "Erros do lote corrigidos em conjunto", object: "batch" },
  items_imported: { label: "Pagamentos importados no lote", object: "batch" },
  transfers_removed: { label: "Pagamentos excluídos do lote", object: "batch" },
  transfers_refunded: { label: "Pagamentos com falha devolvidos ao saldo", object: "batch" },
  payments_retried: { label: "Pagamentos com falha enviados de novo", object: "batch" },
  payments_given_back: { label: "Falhas escolhidas devolvidas ao saldo", object: "batch" },
  transfer_added: { label: "Pagamento incluído", object: "payment" },
  transfer_changed: { label: "Pagamento alterado", object: "payment" },
  transfer_corrected: { label: "Pagamento com falha corrigido", object: "payment" },
  transfer_removed: { label: "Pagamento excluído", object: "payment" },
  balance_withdrawn: { label: "Saldo resgatado", object: "payment" },
  billet_added: { label: "Boleto incluído", object: "billet" },
  billet_changed: { label: "Boleto alterado", object: "billet" },
  billet_corrected: { label: "Boleto com falha corrigido", object: "billet" },
  billet_removed: { label: "Boleto excluído", object: "billet" },
  billet_cancelled: { label: "Boleto agendado cancelado", object: "billet" },
  billet_refunded: { label: "Boleto com falha devolvido ao saldo", object: "billet" },
  sheet_uploaded: { label: "Planilha enviada", object: "sheet" },
  sheet_columns_chosen: { label: "Colunas da planilha escolhidas", object: "sheet" },
  sheet_import_started: { label: "Importação da planilha iniciada", object: "sheet" },
  sheet_cancelled: { label: "Planilha cancelada", object: "sheet" },
  sheet_given_up: { label: "Leitura da planilha abandonada", object: "sheet" },
  sheet_file_removed: { label: "Arquivo da planilha removido", object: "sheet" },
  receiver_created: { label: "Recebedor criado", object: "receiver" },
  receiver_changed: { label: "Recebedor alterado", object: "receiver" },
  receiver_removed: { label: "Recebedor excluído", object: "receiver" },
  receivers_removed: { label: "Recebedores excluídos", object: "receiver" },
  payin_refunded: { label: "Devolução de recebimento pedida", object: "payin" },
  payment_link_created: { label: "Link de pagamento criado", object: "payment_link" },
  payment_link_removed: { label: "Link de pagamento excluído", object: "payment_link" },
  infraction_reported: { label: "Infração recebida", object: "infraction" },
  infraction_accepted: { label: "Infração aprovada", object: "infraction" },
  infraction_rejected: { label: "Infração contestada", object: "infraction" },
  infraction_contested_by_email: { label: "Infração contestada por e-mail", object: "infraction" },
  infraction_judged: { label: "Parecer da infração recebido", object: "infraction" },
  infraction_expired: { label: "Prazo da infração terminado sem resposta", object: "infraction" },
  infraction_refunded: { label: "Valor da infração devolvido", object: "infraction" },
  infraction_refund_closed: { label: "Devolução da infração concluída", object: "infraction" },
  infraction_monitoring_ended: { label: "Monitoramento da devolução encerrado", object: "infraction" },
  pix_key_created: { label: "Chave Pix incluída", object: "pix_key" },
  pix_key_code_sent: { label: "Código da chave Pix enviado", object: "pix_key" },
  pix_key_verified: { label: "Chave Pix confirmada com o código", object: "pix_key" },
  pix_key_answered: { label: "Resposta do diretório sobre a chave Pix", object: "pix_key" },
  pix_key_claimed: { label: "Chave Pix reivindicada", object: "pix_key" },
  pix_key_claim_taken_back: { label: "Reivindicação da chave Pix cancelada", object: "pix_key" },
  pix_key_claim_news: { label: "Andamento da reivindicação da chave Pix", object: "pix_key" },
  pix_key_asked_for: { label: "Chave Pix pedida por outra instituição", object: "pix_key" },
  pix_key_kept: { label: "Chave Pix mantida", object: "pix_key" },
  pix_key_released: { label: "Chave Pix liberada", object: "pix_key" },
  pix_key_deleted: { label: "Chave Pix excluída", object: "pix_key" },
  validation_made: { label: "Validação feita", object: "validation" },
  pix_key_looked_up: { label: "Titular de chave Pix consultado", object: "lookup" },
  pix_code_looked_up: { label: "Código Pix consultado", object: "lookup" },
  billet_looked_up: { label: "Registro de boleto consultado", object: "lookup" },
  "user.created": { label: "Usuário criado", object: "user" },
  "user.access_changed": { label: "Acesso do usuário alterado", object: "user" },
  "user.removed": { label: "Usuário excluído", object: "user" },
  "user.name_changed": { label: "Nome do usuário alterado", object: "user" },
  "user.password_changed": { label: "Senha alterada", object: "user" },
  "user.password_chosen": { label: "Senha definida pelo link", object: "user" },
  "user.password_forgotten": { label: "Link de nova senha pedido pela própria pessoa", object: "user" },
  "user.password_link_sent": { label: "Link de nova senha enviado", object: "user" },
  "two_factor.secret_made": { label: "Ativação dos 2 fatores iniciada", object: "user" },
  "two_factor.enabled": { label: "Autenticação em 2 fatores ativada", object: "user" },
  "two_factor.disabled": { label: "Autenticação em 2 fatores desativada", object: "user" },
  "two_factor.reset": { label: "Autenticação em 2 fatores desativada por administrador", object: "user" },
  "two_factor.code_refused": { label: "Código dos 2 fatores recusado", object: "user" },
  "two_factor.recovery_codes_made": { label: "Códigos de recuperação gerados", object: "user" },
  "two_factor.recovery_code_used": { label: "Código de recuperação usado", object: "user" },
  "session.signed_in": { label: "Entrada na conta", object: "session" },
  "session.machine_signed_in": { label: "Entrada com credencial de API", object: "session" },
  "session.renewed": { label: "Sessão renovada", object: "session" },
  "session.logged_out": { label: "Saída da conta", object: "session" },
  "session.ended_by_reused_token": { label: "Sessão encerrada por token repetido", object: "session" },
  "session.password_refused": { label: "Senha recusada na entrada", object: "session" },
  "session.secret_refused": { label: "Segredo de credencial recusado", object: "session" },
  "session.code_refused": { label: "Código recusado na entrada", object: "session" },
  "session.old_password_refused": { label: "Senha atual recusada", object: "session" },
  "session.identity_confirmed": { label: "Identidade confirmada com a senha", object: "session" },
  credential_created: { label: "Credencial de API criada", object: "credential" },
  credential_revoked: { label: "Credencial de API revogada", object: "credential" },
  "company.settings_changed": { label: "Configurações alteradas", object: "company" },
  "company.data_changed": { label: "Dados da empresa alterados", object: "company" },
  "company.logo_changed": { label: "Logotipo alterado", object: "company" },
  "company.withdraw_account_saved": { label: "Conta para saque salva", object: "company" },
  "operator.company_changed": { label: "Opções mudadas pelo operador da instalação", object: "company" },
  "operator.route_changed": {
    label: "Rota de pagamentos mudada pelo operador da instalação",
    object: "company",
  },
  "operator.payment_outcome": {
    label: "Resultado de pagamento informado pelo operador da instalação",
    object: "payment",
  },
  controls_changed: { label: "Controles alterados", object: "company" },
  "checkpoint.recorded": { label: "Passo ou aviso concluído", object: "company" },
  limit_lowered: { label: "Limite reduzido", object: "limit" },
  limit_raise_requested: { label: "Aumento de limite pedido", object: "limit" },
  limit_raise_cancelled: { label: "Aumento de limite cancelado", object: "limit" },
  limit_raised: { label: "Limite aumentado", object: "limit" },
  approval_requested: { label: "Aprovação pedida", object: "approval" },
  approval_request_approved: { label: "Pedido aprovado", object: "approval" },
  approval_request_rejected: { label: "Pedido recusado", object: "approval" },
  approval_request_cancelled: { label: "Pedido cancelado por quem pediu", object: "approval" },
  invoice_closed: { label: "Fatura fechada", object: "invoice" },
  invoice_issued: { label: "Fatura emitida", object: "invoice" },
  invoice_paid: { label: "Fatura paga", object: "invoice" },
  invoice_protested: { label: "Fatura protestada", object: "invoice" },
  invoice_report_requested: { label: "Relatório da fatura pedido", object: "invoice" },
  invoice_report_downloaded: { label: "Relatório da fatura baixado", object: "invoice" },
  report_requested: { label: "Relatório pedido", object: "file" },
  report_given_up: { label: "Relatório abandonado", object: "file" },
  report_removed: { label: "Relatório removido", object: "file" },
  receipts_requested: { label: "Comprovantes pedidos", object: "file" },
  receipts_given_up: { label: "Comprovantes abandonados", object: "file" },
  receipts_removed: { label: "Comprovantes removidos", object: "file" },
  infractions_exported: { label: "Exportação de infrações pedida", object: "file" },
  infractions_export_given_up: { label: "Exportação de infrações abandonada", object: "file" },
  infractions_export_removed: { label: "Exportação de infrações removida", object: "file" },
  payin_report_requested: { label: "Planilha de recebimentos pedida", object: "file" },
  card_receivables_report_requested: { label: "Planilha de recebíveis pedida", object: "file" },
  audit_trail_exported: { label: "Trilha de auditoria exportada", object: "file" },
  call_refused: { label: "Chamada recusada", object: "call" },
} as const satisfies Readonly<Record<string, Words>>;
export type AuditAction = keyof typeof auditActions;

export const auditActionNames = Object.keys(auditActions) as AuditAction[];
export const auditObjectNames = Object.keys(auditObjects) as AuditObject[];

/** A field's label, and how much of its values the trail keeps; stored values cannot be shortened later. */
interface Field {
  label: string;
  keeps?: "ends" | "nothing";
}

export const auditFields = {
  // People and credentials.
  name: { label: "Nome" },
  email: { label: "E-mail", keeps: "ends" },
  profile: { label: "Perfil" },
  applications: { label: "Aplicações" },
  application: { label: "Aplicação" },
  client_id: { label: "Client ID" },
  two_factor: { label: "Autenticação em 2 fatores" },
  // Settings and data of the company.
  acceptContaCertaSuggestions: { label: "Correção automática da ContaCerta" },
  emailsPayees: { label: "E-mail de pagamento aos recebedores" },
  replyToEmail: { label: "E-mail que recebe as respostas", keeps: "ends" },
  phone: { label: "Telefone", keeps: "ends" },
  address: { label: "Endereço" },
  // Accounts: the company's own and those of receivers.
  bank_id: { label: "Banco" },
  bank_ispb: { label: "Banco" },
  agency: { label: "Agência" },
  agency_digit: { label: "Dígito da agência" },
  account_type: { label: "Tipo de conta" },
  account: { label: "Conta", keeps: "ends" },
  account_digit: { label: "Dígito da conta", keeps: "nothing" },
  holder: { label: "Titular" },
  tax_id: { label: "CPF/CNPJ", keeps: "ends" },
  pix_key_type: { label: "Tipo de chave Pix" },
  pix_key: { label: "Chave Pix", keeps: "ends" },
  // Amounts and limits.
  value: { label: "Valor" },
  limit: { label: "Limite" },
  raise: { label: "Aumento pedido" },
  // Controls.
  requiresOtherApprover: { label: "Exigir aprovação por outra pessoa" },
  bands: { label: "Aprovadores por valor" },
  operatorApprovers: { label: "Operadores que aprovam" },
  stepUpFrom: { label: "Código do autenticador a partir de" },
  operatorsMayWithdraw: { label: "Operadores resgatam" },
  operatorsMayCorrect: { label: "Operadores corrigem" },
  operatorsMayGiveBack: { label: "Operadores devolvem ao saldo" },
  quarantineHours: { label: "Espera de pessoas e contas novas (horas)" },
  // Settings of the installation's operator.
  blocked: { label: "Empresa bloqueada" },
  accepted_contract: { label: "Contrato aceito" },
  permissions: { label: "Permissões" },
  feature_flags: { label: "Recursos ligados" },
  payment_price: { label: "Preço por pagamento" },
  validationAccount: { label: "Conta de validação" },
  hasIntegrationId: { label: "ID de integração" },
  blockWithdrawForOperator: { label: "Resgate bloqueado para operadores" },
  showFinanceInfo: { label: "Faturas visíveis" },
  hasBoletoCharge: { label: "Cobrança por boleto" },
  hasCardCharge: { label: "Cobrança por cartão" },
  uses_basic_validation: { label: "Validação básica" },
  uses_micro_deposit: { label: "Validação por microdepósito" },
  hasApiAccess: { label: "Acesso à API" },
  apiAccessToken: { label: "Chave antiga da API", keeps: "nothing" },
  publicEntityNeedsCaixa: { label: "Órgãos públicos só na Caixa" },
  routePIX: { label: "Conexão do Pix" },
  routeTED: { label: "Conexão da TED" },
  routeTEV: { label: "Conexão da transferência interna" },
  routeBILLET: { label: "Conexão do boleto" },
  requiresTwoFactor: { label: "2 fatores obrigatórios" },
} as const satisfies Readonly<Record<string, Field>>;
export type AuditField = keyof typeof auditFields;

export interface AuditChange {
  from: unknown;
  to: unknown;
}
/** Changed fields; null where a value did not exist before or does not exist after. */
export type AuditChanges = Partial<Record<AuditField, AuditChange>>;

/** Treats an empty text as no value. */
const given = (value: unknown): unknown => (value === "" ? null : (value ?? null));
const same = (a: unknown, b: unknown) => JSON.stringify(given(a)) === JSON.stringify(given(b));

/**
 * Returns the values before and after of the fields that differ. It omits secrets and shortens personal data before the
 * write, because an entry is permanent.
 */
export function auditChanges(
  before: Partial<Record<AuditField, unknown>>,
  after: Partial<Record<AuditField, unknown>>,
): AuditChanges {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])] as AuditField[];
  return Object.fromEntries(
    fields
      .filter((field) => !same(before[field], after[field]))
      .map((field) => [field, { from: kept(field, before[field]), to: kept(field, after[field]) }]),
  );
}

function kept(field: AuditField, value: unknown): unknown {
  const { keeps }: Field = auditFields[field];
  if (given(value) === null) return null;
  if (keeps === undefined) return value;
  return keeps === "nothing" ? "•••" : shortened(String(value));
}

/** Keeps enough to compare two values: `m•••@aurora.example`, `•••789`. */
function shortened(text: string): string {
  const at = text.indexOf("@");
  if (at > 0) return `${text.slice(0, 1)}•••${text.slice(at)}`;
  return text.length <= 5 ? `•••${text.slice(-2)}` : `•••${text.slice(-3)}`;
}
