/**
 * Limits that the installation sets for all companies. An installation has one set of them, as it is one institution, so
 * rules that need it deep inside a transaction do not take it as a parameter (decision 0065).
 */
import {
  defaultInstallationLimits,
  type InstallationLimits,
  type LimitTable,
  limitsOf,
  type OwnLimits,
} from "@malote/domain/payment-limits";

let configured = defaultInstallationLimits;

export const installationLimits = (): InstallationLimits => configured;

/** Sets the limits, once at the start of a process. A command that sets none has the defaults. */
export function setInstallationLimits(limits: InstallationLimits): void {
  configured = limits;
}

/** Returns the limits in force of a company: its own, else the installation's (SES-074). */
export const limitsInForce = (own: OwnLimits): LimitTable => limitsOf(own, configured);
