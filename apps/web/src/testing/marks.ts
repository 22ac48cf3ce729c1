/** Marks of what a person did once: records them, or refuses to store one. */
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

/** Reports that reached the error service. */
export const sentReports = () =>
  fakeServer.calls(reportErrors).flatMap(({ body }) => (body as BodyOf<typeof reportErrors>).reports);

/** Call after `renderApp`, whose answers it replaces: no mark is stored, and failures are reported. */
export function refuseMarks(brand: Partial<ReturnType<typeof brandOfPage>> = {}): void {
  fakeServer.on(createCheckpoint, () => refuse("internal"));
  fakeServer.on(readBrand, () => ({ ...brandOfPage(), ...brand, reportsErrors: true }));
  fakeServer.on(reportErrors, () => ({ ok: true as const }));
  onTestFinished(() => {
    listenToFailures(false);
    listenToFailures(undefined);
  });
}

/** Expects that the failure reached the error service, and that no message is shown. */
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
