/**
 * Every bound of reading a file in one place. They are checked before work is done where a file declares its sizes,
 * and again while the bytes really arrive, because a file may lie.
 */
export interface FileLimits {
  /** Lines of a CSV file, also the empty ones: as many as a worksheet of Excel has. */
  linesMax: number;
  /** The file itself. */
  fileBytesMax: number;
  /** One worksheet after inflating. It is streamed, so this bounds time, not memory. */
  worksheetBytesMax: number;
  /** The shared strings after inflating. They stay in memory while the sheet is read. */
  sharedStringsBytesMax: number;
  sharedStringsMax: number;
  /** Workbook, styles and relations: small parts that are read whole. */
  smallPartBytesMax: number;
  zipEntriesMax: number;
  /** One row, as XML or CSV. A real row of fifteen columns has about two thousand bytes. */
  rowBytesMax: number;
  /** Cells to the right of this column are not read. */
  columnsMax: number;
  /** A part that inflates to more than this many times its size, and is large, is a bomb. Real sheets stay under 100. */
  inflateRatioMax: number;
  inflateRatioFromBytes: number;
}

const mebibyte = 1024 * 1024;

export const fileLimits: FileLimits = {
  linesMax: 1_048_576,
  fileBytesMax: 50 * mebibyte,
  worksheetBytesMax: 256 * mebibyte,
  sharedStringsBytesMax: 64 * mebibyte,
  sharedStringsMax: 2_000_000,
  smallPartBytesMax: 8 * mebibyte,
  zipEntriesMax: 2_000,
  rowBytesMax: 2 * mebibyte,
  columnsMax: 100,
  inflateRatioMax: 300,
  inflateRatioFromBytes: 16 * mebibyte,
};
