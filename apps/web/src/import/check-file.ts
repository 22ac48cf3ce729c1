import { errorText } from "@malote/contracts/errors";
import { sheetBytesMax } from "@malote/domain/limits";

const megabyte = 1024 * 1024;

/**
 * What can be said before anything is sent (IMP-008, IMP-009). The contents are the server's to judge: two readers would
 * one day disagree.
 */
export function problemOfFile(file: Pick<File, "name" | "size">): string | undefined {
  if (!/\.(csv|xlsx)$/i.test(file.name)) return errorText("sheet_wrong_extension");
  if (file.size === 0) return errorText("sheet_empty_file");
  if (file.size > sheetBytesMax) {
    return errorText("sheet_too_large", { limit: `${sheetBytesMax / megabyte} MB` });
  }
  return undefined;
}
