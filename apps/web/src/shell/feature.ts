import type { ComponentType } from "react";
import type { GuardedPage } from "./guards.ts";
import type { Session } from "./session.ts";

/** A screen as the router knows it. `name` is the requirement's route name (SES-004). */
export interface Page extends GuardedPage {
  name?: string;
  /** The title of the browser tab and of the palette line. */
  title: string;
  load: () => Promise<{ default: ComponentType }>;
}

export const navGroups = ["Pagamentos", "Recebimentos", "ContaCerta", "Contestações"] as const;
export type NavGroup = (typeof navGroups)[number];

type Icon = ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;

export interface NavEntry {
  group: NavGroup;
  label: string;
  to: string;
  icon: Icon;
  /** Left out: everybody who may use the group's application. */
  shows?: (session: Session) => boolean;
}

/** Something the palette can do or open. */
export interface Command {
  id: string;
  label: string;
  /** Further words that should find it. */
  words?: string;
  hint?: string;
  icon?: Icon;
  shows?: (session: Session) => boolean;
  /** An address to open, or something to do. */
  to?: string;
  run?: () => void;
}

/** Looks something up while the person types in the palette. */
export interface PaletteSearch {
  heading: string;
  find: (text: string, signal: AbortSignal) => Promise<Command[]>;
  shows?: (session: Session) => boolean;
}

/** All that a feature brings to the frame: one object, listed in entries/features.ts. */
export interface Feature {
  pages: readonly Page[];
  nav?: readonly NavEntry[];
  commands?: readonly Command[];
  searches?: readonly PaletteSearch[];
  /** Drawn beside every page: something that opens by the address alone, wherever the person is. */
  layer?: ComponentType;
}
