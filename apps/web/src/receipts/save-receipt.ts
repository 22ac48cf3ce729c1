import { checkpoints } from "../shell/checkpoints.ts";
import { saveFile } from "../ui/save-file.ts";

/** Saves a receipt, or a package of them, and records that the person has downloaded one (FST-024). */
export function saveReceipt(content: Blob, name: string): void {
  saveFile(content, name);
  void checkpoints.create("HAS_DOWNLOADED_RECEIPTS");
}
