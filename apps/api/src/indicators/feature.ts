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
  serve(readQuantityPerMonth, (tx, call) => indicators.quantityPer(tx, "month", call));
  serve(readQuantityPerDay, (tx, call) => indicators.quantityPer(tx, "day", call));
  serve(readDistributionPerBank, indicators.distributionPerBank);
  serve(readCountByStatus, indicators.countByStatus);
  serve(readFailedPerStatusDescription, indicators.failedPerStatusDescription);
}

export const indicatorsFeature: Feature = { routes: indicatorRoutes };
