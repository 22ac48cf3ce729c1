/** Opens the page of an import for its tests. */
import type { Sheet } from "@malote/contracts/import";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { sheetImport } from "../import/feature.ts";
import type { holdUploads } from "./fake-upload.ts";
import { placeholderScreens } from "./placeholder-screens.tsx";
import { renderApp } from "./render-app.tsx";

export const address = "/pagamentos/importacao-de-planilha";

export const sheetId = "0198f000-0000-7000-8000-0000000000d1";

export function buildSheet(given: Partial<Sheet> = {}): Sheet {
  return {
    id: sheetId,
    file_name: "folha.xlsx",
    state: "reading",
    kind: "transfer",
    rows_read: 0,
    rows_total: null,
    batch_id: null,
    refusal: null,
    columns: null,
    columns_chosen_by: null,
    total: null,
    mistakes: [],
    ...given,
  };
}

export const sheetFile = (name = "folha.xlsx", content = "bytes") => new File([content], name);

export const features = [sheetImport, placeholderScreens("BatchesPage")];

export const open = (at = address) => renderApp(at, { features });

export const choose = async (file: File) => {
  const input = await screen.findByLabelText("Escolher planilha");
  // Sets the file on the input, because a person's file dialog would hide what does not fit its filter.
  await act(async () => {
    fireEvent.change(input, { target: { files: [file] } });
  });
};

export function importPage(uploads: () => ReturnType<typeof holdUploads>) {
  async function startReading(): Promise<void> {
    await choose(sheetFile());
    await waitFor(() => expect(uploads()).toHaveLength(1));
    await act(() => uploads()[0]!.finish());
  }

  return { startReading };
}
