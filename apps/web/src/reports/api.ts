import {
  createPayoutReport,
  downloadReport,
  readReport,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import { type TransferPageFilter, transferPageFilters } from "@malote/contracts/transfers";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call, errorSentence } from "../shell/call.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { toast } from "../ui/toasts.tsx";

/** Polling interval of a file in progress; an error stops it (SES-070). */
const makingPollMs = 2_000;

/** Downloads carry the session's token, so there is no address that opens a file by itself. */
export const fetchReport = async (id: string): Promise<Blob> => call(downloadReport, { params: { id } });

export function requestedReportQuery(id: string) {
  return queryOptions({
    queryKey: ["reports", id],
    queryFn: ({ signal }) => call(readReport, { params: { id }, signal }),
    refetchInterval: (query) =>
      query.state.status !== "error" && query.state.data?.state === "making" ? makingPollMs : false,
  });
}

const failed = (error: unknown) => {
  const text = errorSentence(error, "Não foi possível pedir o relatório. Tente de novo.");
  if (text) toast.bad(text);
};

export interface PayoutFilter {
  initialDate: string;
  endDate: string;
  status?: TransferPageFilter;
  search?: string;
  bankId?: string;
}

/** TRF-057, TRF-059, TRF-060, TRF-061: requests the payout report, and records its checkpoint. */
export function useRequestPayouts() {
  return useMutation({
    mutationFn: ({ initialDate, endDate, status, search, bankId }: PayoutFilter) =>
      call(createPayoutReport, {
        body: {
          created_at__gte: initialDate,
          created_at__lte: endDate,
          status__in: status ? [status] : [...transferPageFilters],
          ...(search && { search }),
          ...(bankId && { bank_id: bankId }),
        },
      }),
    onSuccess: () =>
      toast.report(
        "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!",
      ),
    onError: failed,
  });
}

/** STM-022: the server records it with the call itself. */
export const oldReportQuery = checkpoints.exists("HAS_USED_OLD_STATEMENT_REPORT");

export type StatementForm = "xlsx_v2" | "xlsx" | "csv" | "ofx" | "pdf";
interface StatementRequest {
  initialDate: string;
  endDate: string;
  /** One line per payment, in place of one line per batch. */
  lines?: "payments";
}

const requestStatementAs: Readonly<Record<StatementForm, (request: StatementRequest) => Promise<unknown>>> = {
  xlsx_v2: (body) => call(requestStatementXlsxV2, { body }),
  xlsx: (body) => call(requestStatementXlsx, { body }),
  csv: (body) => call(requestStatementCsv, { body }),
  ofx: (query) => call(requestStatementOfx, { query }),
  pdf: (query) => call(requestStatementPdf, { query }),
};

/** Requests the statement as a file (STM-023 to STM-025). */
export function useRequestStatement() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ form, ...request }: StatementRequest & { form: StatementForm }) =>
      requestStatementAs[form](request),
    onSuccess: (_, { form }) => {
      toast.report("Seu relatório está sendo gerado e será enviado por e-mail.");
      if (form === "xlsx") queryClient.setQueryData(oldReportQuery.queryKey, true);
    },
    onError: failed,
  });
}
