import { boletoCorrections } from "./boletos.ts";
import type { CorrectionKinds } from "./kind.ts";
import { transferCorrections } from "./transfers.ts";

export const correctionKinds: CorrectionKinds = { TRANSFER: transferCorrections, BILLET: boletoCorrections };
