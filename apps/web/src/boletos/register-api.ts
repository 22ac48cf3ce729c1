/**
 * What the form reads about a code: how it is registered, and whose bank issued it. Only for parts that open with the
 * form.
 */
import { readBankByCode } from "@malote/contracts/company";
import { lookUpBillet } from "@malote/contracts/lookups";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/** How the boleto is registered; the server asks the clearing house at most once an hour. */
export function registerQuery(barcode: string | undefined) {
  return queryOptions({
    queryKey: ["billets", "register", barcode],
    queryFn: ({ signal }) => call(lookUpBillet, { body: { barcode: barcode ?? "" }, signal }),
    enabled: barcode !== undefined,
    staleTime: 60_000,
    retry: false,
  });
}

/** BIL-019: the bank a code names. */
export function bankByCodeQuery(code: string | null | undefined) {
  return queryOptions({
    queryKey: ["banks", "code", code],
    queryFn: ({ signal }) => call(readBankByCode, { params: { code: code ?? "" }, signal }),
    enabled: Boolean(code),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
