import {
  changeCompanySettings,
  createCheckpoint,
  readCompanyBankAccount,
  readCompanySettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { transferLimitsQuery } from "../company/api.ts";
import { useFinishFirstSteps, withdrawalAccountQuery } from "../first-steps/api.ts";
import { useSaveReplyTo, useSaveWithdrawalAccount } from "../settings/api.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { buildCompanySettings } from "../testing/render-app.tsx";
import { buildSession, buildToken, payments, validation } from "../testing/token.ts";
import { banksQuery, blacklistQuery } from "../transfers/api.ts";
import { companySettingsQuery } from "./balance.ts";
import { forgetDataOfOthers } from "./forget-data-of-others.ts";
import { createQueryClient } from "./query-client.ts";
import { clearToken, storeToken } from "./session.ts";
import { setNavigationToLogin } from "./session-keeper.ts";

/** Cached until logout, by the query keys of the screens. */
const cached = [
  companySettingsQuery,
  banksQuery,
  blacklistQuery,
  transferLimitsQuery,
  withdrawalAccountQuery,
].map(({ queryKey }) => queryKey);
let stop: () => void = () => undefined;
afterEach(() => stop());

it("SES-078 the settings are requested once, also after an hour in which no screen showed them", async () => {
  vi.useFakeTimers();
  fakeServer.on(readCompanySettings, () => buildCompanySettings());
  const queryClient = createQueryClient();
  await queryClient.fetchQuery(companySettingsQuery);
  await vi.advanceTimersByTimeAsync(3_600_000);
  await queryClient.fetchQuery(companySettingsQuery);
  expect(fakeServer.calls(readCompanySettings)).toHaveLength(1);
});

function holdData() {
  setNavigationToLogin(() => undefined);
  storeToken(buildToken());
  const queryClient = createQueryClient();
  for (const key of cached) queryClient.setQueryData(key as unknown as string[], "of the one before");
  stop = forgetDataOfOthers(queryClient);
  return () => cached.filter((key) => queryClient.getQueryData(key) !== undefined);
}

it("SES-078 a switch of the application drops them", () => {
  const kept = holdData();
  storeToken(buildToken({ application: validation, allowed_applications: [payments, validation] }));
  expect(kept()).toEqual([]);
});

it.each([
  ["the next person", { sub: "0198f000-0000-7000-8000-0000000000ff" }],
  ["the same person", {}],
])("SES-078 %s to sign in after a logout finds none of them", (_who, given) => {
  const kept = holdData();
  clearToken();
  storeToken(buildToken(given));
  expect(kept()).toEqual([]);
});

it("SES-078 a renewed token of the same person keeps them", () => {
  const kept = holdData();
  storeToken(buildToken({ jti: "0198f000-0000-7000-8000-0000000000ee" }));
  expect(kept()).toEqual(cached);
});

/** A screen that saves, on the cache that other screens read from. */
function saving<Save>(useSave: () => Save) {
  const queryClient = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return { queryClient, ...renderHook(useSave, { wrapper }) };
}

it("SES-078 saving drops the cached settings, and the saved ones are read", async () => {
  let replyToEmail = "antes@aurora.example";
  fakeServer.on(readCompanySettings, () => buildCompanySettings({ replyToEmail }));
  fakeServer.on(changeCompanySettings, ({ body }) => {
    replyToEmail = body?.reply_to_email ?? "";
    return "";
  });
  const { queryClient, result } = saving(useSaveReplyTo);
  expect((await queryClient.fetchQuery(companySettingsQuery)).replyToEmail).toBe("antes@aurora.example");
  await act(() => result.current.mutateAsync("depois@aurora.example"));
  expect((await queryClient.fetchQuery(companySettingsQuery)).replyToEmail).toBe("depois@aurora.example");
});

it.each([
  ["in the settings", useSaveWithdrawalAccount],
  ["with the first steps", () => useFinishFirstSteps(buildSession())],
] as const)("SES-078 saving the withdrawal account drops its cached copy %s", async (_where, useSave) => {
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  const account = {
    bank_id: "60701190",
    agency: "1234",
    agency_digit: null,
    account_type: "CONTA_CORRENTE" as const,
    account: "56789",
    account_digit: "7",
    name: "Aurora",
    cpfCnpj: "27418639000148",
  };
  let saved = account;
  fakeServer.on(readCompanyBankAccount, () => saved);
  fakeServer.on(saveCompanyBankAccount, () => {
    saved = { ...account, agency: "4321" };
    return { ok: true as const };
  });
  const { queryClient, result } = saving<{ mutateAsync: (given: typeof account) => Promise<unknown> }>(
    useSave,
  );
  await queryClient.fetchQuery(withdrawalAccountQuery);
  await queryClient.fetchQuery(withdrawalAccountQuery);
  expect(fakeServer.calls(readCompanyBankAccount)).toHaveLength(1);
  await act(() => result.current.mutateAsync(saved));
  expect((await queryClient.fetchQuery(withdrawalAccountQuery))?.agency).toBe("4321");
  expect(fakeServer.calls(readCompanyBankAccount)).toHaveLength(2);
});
