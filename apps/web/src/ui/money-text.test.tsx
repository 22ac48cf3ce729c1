import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { MoneyText } from "./money-text.tsx";

it("SES-073 formats an amount on a page as R$, with a comma and two digits", () => {
  for (const [cents, shown] of [
    [123_456, "R$ 1.234,56"],
    [7, "R$ 0,07"],
  ] as const) {
    const { container, unmount } = render(<MoneyText cents={cents} />);
    expect(container.textContent?.replaceAll("\u00a0", " ")).toBe(shown);
    unmount();
  }
});
