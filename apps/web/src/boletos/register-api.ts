/** Facts that the form reads about a code: its registration and its bank. Only for parts that load with the form. */
import { readBankByCode } from "@malote/contracts/company";
import { lookUpBoleto } from "@malote/contracts/lookups";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/** Registration of the boleto; the server queries the clearing house at most once an hour. */
export function registerQuery(barcode: string | undefined) {
  return queryOptions({
    queryKey: ["billets", "register", barcode],
    queryFn: ({ signal }) => call(lookUpBoleto, { body: { barcode: barcode ?? "" }, signal }),
    enabled: barcode !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

/** BIL-019: bank that a code names. */
export function bankByCodeQuery(code: string | null | undefined) {
  return queryOptions({
    queryKey: ["banks", "code", code],
    queryFn: ({ signal }) => call(readBankByCode, { params: { code: code ?? "" }, signal }),
    enabled: Boolean(code),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
