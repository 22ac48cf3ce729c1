/** The content types of generated files. */
export const fileTypes = {
  csv: "text/csv; charset=utf-8",
  ofx: "application/x-ofx",
  pdf: "application/pdf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  zip: "application/zip",
} as const;
