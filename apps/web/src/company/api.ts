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
  // COM-008: each application has its own call.
  queryFn: ({ signal }) =>
    isInValidation() ? call(readValidationCompany, { signal }) : call(readCompany, { signal }),
});

/** Picture at a path. Every picture has its own path, so it is cached for ever. */
export const logoQuery = (path: string) =>
  queryOptions({
    queryKey: ["company-logo", path],
    queryFn: ({ signal }) => call(readLogo, { signal }) as Promise<Blob>,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface CompanyChange {
  phone: string;
  /** Left out, the address stays unchanged. */
  address?: CompanyData["address"];
  logo: File | undefined;
}

/** Saves the text first, so that a refused picture does not lose it. */
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
