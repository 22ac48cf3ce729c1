/** Notices that people of every profile and application see. */
import { readCheckpoint, readCompany } from "@malote/contracts/company";
import { permissions } from "@malote/contracts/policy";
import type { TokenContent } from "@malote/contracts/session";
import { readStatusPage } from "@malote/contracts/status-page";
import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { payments, validation } from "../testing/token.ts";
import { attention } from "./feature.ts";

const people: [string, Partial<TokenContent>][] = (["admin", "operator", "analyst"] as const).flatMap(
  (profile) =>
    [payments, validation].map((application): [string, Partial<TokenContent>] => [
      `an ${profile} in ${application.name}`,
      { profile, application, allowed_applications: [application] },
    ]),
);
const open = (session: Partial<TokenContent>, brand = {}) =>
  renderApp("/acesso-negado", { features: [attention], session, brand });

beforeEach(() => fakeServer.on(readCheckpoint, () => ({ exists: false })));

describe.each(people)("%s", (_who, session) => {
  it("SHL-037 SHL-038 learns which functions are suspended", async () => {
    open({ ...session, permissions: permissions.filter((one) => one !== "payout_pix") });
    const dialog = within(await screen.findByRole("dialog", { name: "Sua conta requer atenção" }));
    expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Pagar por Pix"]);
  });

  it("SHL-043 sees the security notice", async () => {
    const notice = { text: "Nunca pedimos a sua senha.", url: null };
    open({ ...session, feature_flags: ["show-promotional-topbar-app"] }, { notice });
    await screen.findByText("Nunca pedimos a sua senha.");
  });

  it("SHL-047 sees an open incident", async () => {
    const incident = { name: "Pix lento", shortlink: "https://stspg.example/abc" };
    fakeServer.on(readStatusPage, () => ({ incident, maintenance: null }));
    open(session);
    await screen.findByText("Pix lento");
  });
});

it.each([payments, validation])("SHL-041 an admin is asked for the privacy policy in $name", async (one) => {
  fakeServer.on(readCompany, () => ({
    name: "Aurora",
    cpfCnpj: "27418639000148",
    phone: null,
    address: null,
    logo: null,
    status: "active" as const,
  }));
  open(
    { application: one, allowed_applications: [one] },
    { privacyUrl: "https://malote.example/privacidade" },
  );
  await screen.findByRole("dialog", { name: "Política de privacidade" });
});
