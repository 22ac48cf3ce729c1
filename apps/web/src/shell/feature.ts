import type { CompanySettings } from "@malote/contracts/company";
import type { FeatureFlag } from "@malote/contracts/policy";
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { BeforeEnter, GuardedPage } from "./guards.ts";
import { guardedRoute, type RouteName } from "./routes.ts";
import type { PageSearches, SearchParams, ValuesOf } from "./search-params.ts";
import type { Session } from "./session.ts";

/** A screen as the router knows it. */
export interface Page extends GuardedPage {
  name?: RouteName;
  /** Title of the browser tab. */
  title: string;
  load: () => Promise<{ default: ComponentType }>;
  /** What the page reads from its address. */
  search?: SearchParams;
  /** Asks for what the page shows first, from the values of its address, while its code and its frame load. */
  firstData?(queryClient: QueryClient, values: Readonly<Record<string, unknown>>): Promise<unknown>;
}

type GivenPage = Pick<Page, "title" | "load"> & { before?: BeforeEnter[] };

/** Parameters of a named page; none for one that does not read its address. */
export type SearchOf<Name extends RouteName> = Name extends keyof PageSearches
  ? PageSearches[Name]
  : Record<never, never>;

/** Screen of a named route: one table gives path, application and who may enter (SES-004). */
export function page<Name extends RouteName>(
  name: Name,
  given: GivenPage & {
    search?: SearchOf<Name>;
    firstData?: (queryClient: QueryClient, values: ValuesOf<SearchOf<Name>>) => Promise<unknown>;
  },
): Page;
export function page(name: RouteName, given: GivenPage & Pick<Page, "search" | "firstData">): Page {
  return { ...guardedRoute(name), ...given, name };
}

export const navGroups = ["Pagamentos", "Recebimentos", "ContaCerta", "Contestações"] as const;
export type NavGroup = (typeof navGroups)[number];

type Icon = ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;

export interface NavEntry {
  group: NavGroup;
  label: string;
  /** Entry of the side menu, shown to people who may use the group's application and enter the route. */
  to: RouteName;
  /** Only for companies that have the feature. */
  flag?: FeatureFlag;
  icon: Icon;
  /** Reached from the top bar and the palette: the side menu has a fixed list (SHL-028). */
  outsideMenu?: true;
  /** Drawn at the end of the entry: the number of items that wait there. */
  badge?: ComponentType;
}

/** Entry above the groups of the side menu. */
export type LeadEntry = Pick<NavEntry, "label" | "to" | "icon" | "badge">;

/** Action or page that the palette offers. */
export interface Command {
  id: string;
  label: string;
  /** Further words that find it. */
  words?: string;
  hint?: string;
  icon?: Icon;
  /** The company's settings are undefined until they are loaded, and in the application without any. */
  shows?: (session: Session, settings?: CompanySettings) => boolean;
  /** An address to open, or an action. */
  to?: string;
  run?: () => void;
}

/** Searches while the person types in the palette. */
export interface PaletteSearch {
  heading: string;
  find: (text: string, signal: AbortSignal) => Promise<Command[]>;
  shows?: (session: Session) => boolean;
}

/** Loads data into the cache; a repeated call costs nothing. */
export type Preload = (queryClient: QueryClient) => Promise<unknown>;

/** Everything that a feature adds to the frame: one object, listed in entries/features.ts. */
export interface Feature {
  pages: readonly Page[];
  nav?: readonly NavEntry[];
  lead?: LeadEntry;
  commands?: readonly Command[];
  searches?: readonly PaletteSearch[];
  /** Data fetched on entering the payments application, before a screen needs it (SES-010). */
  preloads?: readonly Preload[];
  /** Drawn above the top bar while it has content. */
  top?: ComponentType;
  /** Drawn above every page while it has content. */
  banner?: ComponentType;
  /** Button of the top bar, beside the balance. */
  topBar?: ComponentType;
  /** Button of the top bar, beside the profile. */
  bell?: ComponentType;
  /** Drawn beside every page: a layer that opens by the address alone. */
  layer?: ComponentType;
}
