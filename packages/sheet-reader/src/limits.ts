/**
 * Bounds of reading a file. They are checked before the work where a file declares its sizes, and again while the bytes
 * arrive, because a file may lie.
 */
export interface FileLimits {
  /** Lines of a CSV file, including empty ones: as many as an Excel worksheet has. */
  linesMax: number;
  /** Bytes of the file itself. */
  fileBytesMax: number;
  /** Bytes of one inflated worksheet. It is streamed, so this bounds time, not memory. */
  worksheetBytesMax: number;
  /** Bytes of the inflated shared strings. They stay in memory while the sheet is read. */
  sharedStringsBytesMax: number;
  sharedStringsMax: number;
  /** Bytes of workbook, styles and relations: small parts that are read whole. */
  smallPartBytesMax: number;
  zipEntriesMax: number;
  /** Bytes of one row, as XML or CSV. A real row of fifteen columns has about two thousand bytes. */
  rowBytesMax: number;
  /** Cells to the right of this column are not read. */
  columnsMax: number;
  /** A large part that inflates to more than this many times its size is a bomb. Real sheets stay under 100. */
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
