/** Dialog that proposes a first Pix key to admins. */
import { type CheckpointId, createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import type { QueryKey } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { firstTimeQuery } from "../first-steps/index.ts";
import { checkpoints } from "../shell/checkpoints.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { buildPixKey, serveKeys } from "../testing/pix-keys.ts";
import { emptyPages, home, keysRead, settings } from "../testing/pix-keys-everywhere.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { settled } from "../testing/settled.ts";
import { buildSession } from "../testing/token.ts";

emptyPages();

describe("Cadastre sua chave Pix", () => {
  // Loads the part in advance, so that a test of its absence cannot pass because it is only late.
  beforeAll(() => import("./key-prompt.tsx"));

  const marks = (...done: CheckpointId[]) => {
    fakeServer.on(readCheckpoint, ({ params }) => ({ exists: done.includes(params["id"] as CheckpointId) }));
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  };
  const asked = () => screen.findByRole("dialog", { name: "Cadastre sua chave Pix" });
  const marksRead = (companyId: string): QueryKey[] => [
    firstTimeQuery(companyId).queryKey,
    checkpoints.exists("HAS_DISMISSED_PIX_KEY_PROMPT").queryKey,
    checkpoints.exists("HAS_CLICKED_PIX_KEY_PROMPT").queryKey,
  ];
  const isAsked = () => screen.queryByRole("dialog", { name: "Cadastre sua chave Pix" }) !== null;

  it("SHL-054 SHL-055 SHL-056 SET-006 FST-024 leads an admin to the wizard, and is recorded as accepted", async () => {
    const user = userEvent.setup();
    serveKeys();
    marks("HAS_FILLED_FIRST_STEPS");
    const app = renderApp(home);
    await user.click(within(await asked()).getByRole("button", { name: "Cadastrar chave Pix" }));
    await screen.findByRole("dialog", { name: "Adicionar chave Pix" });
    expect(app.address()).toBe(`${settings}?chave=nova`);
    expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
      { location: "HAS_CLICKED_PIX_KEY_PROMPT" },
    ]);
  });

  it.each<[string, CheckpointId[]]>([
    ["whether it was answered", ["HAS_DISMISSED_PIX_KEY_PROMPT", "HAS_CLICKED_PIX_KEY_PROMPT"]],
    ["whether the first steps were done", ["HAS_FILLED_FIRST_STEPS"]],
  ])("FST-025 SHL-056 is hidden while it is unknown %s", async (_what, unknown) => {
    serveKeys();
    fakeServer.on(readCheckpoint, ({ params }) =>
      unknown.includes(params["id"] as CheckpointId)
        ? refuse("internal")
        : { exists: params["id"] === "HAS_FILLED_FIRST_STEPS" },
    );
    // A company of its own, because filled first steps are cached for the life of the page.
    const company = { ...buildSession().company, id: `0198f000-0000-7000-8000-0000000005${unknown.length}0` };
    const { queryClient } = renderApp(home, { session: { company } });
    await screen.findByRole("heading", { name: "Seus lotes" });
    const outcomes = () => marksRead(company.id).map((key) => queryClient.getQueryState(key)?.status);
    await waitFor(() => {
      expect(outcomes()).toContain("error");
      expect(outcomes()).not.toContain("pending");
    });
    expect(isAsked()).toBe(false);
  });

  it("FST-025 SHL-056 is hidden over an open batch when first steps cannot be read, though its wizard counts them as filled", async () => {
    const batch = buildOpenBatch();
    serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
    serveKeys();
    fakeServer.on(readCheckpoint, ({ params }) =>
      params["id"] === "HAS_FILLED_FIRST_STEPS" ? refuse("internal") : { exists: false },
    );
    const company = { ...buildSession().company, id: "0198f000-0000-7000-8000-000000000540" };
    const { queryClient } = renderApp(`${home}?lote=${batch.id}`, { session: { company } });
    await screen.findByLabelText("Nome do lote");
    const outcomes = () => marksRead(company.id).map((key) => queryClient.getQueryState(key)?.status);
    await waitFor(() => {
      expect(queryClient.isFetching()).toBe(0);
      expect(outcomes()).not.toContain("pending");
    });
    expect(isAsked()).toBe(false);
  });

  it.each(["Agora não", "Fechar"])(
    "SHL-056 FST-024 is dismissed once by '%s', and recorded so",
    async (way) => {
      const user = userEvent.setup();
      serveKeys();
      marks("HAS_FILLED_FIRST_STEPS");
      renderApp(home);
      await user.click(within(await asked()).getByRole("button", { name: way }));
      await waitFor(() => expect(isAsked()).toBe(false));
      expect(recordedMarks()).toEqual(["HAS_DISMISSED_PIX_KEY_PROMPT"]);
    },
  );

  it.each([
    ["Cadastrar chave Pix", "HAS_CLICKED_PIX_KEY_PROMPT", `${settings}?chave=nova`],
    ["Agora não", "HAS_DISMISSED_PIX_KEY_PROMPT", home],
  ])(
    "FST-025 '%s' takes effect when its mark cannot be stored, and the next load asks again",
    async (name, mark, leadsTo) => {
      const user = userEvent.setup();
      serveKeys();
      marks("HAS_FILLED_FIRST_STEPS");
      const app = renderApp(home);
      refuseMarks();
      await user.click(within(await asked()).getByRole("button", { name }));
      await waitFor(() => expect(isAsked()).toBe(false));
      await waitFor(() => expect(app.address()).toBe(leadsTo));
      await expectQuietReport();
      expect(recordedMarks()).toEqual([mark]);
      // The page has cached the answer.
      await app.router.navigate({ to: "/pagamentos/saldo" } as never);
      await screen.findByRole("heading", { name: "Saldo" });
      expect(isAsked()).toBe(false);
      app.unmount();
      renderApp(home);
      await asked();
    },
  );

  it.each([
    ["people who dismissed it before", ["HAS_FILLED_FIRST_STEPS", "HAS_DISMISSED_PIX_KEY_PROMPT"]],
    ["people who accepted it before", ["HAS_FILLED_FIRST_STEPS", "HAS_CLICKED_PIX_KEY_PROMPT"]],
  ] as const)("SHL-056 is hidden from %s", async (_who, done) => {
    serveKeys();
    marks(...done);
    await settled(renderApp(home), keysRead, ...marksRead(buildSession().company.id));
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 is hidden before the first steps", async () => {
    marks();
    serveKeys();
    const company = {
      id: "0198f000-0000-7000-8000-00000000abcd",
      name: "Nova",
      cpfCnpj: "12ABC34501DE35",
      acceptedContract: true,
    };
    await settled(renderApp(home, { session: { company } }), keysRead, ...marksRead(company.id));
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 is hidden in a company with a key", async () => {
    marks("HAS_FILLED_FIRST_STEPS");
    serveKeys(buildPixKey());
    await settled(renderApp(home), keysRead);
    expect(isAsked()).toBe(false);
  });

  it("SHL-056 is hidden on the page of keys, which offers the same, and shows elsewhere", async () => {
    marks("HAS_FILLED_FIRST_STEPS");
    serveKeys();
    const app = renderApp(settings);
    await settled(app, keysRead);
    screen.getByRole("button", { name: "Adicionar chave Pix" });
    expect(isAsked()).toBe(false);
    await app.router.navigate({ to: home } as never);
    await asked();
  });

  it("SHL-056 is hidden under 'Enviar saldo', and shows when that is closed", async () => {
    marks("HAS_FILLED_FIRST_STEPS");
    serveKeys();
    const app = renderApp(`${home}?enviar-saldo=pix`);
    const sending = within(await screen.findByRole("dialog", { name: "Enviar saldo" }));
    await settled(app, keysRead);
    expect(isAsked()).toBe(false);
    await userEvent.click(sending.getByText("Fechar"));
    await asked();
  });

  it.each(["operator", "analyst"] as const)(
    "SHL-056 SES-051 is hidden from an %s, whose marks are not requested either",
    async (profile) => {
      marks("HAS_FILLED_FIRST_STEPS");
      serveKeys();
      await settled(renderApp(home, { session: { profile } }));
      expect(isAsked()).toBe(false);
      expect(fakeServer.calls(readCheckpoint)).toEqual([]);
    },
  );
});
