import type { Feature } from "../shell/feature.ts";
import { AttentionLayer } from "./attention-layer.tsx";
import { SecurityNotice } from "./security-notice.tsx";
import { StatusBanner } from "./status-banner.tsx";

/** What a person has to know before anything else, over whatever page they opened. */
export const attention: Feature = {
  pages: [],
  layer: AttentionLayer,
  top: SecurityNotice,
  banner: StatusBanner,
};
