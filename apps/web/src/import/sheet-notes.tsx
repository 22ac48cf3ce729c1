import type { Sheet } from "@malote/contracts/import";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pathOf } from "../shell/routes.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted, formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { sheetQuery } from "./api.ts";
import ChooseColumns from "./choose-columns.tsx";
import { runningImport } from "./running-import.ts";
import styles from "./sheet-notes.module.css";

interface SheetNotesProps {
  sheetId: string;
  /** True while the draft is unchanged, and may be replaced by the same sheet read with other columns. */
  isUntouched: boolean;
  /** Current total of the draft, in centavos. */
  value: number;
}

/** Shows a draft's sheet: its columns, its total, and its mistakes (IMP-026). */
export default function SheetNotes({ sheetId, isUntouched, value }: SheetNotesProps) {
  const sheet = useQuery(sheetQuery(sheetId)).data;
  const [isChoosing, setChoosing] = useState(false);
  const navigate = useNavigate();
  if (sheet?.state !== "imported") return null;
  // Payments that were deleted, added or changed differ from what was read.
  const total = sheet.total && { ...sheet.total, sum: isUntouched ? sheet.total.sum : value };

  function follow() {
    runningImport.follow(sheetId);
    void navigate({ to: pathOf("ImportPage"), search: { planilha: sheetId }, replace: true });
  }
  return (
    <>
      {isUntouched && sheet.mistakes.length > 0 ? <Mistakes mistakes={sheet.mistakes} /> : null}
      {total || sheet.columns ? (
        <Notice
          tone={total ? toneOf(total) : "blue"}
          title={total ? totalText(total) : null}
          action={
            sheet.columns && isUntouched ? (
              <Button size="sm" onClick={() => setChoosing(true)}>
                Escolher colunas
              </Button>
            ) : null
          }
        >
          {total ? <Difference total={total} payments={isUntouched ? "lidos" : "deste lote"} /> : null}
          {sheet.columns ? (
            <p className="small">{columnsText(sheet.columns, sheet.columns_chosen_by)}</p>
          ) : null}
        </Notice>
      ) : null}
      {isChoosing && sheet.columns ? (
        <Dialog opened onClose={() => setChoosing(false)} title="Colunas da planilha" size="lg">
          <p className="muted">A planilha é lida de novo, e o lote é refeito com estas colunas.</p>
          <ChooseColumns
            sheetId={sheetId}
            columns={sheet.columns}
            onRead={follow}
            onCancel={() => setChoosing(false)}
            cancelLabel="Cancelar"
          />
        </Dialog>
      ) : null}
    </>
  );
}

/**
 * Returns `Colunas usadas: 7 · ignoradas: Vencimento, Obs. · escolhidas por Ana, que por isso conta entre quem preparou
 * o lote`.
 */
function columnsText(columns: NonNullable<Sheet["columns"]>, chosenBy: string | null): string {
  const used = columns.filter(({ field }) => field !== null).length;
  const ignored = columns.filter(({ field }) => field === null).map(({ heading }) => heading);
  const read = `Colunas usadas: ${used} · ignoradas: ${ignored.length > 0 ? ignored.join(", ") : "nenhuma"}`;
  return chosenBy
    ? `${read} · escolhidas por ${chosenBy}, que por isso conta entre quem preparou o lote`
    : read;
}

function Mistakes({ mistakes }: Pick<Sheet, "mistakes">) {
  return (
    <Notice
      tone="red"
      title="Identificamos um ou mais erros durante a importação da planilha, erros encontrados:"
    >
      <ul className={`small ${styles.mistakes}`}>
        {mistakes.map(({ text, count }) => (
          <li key={text}>
            {text} <span className="muted">({counted(count, "linha", "linhas")})</span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

type SheetTotal = NonNullable<Sheet["total"]>;

const toneOf = ({ stated, sum }: SheetTotal) =>
  stated === null ? "blue" : stated === sum ? "green" : "yellow";

/** Compares the sheet's own sum with what was read, and with the current draft. */
function totalText({ sheet_row: row, stated, sum }: SheetTotal): string {
  if (stated === null) return `A linha ${row} é um total e não virou pagamento.`;
  return stated === sum
    ? `A linha ${row} é o total da planilha, ${formatMoney(stated)}, e confere com a soma dos pagamentos.`
    : "O total da planilha não confere com a soma dos pagamentos.";
}

function Difference({
  total: { sheet_row: row, stated, sum },
  payments,
}: {
  total: SheetTotal;
  payments: string;
}) {
  if (stated === null || stated === sum) return null;
  const difference = `${formatMoney(Math.abs(sum - stated))} ${sum > stated ? "a mais" : "a menos"}`;
  return (
    <p className="small">
      A linha {row} diz {formatMoney(stated)}, e os pagamentos {payments} somam {formatMoney(sum)}:{" "}
      {difference}. Confira se falta ou sobra algum antes de fechar.
    </p>
  );
}
