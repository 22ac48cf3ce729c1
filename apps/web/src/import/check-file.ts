import { type ErrorCode, type ErrorData, errorText } from "@malote/contracts/errors";
import { sheetBytesMax } from "@malote/domain/limits";

/** Typed, so that a renamed code does not fall back to the generic sentence. */
const sentence = (code: ErrorCode, data?: ErrorData) => errorText(code, data);

const megabyte = 1024 * 1024;

/**
 * Checks that need no content (IMP-008, IMP-009). The server checks the content: two readers would one day disagree.
 */
export function problemOfFile(file: Pick<File, "name" | "size">): string | undefined {
  if (!/\.(csv|xlsx)$/i.test(file.name)) return sentence("sheet_wrong_ending");
  if (file.size === 0) return sentence("sheet_empty");
  if (file.size > sheetBytesMax) {
    return sentence("sheet_too_large", { limit: `${sheetBytesMax / megabyte} MB` });
  }
  return undefined;
}
