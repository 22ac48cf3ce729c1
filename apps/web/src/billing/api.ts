import {
  downloadMonthlyReport,
  listInvoices,
  readHasOverdue,
  readHasPayRequest,
  readPayRequest,
  requestMonthlyReport,
} from "@malote/contracts/billing";
import { readCompany, readCompanySettings } from "@malote/contracts/company";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { call, errorSentence } from "../shell/call.ts";
import { saveReport } from "../shell/save-report.ts";
import { may, useSession } from "../shell/session.ts";
import { toast } from "../ui/toasts.tsx";

const key = ["billing"] as const;

export const invoicesQuery = queryOptions({
  queryKey: [...key, "invoices"],
  queryFn: ({ signal }) => call(listInvoices, { signal }),
  select: ({ data }) => data,
});

/** COM-004: true for an admin of a company that shows its finance info. */
export function useShowsFinance(): boolean {
  const session = useSession();
  const mayAsk = may(readCompanySettings, session) && may(listInvoices, session);
  const settings = useQuery({ ...companySettingsQuery, enabled: mayAsk });
  return mayAsk && settings.data?.showFinanceInfo === true;
}

/** SHL-046: every admin is warned, also when the company hides its finance info. */
export const useMaySeeOverdueInvoices = (): boolean => may(readHasOverdue, useSession());

/** Closed invoice to pay first, or null (BAT-015). */
export const payRequestQuery = queryOptions({
  queryKey: [...key, "pay-request"],
  queryFn: async ({ signal }) => {
    const { data: isThere } = await call(readHasPayRequest, { signal });
    return isThere ? (await call(readPayRequest, { signal })).data : null;
  },
});

/** True when the company is warned of a late invoice (SHL-046). A blocked company is informed elsewhere. */
export const isWarnedQuery = queryOptions({
  queryKey: [...key, "is-warned"],
  queryFn: async ({ signal }) => {
    const { data: isLate } = await call(readHasOverdue, { signal });
    return isLate && (await call(readCompany, { signal })).status !== "blocked";
  },
});

/** COM-032: requests the report of one month. */
export function useRequestReport() {
  return useMutation({
    mutationFn: (month: string) => call(requestMonthlyReport, { query: { date: month } }),
    onSuccess: () => toast.report("Seu relatório está sendo gerado. Você vai recebê-lo por e-mail."),
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível pedir o relatório. Tente de novo.");
      if (text) toast.bad(text);
    },
  });
}

/** Report that the e-mail's link requests. */
export function useDownloadReport() {
  return useMutation({
    mutationFn: (month: string) => call(downloadMonthlyReport, { query: { date: month } }),
    onSuccess: (file, month) => saveReport(file, `pagamentos-${month.slice(0, 7)}.csv`),
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível baixar o relatório. Tente de novo.");
      if (text) toast.bad(text);
    },
  });
}
