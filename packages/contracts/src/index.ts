/** Every call of the product, for the server, the OpenAPI file and the tests that iterate over all calls. */
import * as auditTrail from "./audit-trail.ts";
import * as batchIssues from "./batch-issues.ts";
import * as batchLife from "./batch-life.ts";
import * as batches from "./batches.ts";
import * as billing from "./billing.ts";
import * as boletos from "./boletos.ts";
import * as cardReceivables from "./card-receivables.ts";
import * as checkout from "./checkout.ts";
import * as checks from "./checks.ts";
import * as company from "./company.ts";
import * as contestations from "./contestations.ts";
import type { Contract } from "./contract.ts";
import * as controls from "./controls.ts";
import * as developer from "./developer.ts";
import * as errorReports from "./error-reports.ts";
import * as failures from "./failures.ts";
import * as files from "./files.ts";
import * as history from "./history.ts";
import * as home from "./home.ts";
import * as sheets from "./import.ts";
import * as indicators from "./indicators.ts";
import * as limits from "./limits.ts";
import * as lookups from "./lookups.ts";
import * as notifications from "./notifications.ts";
import * as payins from "./payins.ts";
import * as paymentLinks from "./payment-links.ts";
import * as pixKeys from "./pix-keys.ts";
import * as receipts from "./receipts.ts";
import * as receivers from "./receivers.ts";
import * as reports from "./reports.ts";
import * as session from "./session.ts";
import * as simulator from "./simulator.ts";
import * as simulatorInstallation from "./simulator-installation.ts";
import * as simulatorPayins from "./simulator-payins.ts";
import * as statement from "./statement.ts";
import * as statusPage from "./status-page.ts";
import * as transfers from "./transfers.ts";
import * as users from "./users.ts";
import * as validation from "./validation.ts";

const isContract = (value: unknown): value is Contract =>
  typeof value === "object" && value !== null && "policy" in value && "path" in value;

export const contracts: readonly Contract[] = [
  session,
  errorReports,
  company,
  controls,
  auditTrail,
  limits,
  users,
  statement,
  statusPage,
  batches,
  batchLife,
  batchIssues,
  checks,
  failures,
  boletos,
  transfers,
  lookups,
  receivers,
  pixKeys,
  receipts,
  reports,
  paymentLinks,
  checkout,
  validation,
  billing,
  payins,
  history,
  home,
  files,
  notifications,
  cardReceivables,
  sheets,
  indicators,
  contestations,
  developer,
  simulator,
  simulatorPayins,
  simulatorInstallation,
].flatMap((feature) => Object.values(feature).filter(isContract));
