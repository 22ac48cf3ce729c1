import {
  type CompanyData,
  changeCompany,
  readCompany,
  readLogo,
  readTransferLimits,
  uploadLogo,
} from "@malote/contracts/company";
import { changeValidationCompany, readValidationCompany } from "@malote/contracts/validation";
import { parsePhone } from "@malote/domain/phone";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../shell/call.ts";
import { isInValidation } from "../shell/session.ts";

export const companyDataQuery = queryOptions({
  queryKey: ["company-data"],
  // COM-008: each application has its own.
  queryFn: ({ signal }) =>
    isInValidation() ? call(readValidationCompany, { signal }) : call(readCompany, { signal }),
});

/** The picture at a path: each picture has its own, so it can be cached for ever. */
export const logoQuery = (path: string) =>
  queryOptions({
    queryKey: ["company-logo", path],
    queryFn: ({ signal }) => call(readLogo, { signal }) as Promise<Blob>,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface CompanyChange {
  phone: string;
  /** Left out, it stays as it is. */
  address?: CompanyData["address"];
  logo: File | undefined;
}

/** The phone first: should the picture be refused, what was typed is saved all the same. */
export function useSaveCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ phone, address, logo }: CompanyChange) => {
      const saved = isInValidation()
        ? await call(changeValidationCompany, { body: { phone: parsePhone(phone) ?? null } })
        : await call(changeCompany, { body: { phone, ...(address !== undefined && { address }) } });
      queryClient.setQueryData(companyDataQuery.queryKey, saved);
      if (!logo) return saved;
      const form = new FormData();
      form.set("fileName", logo.name);
      form.set("file", logo, logo.name);
      return call(uploadLogo, { body: form });
    },
    onSuccess: (saved) => queryClient.setQueryData(companyDataQuery.queryKey, saved),
  });
}

export const transferLimitsQuery = queryOptions({
  queryKey: ["transfer-limits"],
  queryFn: ({ signal }) => call(readTransferLimits, { signal }),
});
