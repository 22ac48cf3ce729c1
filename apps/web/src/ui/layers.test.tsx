import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { CopyButton } from "./copy-button.tsx";
import { DataTable } from "./data-table.tsx";
import { FullScreenModal } from "./full-screen-modal.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { Select } from "./select.tsx";
import { TaxIdInput } from "./tax-id-input.tsx";
import { MaloteTheme } from "./theme.tsx";

function Screen() {
  const [opened, setOpened] = useState(false);
  return (
    <MaloteTheme>
      <button type="button" onClick={() => setOpened(true)}>
        Abrir
      </button>
      <FullScreenModal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Folha 11/2026"
        totalCents={51_248_000}
        actions={<button type="button">Fechar lote</button>}
      >
        <Menu opener={<button type="button">Mais</button>}>
          <MenuItem onClick={() => undefined}>Renomear</MenuItem>
          <MenuItem onClick={() => undefined}>Excluir</MenuItem>
        </Menu>
      </FullScreenModal>
    </MaloteTheme>
  );
}

describe("a full screen", () => {
  it("keeps Tab inside, closes only the top layer on Escape, and returns the focus", async () => {
    const user = userEvent.setup();
    render(<Screen />);
    const opener = screen.getByRole("button", { name: "Abrir" });
    await user.click(opener);
    screen.getByRole("dialog", { name: "Folha 11/2026" });
    const close = screen.getByRole("button", { name: "Fechar" });
    expect(document.activeElement).toBe(close);
    await user.tab({ shift: true });
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Fechar lote" }));
    await user.tab();
    expect(document.activeElement).toBe(close);

    const more = screen.getByRole("button", { name: "Mais" });
    await user.click(more);
    expect(document.activeElement).toBe(screen.getByRole("menuitem", { name: "Renomear" }));
    await user.keyboard("{ArrowUp}");
    expect(document.activeElement).toBe(screen.getByRole("menuitem", { name: "Excluir" }));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("menu")).toBeNull();
    expect(document.activeElement).toBe(more);
    screen.getByRole("dialog");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement).toBe(opener);
  });
});

function OpenedByAddress() {
  const [opened, setOpened] = useState(true);
  return (
    <main tabIndex={-1}>
      <FullScreenModal opened={opened} onClose={() => setOpened(false)} title="Folha 11/2026">
        Pagamentos
      </FullScreenModal>
    </main>
  );
}

it("a dialog whose opener is gone returns the focus to the page", async () => {
  const user = userEvent.setup();
  render(<OpenedByAddress />);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

function Bank() {
  const [value, setValue] = useState<string | null>(null);
  const data = [
    { value: "itau", label: "341 · Itaú" },
    { value: "brasil", label: "001 · Banco do Brasil" },
  ];
  return (
    <MaloteTheme>
      <Select label="Banco" searchable data={data} value={value} onChange={setValue} />
    </MaloteTheme>
  );
}

it("a list ignores accents in a search, moves by arrows, and keeps the choice on Escape", async () => {
  const user = userEvent.setup();
  render(<Bank />);
  const field = screen.getByRole("combobox", { name: "Banco" }) as HTMLInputElement;
  await user.type(field, "itau{Enter}");
  expect(field.value).toBe("341 · Itaú");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(screen.getByRole("option", { selected: true }).textContent).toBe("001 · Banco do Brasil");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("listbox")).toBeNull();
  expect(field.value).toBe("341 · Itaú");
});

function Document() {
  const [value, setValue] = useState("");
  return (
    <MaloteTheme>
      <TaxIdInput label="CPF ou CNPJ" value={value} onChange={setValue} />
    </MaloteTheme>
  );
}

it.each([
  ["12345678909", "123.456.789-09"],
  ["123.456.789-09", "123.456.789-09"],
  ["12abc34501de35", "12.ABC.345/01DE-35"],
])("a document pasted as %s shows %s", async (pasted, shown) => {
  const user = userEvent.setup();
  render(<Document />);
  const field = screen.getByLabelText("CPF ou CNPJ") as HTMLInputElement;
  await user.click(field);
  await user.paste(pasted);
  expect(field.value).toBe(shown);
});

it("a document stays unchanged while it is typed, and is formatted on leaving", async () => {
  const user = userEvent.setup();
  render(<Document />);
  const field = screen.getByLabelText("CPF ou CNPJ") as HTMLInputElement;
  await user.type(field, "12345678909");
  expect(field.value).toBe("12345678909");
  await user.tab();
  expect(field.value).toBe("123.456.789-09");
});

it("a row opens by a click beside its controls, and its button acts alone", async () => {
  const user = userEvent.setup();
  const onRow = vi.fn();
  const onButton = vi.fn();
  const columns = [
    { id: "name", heading: "Nome", cell: (row: { name: string }) => row.name },
    {
      id: "act",
      heading: "Ação",
      cell: () => (
        <button type="button" onClick={onButton}>
          Copiar
        </button>
      ),
    },
  ];
  render(
    <DataTable
      caption="Pessoas"
      columns={columns}
      rows={[{ name: "Ana" }]}
      keyOf={(row) => row.name}
      onRow={onRow}
    />,
  );
  screen.getByRole("table", { name: "Pessoas" });
  await user.click(screen.getByRole("button", { name: "Copiar" }));
  expect(onButton).toHaveBeenCalledOnce();
  expect(onRow).not.toHaveBeenCalled();
  await user.click(screen.getByText("Ana"));
  expect(onRow).toHaveBeenCalledWith({ name: "Ana" });
});

it("copies and reports it, or reports a failure", async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce();
  render(
    <MaloteTheme>
      <CopyButton
        text="pix@aurora.example"
        label="Copiar chave Pix"
        done="Código copiado e pronto para uso!"
      />
    </MaloteTheme>,
  );
  await user.click(screen.getByRole("button", { name: "Copiar chave Pix" }));
  expect(write).toHaveBeenCalledWith("pix@aurora.example");
  await screen.findByText("Código copiado e pronto para uso!");
  write.mockRejectedValueOnce(new Error("denied"));
  await user.click(screen.getByRole("button", { name: "Copiado" }));
  await screen.findByText(/Não foi possível copiar/);
});
