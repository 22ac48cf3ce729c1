import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { MoneyInput } from "./money-input.tsx";
import { MaloteTheme } from "./theme.tsx";

function Story({ onCents }: { onCents: (cents: number | null) => void }) {
  const [cents, setCents] = useState<number | null>(null);
  const change = (next: number | null) => {
    setCents(next);
    onCents(next);
  };
  return (
    <MaloteTheme>
      <MoneyInput label="Valor" value={cents} onChange={change} />
    </MaloteTheme>
  );
}

describe("MoneyInput", () => {
  it.each([
    ["1.234,56", 123_456],
    ["R$ 1.234,5", 123_450],
    ["1234.56", 123_456],
    ["50", 5_000],
    ["12,", 1_200],
    [",5", 50],
  ])("SES-073 reads %s typed or pasted, and formats it on leaving", async (text, cents) => {
    const user = userEvent.setup();
    for (const enter of [(field: HTMLElement) => user.type(field, text), () => user.paste(text)]) {
      let last: number | null = null;
      const { unmount } = render(
        <Story
          onCents={(next) => {
            last = next;
          }}
        />,
      );
      const field = screen.getByLabelText<HTMLInputElement>("Valor");
      await user.click(field);
      await enter(field);
      expect(last).toBe(cents);
      await user.tab();
      expect(field.value).toMatch(/^R\$ [\d.]+,\d{2}$/);
      unmount();
    }
  });

  it("keeps unreadable text, so that it can be corrected", async () => {
    const user = userEvent.setup();
    render(<Story onCents={() => undefined} />);
    const field = screen.getByLabelText<HTMLInputElement>("Valor");
    await user.type(field, "1,234,5,6");
    await user.tab();
    expect(field.value).toBe("1,234,5,6");
  });
});
