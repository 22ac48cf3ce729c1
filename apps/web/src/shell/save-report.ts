import { saveFile } from "../ui/save-file.ts";
import { checkpoints } from "./checkpoints.ts";

/** Saves an exported file and records the checkpoint of the download (FST-024). Every export ends here. */
export function saveReport(file: Blob, name: string): void {
  saveFile(file, name);
  void checkpoints.create("HAS_DOWNLOADED_REPORT");
}
