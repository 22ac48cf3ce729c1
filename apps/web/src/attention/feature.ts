import type { Feature } from "../shell/feature.ts";
import { AttentionLayer } from "./attention-layer.tsx";
import { SecurityNotice } from "./security-notice.tsx";
import { StatusBanner } from "./status-banner.tsx";

/** Notices that appear above every page of the application. */
export const attention: Feature = {
  pages: [],
  layer: AttentionLayer,
  top: SecurityNotice,
  banner: StatusBanner,
};
