import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildToken } from "../testing/token.ts";
import { GuidedTour, useTourTarget } from "./guided-tour.tsx";
import { createQueryClient } from "./query-client.ts";
import { storeToken } from "./session.ts";

const checkpoint = "HAS_SEEN_RECEIVER_SEARCH_TOUR";

describe("search for a tour's target", () => {
  const start = (isWanted = true) => {
    vi.useFakeTimers();
    const look = vi.spyOn(document, "querySelector");
    const tries = () => look.mock.calls.filter(([selector]) => selector === "#late").length;
    const view = renderHook(({ wanted }) => useTourTarget("#late", wanted), {
      initialProps: { wanted: isWanted },
    });
    return { ...view, tries };
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  const addTarget = () => {
    const target = document.createElement("input");
    target.id = "late";
    document.body.append(target);
    return target;
  };
  beforeEach(() => () => document.getElementById("late")?.remove());

  it("SES-081 tries five times, a second apart, and then gives up without a message", () => {
    const { result, tries } = start();
    expect(tries()).toBe(1);
    for (const expected of [2, 3, 4, 5]) {
      pass(999);
      expect(tries()).toBe(expected - 1);
      pass(1);
      expect(tries()).toBe(expected);
    }
    pass(60_000);
    expect(tries()).toBe(5);
    addTarget();
    pass(60_000);
    expect(result.current).toBeUndefined();
  });

  it("SES-081 finds an element that appears before the last try, and stops searching", () => {
    const { result, tries } = start();
    pass(3_500);
    const target = addTarget();
    expect(result.current).toBeUndefined();
    pass(500);
    expect(result.current).toBe(target);
    pass(60_000);
    expect(tries()).toBe(5);
  });

  it("waits while a dialog covers the target, but not for the dialog that contains it", () => {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("open", "");
    document.body.append(dialog);
    const target = addTarget();
    const { result } = start();
    expect(result.current).toBeUndefined();
    dialog.append(target);
    pass(1_000);
    expect(result.current).toBe(target);
    dialog.remove();
  });

  it("SES-081 searches nothing before the tour is wanted, nor after the page is left", () => {
    const { rerender, unmount, tries } = start(false);
    pass(10_000);
    expect(tries()).toBe(0);
    rerender({ wanted: true });
    expect(tries()).toBe(1);
    unmount();
    pass(10_000);
    expect(tries()).toBe(1);
  });
});

describe("a guided tour", () => {
  const queryClient = () => createQueryClient();
  const open = (client = queryClient()) =>
    render(
      <QueryClientProvider client={client}>
        <label>
          Buscar <input data-tour="field" />
        </label>
        <label>
          Outro <input />
        </label>
        <GuidedTour checkpoint={checkpoint} target='[data-tour="field"]' title="Busque aqui" />
      </QueryClientProvider>,
    );
  const hint = () => screen.findByRole("group", { name: "Dica" });
  const noHint = () => expect(screen.queryByRole("group", { name: "Dica" })).toBeNull();
  const asked = () => waitFor(() => expect(fakeServer.calls(readCheckpoint)).toHaveLength(1));

  beforeEach(() => {
    storeToken(buildToken());
    fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  });

  it("FST-024 shows once, which is recorded as soon as it is seen", async () => {
    fakeServer.on(readCheckpoint, ({ params, query }) => {
      expect(params["id"]).toBe(checkpoint);
      // The mark belongs to the person, not to the company.
      expect(query).toEqual({});
      return { exists: false };
    });
    const client = queryClient();
    const view = open(client);
    expect((await hint()).textContent).toContain("Busque aqui");
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([{ location: checkpoint }]),
    );
    await userEvent.click(screen.getByRole("button", { name: "Entendi" }));
    noHint();
    expect(document.activeElement).toBe(screen.getByLabelText("Buscar"));
    view.unmount();
    open(client);
    noHint();
    expect(fakeServer.calls(readCheckpoint)).toHaveLength(1);
    expect(fakeServer.calls(createCheckpoint)).toHaveLength(1);
  });

  it("is hidden from a person who has seen it", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: true }));
    open();
    await asked();
    noHint();
    expect(fakeServer.calls(createCheckpoint)).toEqual([]);
  });

  it("FST-025 stays hidden while it is unknown whether it was seen", async () => {
    fakeServer.on(readCheckpoint, () => refuse("internal"));
    open();
    await asked();
    await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    noHint();
    expect(fakeServer.calls(createCheckpoint)).toEqual([]);
  });

  it("FST-025 does not block or show again in this tab when the record fails", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    const client = queryClient();
    const view = open(client);
    await hint();
    await userEvent.click(screen.getByRole("button", { name: "Entendi" }));
    noHint();
    view.unmount();
    open(client);
    noHint();
  });

  it.each([
    ["Escape", () => userEvent.keyboard("{Escape}")],
    ["the first letter in its field", () => userEvent.type(screen.getByLabelText("Buscar"), "a")],
    ["a click elsewhere", () => userEvent.click(screen.getByLabelText("Outro"))],
  ])("closes with %s", async (_, leave) => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    open();
    await hint();
    await leave();
    await waitFor(noHint);
  });
});
