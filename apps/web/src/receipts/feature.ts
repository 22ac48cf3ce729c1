import type { Feature } from "../shell/feature.ts";
import { ReceiptsLayer } from "./receipts-layer.tsx";

/** No page of its own: receipts are requested beside payments, and opened by the link of an e-mail. */
export const receipts: Feature = { pages: [], layer: ReceiptsLayer };
