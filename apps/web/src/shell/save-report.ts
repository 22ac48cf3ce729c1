import { saveFile } from "../ui/save-file.ts";
import { checkpoints } from "./checkpoints.ts";

/** Every export ends here, and that one was downloaded is remembered (FST-024). */
export function saveReport(file: Blob, name: string): void {
  saveFile(file, name);
  void checkpoints.create("HAS_DOWNLOADED_REPORT");
}
