import { readCompanySettings } from "@malote/contracts/company";
import { afterEach, expect, it, vi } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildCompanySettings } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";
import { companySettingsQuery } from "./balance.ts";
import { forgetDataOfOthers } from "./forget-data-of-others.ts";
import { createQueryClient } from "./query-client.ts";
import { clearToken, storeToken } from "./session.ts";
import { setNavigationToLogin } from "./session-keeper.ts";

const cached = ["banks", "blacklist", "company-settings"];
let stop: () => void = () => undefined;
afterEach(() => stop());

it("SES-078 the settings are asked for once, also after an hour in which no screen showed them", async () => {
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
  for (const name of cached) queryClient.setQueryData([name], "of the one before");
  stop = forgetDataOfOthers(queryClient);
  return () => cached.filter((name) => queryClient.getQueryData([name]) !== undefined);
}

it("SES-078 a switch of the application forgets them", () => {
  const kept = holdData();
  storeToken(buildToken({ application: validation, allowed_applications: [payments, validation] }));
  expect(kept()).toEqual([]);
});

it("SES-078 whoever signs in after a logout finds none of them", () => {
  const kept = holdData();
  clearToken();
  storeToken(buildToken({ sub: "0198f000-0000-7000-8000-0000000000ff" }));
  expect(kept()).toEqual([]);
});

it("SES-078 a renewed token of the same person keeps them", () => {
  const kept = holdData();
  storeToken(buildToken({ jti: "0198f000-0000-7000-8000-0000000000ee" }));
  expect(kept()).toEqual(cached);
});
