/** Terms of the area, which a person accepts once. */
import { createCheckpoint } from "@malote/contracts/company";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { button, listPath, openContestations, serveContestations } from "../testing/contestations.ts";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";

beforeEach(() => serveContestations({ items: () => [], accepted: () => false }));

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
