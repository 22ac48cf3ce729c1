/** The desk as its entry puts it together. */
import { readCompanySettings } from "@malote/contracts/company";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { storeToken } from "../shell/session.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { buildToken, payments, validation } from "../testing/token.ts";

it("SES-078 drops what it keeps when the application is switched", async () => {
  const both = { allowed_applications: [payments, validation] };
  // Sets the answers of the calls that the frame makes.
  renderApp("/acesso-negado", { session: both }).unmount();
  document.body.innerHTML = '<div id="root"></div>';
  history.replaceState(null, "", "/acesso-negado");
  const { opened } = await act(() => import("./desk.tsx"));
  const desk = await opened;
  // Work that React has scheduled must not run after the test.
  onTestFinished(() => act(() => desk.unmount()));
  await screen.findByText(/48\.210,37/);
  const asked = () => fakeServer.calls(readCompanySettings).length;
  const before = asked();
  const of = (application: typeof payments | typeof validation, last: string) =>
    buildToken({ ...both, application, jti: `0198f000-0000-7000-8000-0000000000${last}` });
  await act(async () => storeToken(of(payments, "f1")));
  await act(async () => storeToken(of(validation, "f2")));
  expect(asked()).toBe(before);
  await act(async () => storeToken(of(payments, "f3")));
  await waitFor(() => expect(asked()).toBe(before + 1));
});
