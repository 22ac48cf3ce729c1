import type { Feature } from "../shell/feature.ts";
import { FailureBanner } from "./failure-banner.tsx";

export const failures: Feature = { pages: [], banner: FailureBanner };
