import { type CalendarDate, daysBetween, readDate } from "@malote/domain/calendar";
import { parseBrl } from "@malote/domain/money";
import { type CellStyle, xlsxPieces as styledPieces, textStyle } from "@malote/sheet-reader/write-xlsx";

const amountStyle: CellStyle = { numFmt: "#,##0.00" };
const dayStyle: CellStyle = { numFmt: "dd/mm/yyyy" };

/** Heading of the amount column, in every report. */
const amountHeading = "Valor";

/** Text, amount or date; a workbook stores amounts and dates typed. */
export type Cell = string | { centavos: number } | { day: CalendarDate };

interface WorkbookColumn {
  title: string;
  width: number;
  isAmount?: boolean;
  isDay?: boolean;
}

/** Day from which workbooks count dates. */
const dayZero = "1899-12-30" as CalendarDate;

function cellValue(cell: Cell): string | number {
  if (typeof cell === "string") return cell;
  return "day" in cell ? daysBetween(dayZero, cell.day) : cell.centavos / 100;
}

/** Yields the workbook of a report as its rows arrive. */
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

/** Headings of date columns, in every report. */
const dayHeadings: ReadonlySet<string> = new Set(["Data", "Vencimento"]);

/**
 * Converts a report's rows for a workbook: amounts become numbers, which can be summed, and days become dates, which
 * can be sorted.
 */
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
