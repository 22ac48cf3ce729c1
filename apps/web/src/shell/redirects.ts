import type { RouteName } from "./routes.ts";

/**
 * Old addresses and their targets (SES-016 to SES-023). People who may not enter the target are refused; an address
 * without a screen leads home like any unknown one, and works as soon as the screen exists.
 */
export const oldAddresses: Readonly<Record<string, RouteName>> = {
  "/usuarios-da-empresa": "AdminUsersPage",
  "/cliente/usuarios-da-empresa": "AdminUsersPage",
  "/dados-da-conta": "MyAccountAccountDataPage",
  "/cliente/dados-da-conta": "MyAccountAccountDataPage",
  "/contacerta/configuracoes/dados-da-conta": "MyAccountAccountDataPage",
  "/faturas": "BillingPage",
  "/cliente/faturas": "BillingPage",
  "/financeiro/faturas": "BillingPage",
  "/configuracoes": "PaymentsSettings",
  "/cliente/configuracoes": "PaymentsGeneralSettings",
  "/primeiros-passos": "FirstStepsPage",
  "/saldo": "StatementPage",
  "/dashboard": "BatchesPage",
  "/lotes": "BatchesPage",
  "/importacao-de-planilha": "ImportPage",
  "/indicadores": "IndicatorsPage",
  "/lotes-aguardando-recebimento": "WaitingBatchesPage",
  "/transferencias": "TransfersPage",
  "/boletos": "BoletosPage",
  "/cliente/dados-bancarios": "PaymentsBankAccountsPage",
  "/contacerta/configuracoes/geral": "DeveloperAreaCredentialsPage",
  "/minha-conta/credenciais": "DeveloperAreaCredentialsPage",
};
