/** Permitted results of an upload. Any other result is a fault, named in a sentence. */

import type { HostileFile } from "./hostile-files/make-files.ts";
import type { UploadAnswer } from "./send-upload.ts";
import type { Became } from "./upload-routes.ts";

export interface Ending {
  answer: UploadAnswer;
  /** The result of an accepted upload. */
  became?: Became;
  /** Milliseconds from the first byte sent to the final result. */
  ms: number;
}

export interface Bounds {
  ms: number;
}

export function faultsOf(
  file: Pick<HostileFile, "name" | "outcome">,
  { answer, became, ms }: Ending,
  bounds: Bounds,
): string[] {
  const faults: string[] = [];
  const fault = (what: string) => faults.push(`${file.name}: ${what}`);
  if (answer.status === 429) fault("refused because too many came, without being read");
  else if (answer.status >= 400 && answer.status < 500) {
    if (file.outcome === "harmless") fault(`refused with ${answer.body.code}`);
    else if (!isPlainPortuguese(answer.body.message)) fault(`refused with "${answer.body.message}"`);
  } else if (answer.status !== 200) {
    fault(`answered ${answer.status} ${answer.body.message ?? ""}`);
  } else if (!became || became.kind === "nothing") {
    fault(`taken, and then ${became?.why ?? "it was not read"}`);
  } else if (became.kind === "refused") {
    if (file.outcome === "harmless") fault(`refused: ${became.message}`);
    else if (!isPlainPortuguese(became.message)) fault(`refused with "${became.message}"`);
  } else if (file.outcome === "refused") {
    fault(became.kind === "payments" ? `became ${became.count} payments` : `became a ${became.kind}`);
  } else if (became.kind !== "payments") {
    // Compares with the payment that a person sees.
  } else if (became.count !== 1 || became.cents !== 100) {
    fault(`became ${became.count} payments of ${became.cents} centavos, a person sees one of 100`);
  }
  if (ms > bounds.ms) fault(`took ${Math.round(ms)} ms`);
  return faults;
}

/** Returns whether the text is a whole sentence for people: no technical word, no file name of ours, no stack. */
function isPlainPortuguese(message: string | undefined): boolean {
  return (
    message !== undefined &&
    /^\p{Lu}.{10,300}[.!?:]?$/su.test(message) &&
    /\b(arquivos?|planilha|logo|dados|formato|upload|conteúdo|limite|infração|análise)\b/i.test(message) &&
    !/error|exception|undefined|null|stack|node_modules|\.ts\b|invalid|unexpected/i.test(message)
  );
}
