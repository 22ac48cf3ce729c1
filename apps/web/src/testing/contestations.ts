/** Contestations of the fake server, and their pages. */
import { readCheckpoint } from "@malote/contracts/company";
import * as contracts from "@malote/contracts/contestations";
import { screen } from "@testing-library/react";
import { contestations } from "../contestations/feature.ts";
import { forgetAcceptedTerms } from "../contestations/terms.ts";
import { fakeServer, refuse } from "./fake-server.ts";
import { placeholderScreens } from "./placeholder-screens.tsx";
import { renderApp } from "./render-app.tsx";

export const features = [contestations, placeholderScreens("BatchesPage")];
export const listPath = "/contestacoes/infracoes";
const hourMs = 3_600_000;
export const idOf = (n: number) => `0198f000-0000-7000-8000-${String(n).padStart(12, "0")}`;
export const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

export const infractionOf = (
  n: number,
  changes: Partial<contracts.Infraction> = {},
): contracts.Infraction => ({
  id: idOf(n),
  transaction_id: `E88888801202611201530abcdef${String(n).padStart(5, "0")}`,
  txid: null,
  infraction_date: inHours(-1),
  analysis_due_date: inHours(71.5),
  analysis_status: "pending",
  contested_at: null,
  status: "pending",
  payer_name: `Pagador ${n}`,
  payer_tax_id: "***.982.247-**",
  amount: 150_00,
  payin_id: null,
  returnable_amount: 150_00,
  situation_type: "scam",
  infraction_description: "Não reconheço este Pix",
  analysis_description: null,
  analysis_date: null,
  files: [],
  user: null,
  refund: null,
  approval_request: null,
  ...changes,
});

/** Reads its argument at each call, because a test changes it. */
export function serveContestations(there: {
  items: () => contracts.Infraction[];
  accepted: () => boolean;
}): void {
  forgetAcceptedTerms();
  fakeServer.byDefault(readCheckpoint, ({ params }) => ({
    exists: params["id"] === "HAS_ACCEPTED_INFRACTION_TERMS" && there.accepted(),
  }));
  fakeServer.byDefault(contracts.listInfractions, () => ({
    items: there.items(),
    meta: { next: null, previous: null },
  }));
  fakeServer.byDefault(
    contracts.readInfraction,
    ({ params }) => there.items().find(({ id }) => id === params["id"]) ?? refuse("not_found"),
  );
  fakeServer.byDefault(contracts.listInfractionRefunds, () => ({
    items: [],
    meta: { next: null, previous: null },
  }));
  fakeServer.byDefault(contracts.readInfractionTerms, () => ({ text: "Primeiro termo.\n\nSegundo termo." }));
}

export const openContestations = (address: string, session: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(address, { features, ...session });

export const button = (name: string) => screen.getByRole("button", { name });
