/** Opens a batch for the tests of its screens. */
import { screen } from "@testing-library/react";
import { renderApp } from "./render-app.tsx";
import type { Desk } from "./serve-batch.ts";

export function batchScreen(desk: () => Desk) {
  const operator = { session: { profile: "operator" as const } };

  const analyst = { session: { profile: "analyst" as const } };

  const openBatch = (options: Parameters<typeof renderApp>[1] = {}, more = "") =>
    renderApp(`/pagamentos/lotes?lote=${desk().batch.id}${more}`, options);

  const button = (name: string | RegExp) => screen.findByRole("button", { name });

  const dialog = (name: string | RegExp) => screen.findByRole("dialog", { name });

  /** Changes the server's batch, which the screen reads. */
  const change = (patch: Partial<Desk["batch"]>) => {
    desk().batch = { ...desk().batch, ...patch };
  };

  return { operator, analyst, openBatch, button, dialog, change };
}
