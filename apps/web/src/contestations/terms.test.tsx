/** Terms of the area, which a person accepts once. */
import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { button, listPath, openContestations, serveContestations } from "../testing/contestations.ts";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";

beforeEach(() => serveContestations({ items: () => [], accepted: () => false }));

it("MED-003 the acceptance of one person lets no other in who signs in on the same page", async () => {
  let hasAccepted = true;
  fakeServer.on(readCheckpoint, ({ params }) => ({
    exists: params["id"] === "HAS_ACCEPTED_INFRACTION_TERMS" && hasAccepted,
  }));
  const first = openContestations(listPath);
  await screen.findByRole("heading", { level: 1, name: "Contestações" });
  first.unmount();
  hasAccepted = false;
  const sub = "0198f000-0000-7000-8000-0000000000a2";
  const second = openContestations(listPath, { session: { sub } });
  await screen.findByRole("heading", { name: "Termos de uso" });
  expect(second.address()).toBe(`${listPath}/termos-de-uso`);
});

it("MED-004 cannot be confirmed once the checkbox is cleared", async () => {
  openContestations(`${listPath}/termos-de-uso`);
  const tick = await screen.findByRole("checkbox");
  const isDisabled = () => (button("Confirmar") as HTMLButtonElement).disabled;
  expect(isDisabled()).toBe(true);
  await userEvent.click(tick);
  expect(isDisabled()).toBe(false);
  await userEvent.click(tick);
  expect(isDisabled()).toBe(true);
});

it("MED-004 MED-005 FST-024 accepting records a checkpoint, and reports when it could not", async () => {
  const app = openContestations(`${listPath}/termos-de-uso`);
  for (const term of ["Primeiro termo.", "Segundo termo."]) await screen.findByText(term);
  const confirm = button("Confirmar");
  expect(confirm).toHaveProperty("disabled", true);
  await userEvent.click(screen.getByRole("checkbox"));
  fakeServer.on(createCheckpoint, () => refuseWithoutCode());
  await userEvent.click(confirm);
  await screen.findByText("Ocorreu um erro ao habilitar o painel de infrações");

  let letThrough: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  fakeServer.on(createCheckpoint, async () => {
    await held;
    return { ok: true as const };
  });
  await userEvent.click(button("Confirmar"));
  await screen.findByText("Liberando acesso...");
  letThrough();
  await screen.findByText("Painel de infrações está liberado e pronto para uso");
  await waitFor(() => expect(app.address()).toBe(listPath));
  expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({
    location: "HAS_ACCEPTED_INFRACTION_TERMS",
  });
});
