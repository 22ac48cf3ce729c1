import type { Contract } from "@malote/contracts/contract";
import type { Locator, Page } from "@playwright/test";
import type { Environment, Profile } from "../environment.ts";

export interface Subject {
  name: string;
  batchId: string;
  transferId: string;
}

export interface MoneyDialog {
  name: string;
  /** The call that its button sends. */
  contract: Contract;
  by: Profile;
  /** Omitted for the payments application. */
  inside?: "validation";
  /** True when the input belongs to its tab: two tabs are two intentions, and both are executed. */
  isTabsOwn?: true;
  prepare(environment: Environment): Promise<Subject>;
  /** Navigates up to the button and returns it. */
  open(page: Page, subject: Subject): Promise<Locator>;
  /** Opens the dialog again on the screen beneath it. */
  opener?(page: Page, subject: Subject): Locator;
  /** Returns how often the action took effect. */
  effects(environment: Environment, subject: Subject): Promise<number>;
  /** The element that the screen then shows by itself. */
  ended(page: Page, subject: Subject): Locator;
}
