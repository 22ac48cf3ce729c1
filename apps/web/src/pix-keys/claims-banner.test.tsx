/** Banner of pending claims of the company's Pix keys. */
import { createCheckpoint } from "@malote/contracts/company";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { another, emptyPages, home, keysRead, settings } from "../testing/pix-keys-everywhere.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";

emptyPages();

describe("banner of pending claims", () => {
  const one =
    "Identificamos um pedido de registro para a chave Pix (11) 98765-4321. Clique aqui para confirmar ou cancelar a solicitação.";
  const several =
    "Identificamos pedidos de registro para suas chaves Pix. Clique aqui para confirmar ou cancelar as solicitações.";
  const phone = another(1, { key_type: "TELEFONE", key: "+5511987654321", status: "WAITING_CLAIM_APPROVAL" });

  /** Matches the banner by its whole text, including its link. */
  const banner = (text: string) => (_: string, element: Element | null) =>
    element?.textContent === text &&
    !Array.from(element.children).some((child) => child.textContent === text);

  it.each([
    ["Ver detalhes", "WAITING_CLAIM_APPROVAL"],
    ["Clique aqui", "WAITING_PORTABILITY_APPROVAL"],
  ] as const)(
    "SHL-057 SHL-060 names the only key, and '%s' links to the keys: in %s",
    async (name, status) => {
      const user = userEvent.setup();
      serveKeys(buildPixKey(), { ...phone, status });
      const app = renderApp(home);
      await screen.findByText(banner(one));
      await user.click(screen.getByRole("link", { name }));
      await waitFor(() => expect(app.address()).toBe(settings));
    },
  );

  it("SHL-058 SHL-059 SHL-060 FST-024 counts several keys, links to them, and stays closed on every page until the next load", async () => {
    const user = userEvent.setup();
    serveKeys(phone, another(2, { status: "WAITING_PORTABILITY_APPROVAL" }));
    const app = renderApp(home);
    await screen.findByText(banner(several));
    for (const name of ["Ver detalhes", "Clique aqui"])
      expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(settings);
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
    await user.click(screen.getByRole("button", { name: "Fechar aviso de chave Pix" }));
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_CLOSED_CLAIMS_BANNER" },
    ]);
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    await app.router.navigate({ to: settings } as never);
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    app.unmount();
    renderApp(home);
    await screen.findByText(banner(several));
  });

  it("SHL-059 stays closed when other keys are claimed, until the next load", async () => {
    const user = userEvent.setup();
    const claimed = [phone];
    serveKeys(...claimed);
    const app = renderApp(home);
    await screen.findByText(banner(one));
    await user.click(screen.getByRole("button", { name: "Fechar aviso de chave Pix" }));
    for (const at of [2, 3, 4]) {
      claimed.push(another(at, { status: "WAITING_CLAIM_APPROVAL" }));
      serveKeys(...claimed);
      const before = fakeServer.calls(listPixKeys).length;
      await act(() => app.queryClient.invalidateQueries({ queryKey: keysRead }));
      await waitFor(() => expect(fakeServer.calls(listPixKeys).length).toBeGreaterThan(before));
      await settled(app, keysRead);
      expect(screen.queryByText(/Identificamos/)).toBeNull();
    }
    app.unmount();
    renderApp(home);
    await screen.findByText(banner(several));
  });

  it("FST-025 closes when its mark cannot be stored, too", async () => {
    const user = userEvent.setup();
    serveKeys(phone);
    const app = renderApp(home);
    refuseMarks();
    await screen.findByText(banner(one));
    await user.click(screen.getByRole("button", { name: "Fechar aviso de chave Pix" }));
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_CLOSED_CLAIMS_BANNER"]);
    await app.router.navigate({ to: settings } as never);
    await screen.findByText("Suas chaves Pix cadastradas");
    expect(screen.queryByText(/Identificamos/)).toBeNull();
    app.unmount();
    renderApp(home);
    await screen.findByText(banner(one));
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-059 is hidden from an %s, who may not enter the page it links to",
    async (profile) => {
      serveKeys(phone);
      await settled(renderApp(home, { session: { profile } }));
      expect(screen.queryByText(/Identificamos/)).toBeNull();
    },
  );

  it("SHL-059 is hidden without a claim on a key of ours", async () => {
    serveKeys(
      buildPixKey(),
      another(1, { status: "WAITING_CLAIM" }),
      another(2, { status: "CLAIM_REQUESTED" }),
    );
    await settled(renderApp(home), keysRead);
    expect(screen.queryByText(/Identificamos/)).toBeNull();
  });

  it("SHL-059 disappears when the keys can no longer be loaded", async () => {
    serveKeys(phone);
    const { queryClient } = renderApp(home);
    await screen.findByText(banner(one));
    fakeServer.on(listPixKeys, () => refuse("internal"));
    await act(() => queryClient.invalidateQueries({ queryKey: keysRead }));
    await waitFor(() => expect(screen.queryByText(/Identificamos/)).toBeNull());
  });
});
