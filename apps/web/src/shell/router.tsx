import type { QueryClient } from "@tanstack/react-query";
import {
  type AnyRouter,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
  redirect,
  useMatches,
} from "@tanstack/react-router";
import { ErrorState } from "../ui/error-state.tsx";
import { AuthPage } from "./auth-page.tsx";
import { errorSentence, onSecondFactorDemanded } from "./call.ts";
import type { Feature, Page, SearchOf } from "./feature.ts";
import { ForbiddenPage } from "./forbidden-page.tsx";
import { Frame } from "./frame.tsx";
import { decideEntry, forbiddenPath, type GuardedPage, homePath, logoutPath } from "./guards.ts";
import { layerSearch } from "./layer-search.ts";
import { loadPart } from "./load-part.ts";
import { oldAddresses } from "./redirects.ts";
import { safeReturnPath } from "./return-address.ts";
import {
  bases,
  guardedPath,
  guardedRoute,
  type PathOf,
  pathOf,
  type RouteName,
  redirectOf,
  routeNames,
} from "./routes.ts";
import { readAddress, readValues, type SearchParams } from "./search-params.ts";
import { hasApplication, isExpired, readSession } from "./session.ts";
import { exchangeToken, leaveToLogin, logOut } from "./session-keeper.ts";
import { useDocumentTitle } from "./use-document-title.ts";

/** The address bar has plain text; the route of each page reads its parameters (see search-params.ts). */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).map(([name, value]) => [name, String(value ?? "")]);
  const text = new URLSearchParams(given.filter(([, value]) => value !== "")).toString();
  return text && `?${text}`;
}

/**
 * Passes the search of an address on to the redirect's target, above all a batch (SES-027), but never a sign-in token.
 */
const passedOn = ({ token: _token, ...search }: Record<string, unknown>): string => stringifySearch(search);

/** A page that comes first, and then redirects to the requested one. */
const returningTo = (first: string, address: string): string => {
  const wanted = safeReturnPath(address);
  return wanted ? `${first}?${new URLSearchParams({ redirectedFrom: wanted })}` : first;
};

const securityPathOf = (pages: readonly Page[]): string | undefined =>
  pages.find((page) => page.name === "MyAccountSecuritySettingsPage")?.path;

async function guard(
  page: GuardedPage,
  pages: readonly Page[],
  address: string,
  isPreload: boolean,
): Promise<void> {
  const securityPath = securityPathOf(pages);
  const facts = { session: readSession(), now: Date.now(), securityPath, address };
  const decision = await decideEntry(page, facts);
  if (decision.kind === "open") return;
  if (decision.kind === "redirect") {
    const { to } = decision;
    throw redirect({ href: to === securityPath ? returningTo(to, address) : to, replace: true });
  }
  // Preloading on hover or focus must not switch the application or leave for the sign-in page.
  if (isPreload) return;
  if (decision.kind === "switch_application") {
    const isSwitched = await exchangeToken(decision.to).then(
      () => true,
      () => false,
    );
    if (isSwitched) return guard(page, pages, address, isPreload);
    await leaveToLogin("fim", address);
  } else {
    const session = readSession();
    await leaveToLogin(session && isExpired(session) ? "inatividade" : "entrar", address);
  }
  // The page is being left, so nothing of it may be drawn or fetched.
  await new Promise(() => undefined);
}

/** Home address: the application's base path, or the first existing page for this person. */
function homeOf(pages: readonly Page[]): string {
  const session = readSession();
  const home = homePath(session);
  if (home !== bases.payments && pages.some(({ path }) => path.startsWith(home))) return home;
  const mayPay = !session || hasApplication(session, "payments");
  return mayPay && pages.some(({ name }) => name === "BatchesPage") ? bases.payments : forbiddenPath;
}

const rootRoute = () =>
  createRootRouteWithContext<RouterContext>()({
    component: Root,
    errorComponent: AppErrorPage,
    // What opens above any page.
    validateSearch: (search: Record<string, unknown>) => readAddress(layerSearch, search),
  });

const frameRoute = (root: ReturnType<typeof rootRoute>, features: readonly Feature[]) =>
  createRoute({
    getParentRoute: () => root,
    id: "frame",
    component: () => <Frame features={features} />,
  });

/** Route of a page, with the type of its path and of what it reads from its address. */
const pageRoute = <Path extends string, Search extends SearchParams>(
  frame: ReturnType<typeof frameRoute>,
  path: Path,
  search: Search,
  page: Page,
  pages: readonly Page[],
) =>
  createRoute({
    getParentRoute: () => frame,
    path,
    validateSearch: (given: Record<string, unknown>) => readAddress(search, given),
    beforeLoad: ({ location, preload }) => guard(page, pages, location.href, preload),
    // Not awaited: the page shows how its data loads, and that it failed.
    loader: ({ context: { queryClient }, location, preload }) => {
      if (!preload) page.firstData?.(queryClient, readValues(search, location.search)).catch(() => undefined);
    },
    component: lazyRouteComponent(() => loadPart(page.load)),
    errorComponent: AppErrorPage,
    staticData: { title: page.title },
  });

/** Every named route is a target of links; without a screen it leads to the one that takes its place. */
type PageRoutes = {
  [Name in RouteName]: ReturnType<typeof pageRoute<PathOf<Name>, SearchOf<Name>>>;
};

/** Builds the route tree from the features. */
export function createAppRouter(
  features: readonly Feature[],
  queryClient: QueryClient,
  history?: RouterHistory,
) {
  const pages = features.flatMap((feature) => feature.pages);

  const root = rootRoute();
  const frame = frameRoute(root, features);
  const framed = Object.fromEntries(
    pages.map((page) => [page.path, pageRoute(frame, page.path, page.search ?? {}, page, pages)]),
  ) as unknown as PageRoutes;
  const elsewhere = createRoute({ getParentRoute: () => root, id: "elsewhere" });
  const goingTo = (path: string, to: (path: string, address: string) => string | Promise<string>) =>
    createRoute({
      getParentRoute: () => elsewhere,
      path,
      beforeLoad: async ({ location, preload }) => {
        if (preload) return;
        const target = await to(location.pathname, location.href);
        throw redirect({
          href: target + passedOn(location.search),
          replace: true,
          state: location.state,
        });
      },
    });
  const unbuilt = routeNames
    .filter((name) => !pages.some((page) => page.path === pathOf(name)))
    .map((name) =>
      goingTo(pathOf(name), async (_, address) => {
        await guard(guardedRoute(name), pages, address, false);
        const next = redirectOf(name, readSession());
        return next ? pathOf(next) : homeOf(pages);
      }),
    );
  const oldOnes = Object.entries(oldAddresses).map(([path, name]) => goingTo(path, () => pathOf(name)));

  const auth = createRoute({ getParentRoute: () => root, path: bases.arrival, component: AuthPage });
  const logout = createRoute({
    getParentRoute: () => root,
    path: logoutPath,
    component: () => null,
    beforeLoad: async () => {
      await logOut();
      await new Promise(() => undefined);
    },
  });
  const forbidden = createRoute({
    getParentRoute: () => frame,
    path: forbiddenPath,
    beforeLoad: ({ location, preload }) => guard({ path: forbiddenPath }, pages, location.href, preload),
    component: ForbiddenPage,
    staticData: { title: "Acesso negado" },
  });

  // Not added to the type of the tree: no link of ours leads to them.
  elsewhere.addChildren([
    ...unbuilt,
    ...oldOnes,
    goingTo("/", () => homeOf(pages)),
    goingTo("$", async (path, address) => {
      await guard(guardedPath(path), pages, address, false);
      return homeOf(pages);
    }),
  ]);
  const tree = root.addChildren([frame.addChildren({ ...framed, forbidden }), elsewhere, auth, logout]);
  const router = createRouter({
    routeTree: tree,
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    // The query cache keeps the data; the router only asks it for the first of a page.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: 200,
    context: { features, queryClient },
  });
  onSecondFactorDemanded(oneAtATime(() => leadToTwoFactor(router, pages)));
  return router;
}

interface RouterContext {
  features: readonly Feature[];
  queryClient: QueryClient;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    /** Title of the browser tab. */
    title?: string;
  }
  interface HistoryState {
    /** Page that sent the person to the settings. */
    redirectedFrom?: RouteName;
    /** Names the batch that opens after signing in (SES-027). */
    modalToken?: string;
  }
}

function Root() {
  return (
    <>
      <DocumentTitle />
      <Outlet />
    </>
  );
}

/** Names the tab by the open page; one that only leads elsewhere has no title and leaves the last one. */
function DocumentTitle() {
  useDocumentTitle(useMatches({ select: (matches) => matches.at(-1)?.staticData.title }));
  return null;
}

/**
 * The guards read the token, which may predate the company's demand, so a fresh one is fetched. The redirect is the
 * same without it, because no other call succeeds until the factor is on.
 */
async function leadToTwoFactor(router: AnyRouter, pages: readonly Page[]): Promise<void> {
  const securityPath = securityPathOf(pages);
  const { enforced, enabled } = readSession()?.two_factor ?? {};
  if (!enforced || enabled) await exchangeToken().catch(() => undefined);
  const { href, pathname } = router.history.location;
  if (!securityPath || [securityPath, forbiddenPath, logoutPath].includes(pathname)) return;
  await router.navigate({ href: returningTo(securityPath, href), replace: true });
}

/** Every call of a page is refused at once, so one redirect serves them all. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    void work().finally(() => {
      isRunning = false;
    });
  };
}

/** Shown for a screen that broke or did not arrive. Reloading brings the newest version of every part. */
function AppErrorPage({ error }: { error: unknown }) {
  return (
    <ErrorState
      title="Não foi possível abrir esta página"
      message={errorSentence(error)}
      onRetry={() => location.reload()}
    />
  );
}
