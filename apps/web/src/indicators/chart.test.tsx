import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Chart } from "./chart.tsx";

it("SES-077 leaves no empty drawing when the drawing library does not arrive", async () => {
  const figure = { kind: "bar" as const, heading: "Mês", series: [], lines: [] };
  render(<Chart title="Pagamentos" figure={figure} load={() => Promise.reject(new Error("late"))} />);
  expect((await screen.findByRole("status")).textContent).toContain("estão na tabela");
  expect(screen.queryByRole("img")).toBeNull();
});
