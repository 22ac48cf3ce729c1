import type { SheetColumn, SheetField } from "@malote/contracts/import";
import { areGenericHeadings } from "@malote/domain/generic-headings";
import { useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toasts.tsx";
import { readWithColumns, sheetQuery } from "./api.ts";
import styles from "./choose-columns.module.css";
import { sheetFieldNames } from "./sheet-field-names.ts";

interface ChooseColumnsProps {
  sheetId: string;
  columns: readonly SheetColumn[];
  /** True while the sheet is read again. */
  onRead: () => void;
  onCancel: () => void;
  cancelLabel: string;
}

const unused = { value: "", label: "Não usar" };
const options = [unused, ...Object.entries(sheetFieldNames).map(([value, label]) => ({ value, label }))];

/** Assigns the columns of a sheet: chosen once, and remembered for sheets with the same meaningful headings. */
export default function ChooseColumns({
  sheetId,
  columns,
  onRead,
  onCancel,
  cancelLabel,
}: ChooseColumnsProps) {
  const [chosen, setChosen] = useState<Record<number, SheetField | null>>(() =>
    Object.fromEntries(columns.map(({ column, field }) => [column, field])),
  );
  const queryClient = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [asked, setAsked] = useState(false);
  const times = (field: SheetField) => Object.values(chosen).filter((one) => one === field).length;
  const isTwice = Object.values(chosen).some((field) => field !== null && times(field) > 1);

  async function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    setAsked(true);
    if (isTwice || isSending) return;
    setSending(true);
    try {
      const sheet = await readWithColumns(
        sheetId,
        Object.entries(chosen).map(([column, field]) => ({ column: Number(column), field })),
      );
      // The progress view must not show how the previous reading ended.
      queryClient.setQueryData(sheetQuery(sheetId).queryKey, sheet);
      onRead();
    } catch (error) {
      const text = errorSentence(error, "Não foi possível ler a planilha com estas colunas.");
      if (text) toast.bad(text);
      setSending(false);
    }
  }
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit} aria-label="Colunas da planilha">
      <ul className={styles.columns}>
        {columns.map(({ column, heading, may_be, sample }) => {
          const field = chosen[column] ?? null;
          const problem = asked && field !== null && times(field) > 1;
          return (
            <li
              key={column}
              className={styles.column}
              data-asked={(may_be !== null && field === null) || undefined}
            >
              <div className={styles.heading}>
                <strong>{heading}</strong>
                <span className="small muted">
                  {sample.join(" · ") || "Sem conteúdo nas primeiras linhas"}
                </span>
              </div>
              <Select
                aria-label={`O que há na coluna ${heading}`}
                data={options}
                value={field ?? ""}
                error={problem ? "Já escolhido em outra coluna" : undefined}
                onChange={(value) =>
                  setChosen((before) => ({ ...before, [column]: (value || null) as SheetField | null }))
                }
              />
            </li>
          );
        })}
      </ul>
      <p className="small muted">
        {areGenericHeadings(columns.map(({ heading }) => heading))
          ? "O cabeçalho não diz o que há nas colunas, e a escolha vale só para esta planilha."
          : "A escolha fica guardada e vale para as próximas planilhas da empresa com o mesmo cabeçalho."}
      </p>
      <div className={styles.actions}>
        <Button onClick={onCancel} disabled={isSending}>
          {cancelLabel}
        </Button>
        <Button look="primary" type="submit" busy={isSending}>
          Importar com estas colunas
        </Button>
      </div>
    </form>
  );
}
