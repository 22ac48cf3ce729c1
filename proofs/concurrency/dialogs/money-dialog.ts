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
  /** What its button sends. */
  contract: Contract;
  by: Profile;
  /** Left out where it is the payments application. */
  inside?: "validation";
  /** What is filled in belongs to its tab: two tabs are two wishes, and both come true. */
  isTabsOwn?: true;
  prepare(environment: Environment): Promise<Subject>;
  /** Goes as far as the button, and answers it. */
  open(page: Page, subject: Subject): Promise<Locator>;
  /** Asks the question again on the screen beneath it. */
  opener?(page: Page, subject: Subject): Locator;
  /** How often the thing was done. */
  effects(environment: Environment, subject: Subject): Promise<number>;
  /** What the screen then shows by itself. */
  ended(page: Page, subject: Subject): Locator;
}
