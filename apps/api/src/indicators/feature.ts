import {
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
  readQuantityPerMonth,
} from "@malote/contracts/indicators";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import * as indicators from "./read.ts";

export function indicatorRoutes({ serve }: Serve): void {
  serve(readQuantityPerMonth, (tx, call) => indicators.readQuantityPer(tx, "month", call));
  serve(readQuantityPerDay, (tx, call) => indicators.readQuantityPer(tx, "day", call));
  serve(readDistributionPerBank, indicators.readPerBank);
  serve(readCountByStatus, indicators.countByStatus);
  serve(readFailedPerStatusDescription, indicators.readFailedPerDescription);
}

export const indicatorsFeature: Feature = { routes: indicatorRoutes };
