/** Refusals about receipts, reports and sheets. */
import type { Refusal } from "./refusal.ts";

export const ofFiles = {
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

  sheet_wrong_ending: [422, "O arquivo precisa ser uma planilha terminada em .xlsx ou .csv."],
  sheet_empty: [422, "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho."],
  sheet_too_large: [413, "O arquivo é grande demais. O limite é de {limit}."],
  sheet_upload_failed: [400, "Ocorreu um problema no upload da planilha."],
  upload_quota_hour: [
    429,
    "Sua empresa enviou arquivos demais na última hora. Aguarde {minutes} minutos e envie de novo.",
    { retryAfter: "minutes" },
  ],
  uploads_at_once: [
    429,
    "Já há {max} arquivos sendo enviados ao mesmo tempo. Aguarde um deles terminar e envie de novo.",
    { retryAfter: 5 },
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
  sheet_being_read: [
    409,
    "Esta planilha já está sendo lida com outras colunas. Espere a leitura terminar e escolha as colunas de novo.",
  ],
  sheet_cancelled: [409, "A importação desta planilha foi cancelada. Envie o arquivo de novo."],
} as const satisfies Record<string, Refusal>;
