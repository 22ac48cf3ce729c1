import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { DateField } from "./date-field.tsx";
import { Dialog } from "./dialog.tsx";
import { daysOfMonth, readDate } from "./format.ts";
import { pagesAround } from "./pagination.tsx";
import { MaloteTheme } from "./theme.tsx";
import { toast } from "./toasts.tsx";

function Layers() {
  const [below, setBelow] = useState(false);
  const [above, setAbove] = useState(false);
  return (
    <MaloteTheme>
      <button type="button" onClick={() => setBelow(true)}>
        Abrir
      </button>
      <Dialog opened={below} onClose={() => setBelow(false)} title="Lote">
        <button type="button" onClick={() => setAbove(true)}>
          Excluir
        </button>
      </Dialog>
      <ConfirmDialog
        opened={above}
        danger
        title="Excluir o lote Folha 11/2026?"
        confirmLabel="Excluir lote"
        onConfirm={() => undefined}
        onClose={() => setAbove(false)}
      />
    </MaloteTheme>
  );
}

describe("dialogs", () => {
  it("Escape closes the top layer only, and the focus returns to the opener", async () => {
    const user = userEvent.setup();
    render(<Layers />);
    await user.click(screen.getByRole("button", { name: "Abrir" }));
    await user.click(await screen.findByRole("button", { name: "Excluir" }));
    await screen.findByRole("dialog", { name: "Excluir o lote Folha 11/2026?" });
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog", { name: "Excluir o lote Folha 11/2026?" })).toBeNull();
    expect(screen.getByRole("dialog", { name: "Lote" })).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Abrir" }));
  });
});

describe("toasts", () => {
  it("SES-076 stay 5 seconds, and 10 when about a report", () => {
    vi.useFakeTimers();
    render(<MaloteTheme>{null}</MaloteTheme>);
    act(() => {
      toast.good("Salvo");
      toast.report("Gerando");
    });
    act(() => vi.advanceTimersByTime(4_999));
    expect(screen.queryByText("Salvo")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.queryByText("Salvo")).toBeNull();
    act(() => vi.advanceTimersByTime(4_999));
    expect(screen.queryByText("Gerando")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.queryByText("Gerando")).toBeNull();
  });
});

describe("dates", () => {
  it("SES-072 reads days that exist, as typed or pasted", () => {
    expect(readDate("20/11/2026")).toBe("2026-11-20");
    expect(readDate("20112026")).toBe("2026-11-20");
    expect(readDate("31/02/2026")).toBeNull();
    expect(daysOfMonth("2028-02")).toEqual({ initialDate: "2028-02-01", endDate: "2028-02-29" });
  });

  it("SES-072 puts the bars in while digits are typed", async () => {
    let last: string | null = null;
    const keep = (date: string | null) => {
      last = date;
    };
    render(
      <MaloteTheme>
        <DateField label="Data" value={null} onChange={keep} />
      </MaloteTheme>,
    );
    await userEvent.type(screen.getByLabelText("Data"), "20112026");
    expect(last).toBe("2026-11-20");
  });
});

it("pages around the current one leave gaps only where pages are hidden", () => {
  expect(pagesAround(0, 4)).toEqual([0, 1, 2, 3]);
  expect(pagesAround(5, 12)).toEqual([0, null, 4, 5, 6, null, 11]);
});
