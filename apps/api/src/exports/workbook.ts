import { type CalendarDate, daysBetween, readDate } from "@malote/domain/calendar";
import { parseBrl } from "@malote/domain/money";
import { type CellStyle, xlsxPieces as styledPieces, textStyle } from "@malote/sheet-reader/write-xlsx";

const amountStyle: CellStyle = { numFmt: "#,##0.00" };
const dayStyle: CellStyle = { numFmt: "dd/mm/yyyy" };

/** Under this heading are amounts, in every report. */
const amountHeading = "Valor";

/** A text, or an amount or a day, which a workbook keeps as what they are. */
export type Cell = string | { centavos: number } | { day: CalendarDate };

interface WorkbookColumn {
  title: string;
  width: number;
  isAmount?: boolean;
  isDay?: boolean;
}

/** A workbook counts days from here. */
const dayZero = "1899-12-30" as CalendarDate;

function cellValue(cell: Cell): string | number {
  if (typeof cell === "string") return cell;
  return "day" in cell ? daysBetween(dayZero, cell.day) : cell.centavos / 100;
}

/** A workbook of a report, written as its rows come. */
export function xlsxPieces(
  name: string,
  columns: readonly WorkbookColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Uint8Array> {
  const styled = columns.map(({ title, width, isAmount, isDay }) => ({
    title,
    width,
    style: isAmount ? amountStyle : isDay ? dayStyle : textStyle,
  }));
  return styledPieces(name, styled, rows, cellValue);
}

/** Under these are days, in every report. */
const dayHeadings: ReadonlySet<string> = new Set(["Data", "Vencimento"]);

/** A report as a workbook keeps it: its amounts are numbers, to be summed, and its days are days, to be sorted. */
export function workbookOf(headings: readonly string[]) {
  return {
    columns: headings.map((title) => ({
      title,
      width: 22,
      isAmount: title === amountHeading,
      isDay: dayHeadings.has(title),
    })),
    cellsOf: (row: readonly string[]): Cell[] =>
      row.map((text, at) => {
        const heading = headings[at] ?? "";
        const centavos = heading === amountHeading ? parseBrl(text) : undefined;
        const day = dayHeadings.has(heading) ? readDate(text) : undefined;
        return centavos !== undefined ? { centavos } : day ? { day } : text;
      }),
  };
}
