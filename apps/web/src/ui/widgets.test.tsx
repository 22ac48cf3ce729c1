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

function Steps() {
  const [step, setStep] = useState(0);
  return (
    <MaloteTheme>
      <main>
        <button type="button" onClick={() => setStep(1)}>
          Devolver
        </button>
      </main>
      <Dialog opened={step === 1} onClose={() => setStep(0)} title="Quanto">
        <button type="button" onClick={() => setStep(2)}>
          Continuar
        </button>
      </Dialog>
      <Dialog opened={step === 2} onClose={() => setStep(0)} title="Certeza">
        <button type="button" onClick={() => setStep(3)}>
          Sim
        </button>
      </Dialog>
      <Dialog opened={step === 3} onClose={() => setStep(0)} title="Feito">
        Pronto
      </Dialog>
    </MaloteTheme>
  );
}

it("the focus returns to the first opener when one dialog replaced another", async () => {
  const user = userEvent.setup();
  render(<Steps />);
  const first = screen.getByRole("button", { name: "Devolver" });
  await user.click(first);
  await user.click(await screen.findByRole("button", { name: "Continuar" }));
  await user.click(await screen.findByRole("button", { name: "Sim" }));
  await screen.findByRole("dialog", { name: "Feito" });
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(first);
});

describe("toasts", () => {
  it("SES-076 stay 5 seconds, and 10 when about a report", () => {
    vi.useFakeTimers();
    render(<MaloteTheme>{null}</MaloteTheme>);
    act(() => {
      toast.good("Salvo");
      toast.bad("Falhou");
      toast.info("Cancelado");
      toast.report("Gerando");
    });
    act(() => vi.advanceTimersByTime(4_999));
    for (const text of ["Salvo", "Falhou", "Cancelado"]) expect(screen.queryByText(text)).not.toBeNull();
    act(() => vi.advanceTimersByTime(1));
    for (const text of ["Salvo", "Falhou", "Cancelado"]) expect(screen.queryByText(text)).toBeNull();
    act(() => vi.advanceTimersByTime(4_999));
    expect(screen.queryByText("Gerando")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.queryByText("Gerando")).toBeNull();
  });
});

function FormOfADate({ onSeen }: { onSeen: (date: string | null) => void }) {
  const [date, setDate] = useState<string | null>(null);
  const keep = (next: string | null) => {
    onSeen(next);
    setDate(next);
  };
  return <DateField label="Data" value={date} onChange={keep} />;
}

describe("dates", () => {
  it("SES-072 reads existing days, as typed or pasted", () => {
    expect(readDate("20/11/2026")).toBe("2026-11-20");
    expect(readDate("20112026")).toBe("2026-11-20");
    expect(readDate("31/02/2026")).toBeNull();
    expect(daysOfMonth("2028-02")).toEqual({ initialDate: "2028-02-01", endDate: "2028-02-29" });
  });

  it("SES-072 inserts the slashes while digits are typed", async () => {
    const seen: (string | null)[] = [];
    render(
      <MaloteTheme>
        <FormOfADate onSeen={(date) => seen.push(date)} />
      </MaloteTheme>,
    );
    const field = screen.getByLabelText<HTMLInputElement>("Data");
    await userEvent.type(field, "20112026");
    expect(field.value).toBe("20/11/2026");
    expect(seen.at(-1)).toBe("2026-11-20");
    await userEvent.type(field, "{Backspace}");
    expect([field.value, seen.at(-1)]).toEqual(["20/11/202", "20/11/202"]);
    await userEvent.clear(field);
    expect(seen.at(-1)).toBeNull();
  });
});

it("pages around the current one leave gaps only where pages are hidden", () => {
  expect(pagesAround(0, 4)).toEqual([0, 1, 2, 3]);
  expect(pagesAround(5, 12)).toEqual([0, null, 4, 5, 6, null, 11]);
});
