import { importSheet } from "@malote/contracts/import";
import { headingOf } from "../../../apps/api/src/payouts/import/sheet/heading-words.ts";
import type { MoneyDialog } from "./money-dialog.ts";
import { onScreen } from "./screen.ts";
import { nextNumber } from "./subjects.ts";

const sheet = [
  [headingOf.pixKeyType, headingOf.pixKey, headingOf.value].join(";"),
  "EMAIL;joana@exemplo.com.br;150,00",
].join("\r\n");

/** The button is the file chooser: the file is sent at once and becomes a draft. */
export const ofSheets: MoneyDialog[] = [
  {
    name: "criar lote de planilha",
    contract: importSheet,
    by: "operator",
    isTabsOwn: true,
    prepare: async () => ({ name: `Prova ${nextNumber()}`, batchId: "", transferId: "" }),
    async open(page, { name }) {
      await page.goto("/pagamentos/lotes");
      await page.getByRole("link", { name: "Importação", exact: true }).click();
      await page.getByLabel("Escolher planilha").waitFor({ state: "attached" });
      // A button of the proof's own, so that the proof can treat the file chooser like any other button.
      await page.evaluate(
        ({ file, text }) => {
          document.getElementById("proof")?.remove();
          const choose = document.createElement("button");
          choose.id = "proof";
          choose.textContent = "Escolher de novo";
          choose.onclick = () => {
            const input = document.querySelector<HTMLInputElement>("input[type=file]");
            const carried = new DataTransfer();
            carried.items.add(new File([text], file, { lastModified: 0 }));
            if (!input) return;
            input.files = carried.files;
            input.dispatchEvent(new Event("change", { bubbles: true }));
          };
          document.body.append(choose);
        },
        { file: `${name}.csv`, text: sheet },
      );
      return page.locator("#proof");
    },
    async effects(environment, { name }) {
      const [row] = await environment.ask<{ times: number }>(
        "SELECT count(*)::int AS times FROM batches WHERE spreadsheet_file_name = $1 AND status <> 'REMOVED'",
        [`${name}.csv`],
      );
      return row?.times ?? 0;
    },
    ended: (page, subject) => onScreen(page, subject).getByText("Rascunho", { exact: true }),
  },
];
