import { readCompanySettings } from "@malote/contracts/company";
import { CancelledError, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "../ui/toasts.tsx";
import { companySettingsQuery } from "./balance.ts";
import { errorSentence } from "./call.ts";
import type { Feature, Preload } from "./feature.ts";
import { may, type Session } from "./session.ts";

const companySettings: Preload = (queryClient) => queryClient.fetchQuery(companySettingsQuery);

/**
 * Fetched together on entering the payments application (SES-010). No screen waits for it: a failure is reported, and
 * the first screen that needs the data fetches it again.
 */
export function usePreloads(features: readonly Feature[], session: Session | undefined): void {
  const queryClient = useQueryClient();
  const isInPayments = may(readCompanySettings, session);
  const owner = session && `${session.sub} ${session.company.id}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person enters anew
  useEffect(() => {
    if (isInPayments) void preload(features, queryClient);
  }, [features, queryClient, isInPayments, owner]);
}

async function preload(features: readonly Feature[], queryClient: QueryClient): Promise<void> {
  const group = [companySettings, ...features.flatMap((feature) => feature.preloads ?? [])];
  const outcomes = await Promise.allSettled(group.map((ask) => ask(queryClient)));
  const failures = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  const sentences = failures
    // The person logged out meanwhile.
    .filter((reason) => !(reason instanceof CancelledError))
    .flatMap((reason) => errorSentence(reason, "Não foi possível carregar os dados da empresa.") ?? []);
  for (const sentence of new Set(sentences)) toast.bad(sentence);
}
