/** Marks of what a person did once, as the server gets them, and what becomes of one that it does not take. */
import { createCheckpoint } from "@malote/contracts/company";
import type { BodyOf } from "@malote/contracts/contract";
import { reportErrors } from "@malote/contracts/error-reports";
import { readBrand } from "@malote/contracts/session";
import { screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished } from "vitest";
import { brandOfPage } from "../shell/brand.ts";
import { listenToFailures } from "../shell/reporting.ts";
import { fakeServer, refuse } from "./fake-server.ts";

export const recordedMarks = (): string[] =>
  fakeServer.calls(createCheckpoint).map(({ body }) => (body as BodyOf<typeof createCheckpoint>).location);

/** What went to the error service. */
export const sentReports = () =>
  fakeServer.calls(reportErrors).flatMap(({ body }) => (body as BodyOf<typeof reportErrors>).reports);

/** After `renderApp`, whose answers these take the place of: no mark is kept, and failures are reported. */
export function refuseMarks(brand: Partial<ReturnType<typeof brandOfPage>> = {}): void {
  fakeServer.on(createCheckpoint, () => refuse("internal"));
  fakeServer.on(readBrand, () => ({ ...brandOfPage(), ...brand, reportsErrors: true }));
  fakeServer.on(reportErrors, () => ({ ok: true as const }));
  onTestFinished(() => {
    listenToFailures(false);
    listenToFailures(undefined);
  });
}

/** The failure went to the error service, and no message is shown. */
export async function expectQuietReport(): Promise<void> {
  await waitFor(
    () =>
      expect(sentReports()).toContainEqual(
        expect.objectContaining({ call: "createCheckpoint", status: 500, code: "internal" }),
      ),
    { timeout: 5_000 },
  );
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.queryByText(/Ops, ocorreu um erro/)).toBeNull();
}
