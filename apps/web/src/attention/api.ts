import { createCheckpoint, readCheckpoint, readCompany } from "@malote/contracts/company";
import { readStatusPage } from "@malote/contracts/status-page";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call, errorSentence } from "../shell/call.ts";
import { toast } from "../ui/toasts.tsx";

/** FST-025: while the mark cannot be read, the dialog is not shown. */
export function isAskedForPrivacyQuery(companyId: string) {
  return queryOptions({
    queryKey: ["privacy-policy", companyId],
    queryFn: async ({ signal }) => {
      const params = { id: "HAS_ACCEPTED_PRIVACY_POLICY" as const };
      const { exists } = await call(readCheckpoint, { params, query: {}, signal });
      return !exists && (await call(readCompany, { signal })).status !== "blocked";
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** SHL-042: accepting the privacy policy is a checkpoint. */
export function useAcceptPrivacy() {
  return useMutation({
    mutationFn: () => call(createCheckpoint, { body: { location: "HAS_ACCEPTED_PRIVACY_POLICY" } }),
    onError: (error) => {
      const text = errorSentence(
        error,
        "Não foi possível registrar o aceite. Perguntaremos de novo na próxima vez.",
      );
      if (text) toast.bad(text);
    },
  });
}

/** A status page changes rarely, and the server queries it at most once a minute. */
const statusPollMs = 300_000;

/** An error hides the banner without a message (SHL-053) and stops the polling (SES-070). */
export const statusPageQuery = queryOptions({
  queryKey: ["status-page"],
  queryFn: ({ signal }) => call(readStatusPage, { signal }),
  refetchInterval: ({ state }) => (state.status === "error" ? false : statusPollMs),
});
